/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Goes through the calls of MPI that wait for another rank. In each, rank 0 comes late because it
 * computes, while all others are in the call; what they get is checked, and how much CPU time they
 * used while they waited is printed: `calls NAME cpu=SECONDS wall=SECONDS`, the mean of the others.
 */
#include "calls.h"
#include "work.h"

#include <time.h>
#include <unistd.h>

int rank, ranks, threads;
static long delay_ms;

static const struct kind *const kinds[] = {
    &in_threads, &point_to_point, &completions, &collectives,
    &topologies, &communicators,  &one_sided,   &files,
};

static double clock_seconds(clockid_t clock) {
    struct timespec now;
    clock_gettime(clock, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* Of CPU time: whoever polls in vain on the same CPU makes it longer. */
static void compute(void) {
    const double end = clock_seconds(CLOCK_THREAD_CPUTIME_ID) + (double)delay_ms / 1e3;
    volatile uint64_t value = 1;
    while (clock_seconds(CLOCK_THREAD_CPUTIME_ID) < end)
        value = work(value, 10);
}

void expect(int right, const char *call) {
    if (right)
        return;
    fprintf(stderr, "rank %d: wrong result of %s\n", rank, call);
    MPI_Abort(MPI_COMM_WORLD, 1);
}

static void print(const char *name, double cpu, double wall) {
    const double mine[2] = {rank == 0 ? 0 : cpu, rank == 0 ? 0 : wall};
    double sum[2];
    MPI_Reduce(mine, sum, 2, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("calls %s cpu=%.4f wall=%.4f\n", name, sum[0] / (ranks - 1), sum[1] / (ranks - 1));
}

/* Whoever waits in it for others waits for their launcher, and does not poll. */
static void init(int *argc, char ***argv) {
    int provided;
    const int wanted = *argc > 2 && atoi((*argv)[2]) > 1 ? MPI_THREAD_MULTIPLE : MPI_THREAD_SINGLE;
    MPI_Init_thread(argc, argv, wanted, &provided);
    expect(provided >= wanted, "MPI_Init_thread");
}

/* Nobody can collect what they print after MPI_Finalize. */
static void finalize(void) {
    MPI_Barrier(MPI_COMM_WORLD);
    const double cpu = clock_seconds(CLOCK_PROCESS_CPUTIME_ID),
                 wall = clock_seconds(CLOCK_MONOTONIC);
    if (is_late())
        compute();
    MPI_Finalize();
    if (!is_late())
        printf("calls finalize cpu=%.4f wall=%.4f\n", clock_seconds(CLOCK_PROCESS_CPUTIME_ID) - cpu,
               clock_seconds(CLOCK_MONOTONIC) - wall);
}

static void go_through(const struct kind *kind, const struct call *call) {
    if (kind->prepare)
        kind->prepare();
    MPI_Barrier(MPI_COMM_WORLD);
    const double cpu = clock_seconds(CLOCK_PROCESS_CPUTIME_ID), wall = MPI_Wtime();
    if (is_late())
        compute();
    call->run();
    print(call->name, clock_seconds(CLOCK_PROCESS_CPUTIME_ID) - cpu, MPI_Wtime() - wall);
    if (kind->clean)
        kind->clean();
}

int main(int argc, char **argv) {
    struct argument arguments[] = {{"milliseconds", 0, 100000, 0}, {"threads", 1, 2, 0}};
    init(&argc, &argv);
    parse_arguments(argc, argv, arguments, 2);
    delay_ms = arguments[0].value;
    threads = (int)arguments[1].value;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    expect(ranks >= 2 && ranks <= most_ranks, "two ranks or some more");
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        for (const struct call *call = kinds[i]->calls; call->name; call++)
            go_through(kinds[i], call);
    if (is_late())
        puts("calls done");
    finalize();
    return 0;
}
