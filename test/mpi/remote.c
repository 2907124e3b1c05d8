/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A rank that waits is asked by another node while its neighbour computes: of four ranks, two on
 * each node, rank 1 computes, rank 2 asks rank 0 every other millisecond, and rank 3 waits for the
 * end. Rank 1 computes until rank 0, with the last answer, has sent it a signal. The checksum is
 * the sum of the answers.
 */
#include "arguments.h"
#include "work.h"

#include <signal.h>
#include <time.h>
#include <unistd.h>

enum { answerer, computer, asker, idler, all };

static double ask(long questions) {
    const struct timespec pause = {0, 2000000};
    double answer = 0, sum = 0;
    MPI_Status status; /* gcc warns of MPICH's MPI_STATUS_IGNORE */
    for (long i = 0; i < questions; i++) {
        double question = (double)i;
        nanosleep(&pause, NULL);
        MPI_Send(&question, 1, MPI_DOUBLE, answerer, 0, MPI_COMM_WORLD);
        MPI_Recv(&answer, 1, MPI_DOUBLE, answerer, 0, MPI_COMM_WORLD, &status);
        sum += answer;
    }
    return sum;
}

static volatile sig_atomic_t all_are_answered;

static void note_signal(int number) {
    (void)number;
    all_are_answered = 1;
}

static void compute(void) {
    long self = getpid();
    volatile uint64_t value = 1;
    signal(SIGUSR2, note_signal);
    MPI_Send(&self, 1, MPI_LONG, answerer, 0, MPI_COMM_WORLD);
    while (!all_are_answered)
        value = work(value, 10);
}

static void reply(long questions) {
    double number;
    long neighbour;
    MPI_Status status;
    MPI_Recv(&neighbour, 1, MPI_LONG, computer, 0, MPI_COMM_WORLD, &status);
    for (long i = 0; i < questions; i++) {
        MPI_Recv(&number, 1, MPI_DOUBLE, asker, 0, MPI_COMM_WORLD, &status);
        number += 1;
        MPI_Send(&number, 1, MPI_DOUBLE, asker, 0, MPI_COMM_WORLD);
    }
    kill((pid_t)neighbour, SIGUSR2);
}

int main(int argc, char **argv) {
    struct argument arguments[] = {{"questions", 1, 1000000, 0}};
    int rank, ranks;
    MPI_Init(&argc, &argv);
    parse_arguments(argc, argv, arguments, 1);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const long questions = arguments[0].value;
    if (ranks != all)
        MPI_Abort(MPI_COMM_WORLD, 2);

    double mine = 0, sum = 0;
    MPI_Barrier(MPI_COMM_WORLD);
    const double start = MPI_Wtime();
    if (rank == computer)
        compute();
    else if (rank == answerer)
        reply(questions);
    else if (rank == asker)
        mine = ask(questions);
    MPI_Allreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    report("remote", sum, MPI_Wtime() - start);
    MPI_Finalize();
    return 0;
}
