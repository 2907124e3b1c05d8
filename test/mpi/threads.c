/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * MPI_THREAD_MULTIPLE: two threads of every rank pass messages around a ring of their own.
 */
#include "arguments.h"
#include "work.h"

#include <pthread.h>

static long steps, grain;

struct part {
    MPI_Comm comm;
    uint64_t value;
};

static void *run(void *argument) {
    struct part *part = argument;
    int rank, ranks;
    MPI_Comm_rank(part->comm, &rank);
    MPI_Comm_size(part->comm, &ranks);
    for (long step = 0; step < steps; step++) {
        uint64_t received;
        part->value = work(part->value, grain);
        MPI_Sendrecv(&part->value, 1, MPI_UINT64_T, (rank + 1) % ranks, 0, &received, 1,
                     MPI_UINT64_T, (rank + ranks - 1) % ranks, 0, part->comm, MPI_STATUS_IGNORE);
        part->value = mix(part->value, received);
    }
    return NULL;
}

int main(int argc, char **argv) {
    struct argument arguments[] = {{"steps", 1, 100000000, 0}, {"grain", 0, 1000000, 0}};
    int provided, rank;
    pthread_t other;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    parse_arguments(argc, argv, arguments, 2);
    if (provided < MPI_THREAD_MULTIPLE)
        MPI_Abort(MPI_COMM_WORLD, 1);
    steps = arguments[0].value;
    grain = arguments[1].value;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    struct part parts[2];
    for (int i = 0; i < 2; i++) {
        MPI_Comm_dup(MPI_COMM_WORLD, &parts[i].comm);
        parts[i].value = (uint64_t)(2 * rank + i + 1);
    }
    const double start = MPI_Wtime();
    if (pthread_create(&other, NULL, run, &parts[1]) != 0)
        MPI_Abort(MPI_COMM_WORLD, 1);
    run(&parts[0]);
    pthread_join(other, NULL);
    double mine = digest(parts[0].value) + digest(parts[1].value), sum;
    MPI_Allreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    report("threads", sum, MPI_Wtime() - start);
    for (int i = 0; i < 2; i++)
        MPI_Comm_free(&parts[i].comm);
    MPI_Finalize();
    return 0;
}
