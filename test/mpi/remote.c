/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A rank that waits is asked by another node while its neighbour computes: of four ranks, two on
 * each node, rank 1 computes, rank 2 asks rank 0 every other millisecond, and rank 3 waits for the
 * end. The checksum is the sum of the answers.
 */
#include "arguments.h"
#include "work.h"

#include <time.h>

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

static void reply(long questions) {
    double number;
    MPI_Status status;
    for (long i = 0; i < questions; i++) {
        MPI_Recv(&number, 1, MPI_DOUBLE, asker, 0, MPI_COMM_WORLD, &status);
        number += 1;
        MPI_Send(&number, 1, MPI_DOUBLE, asker, 0, MPI_COMM_WORLD);
    }
}

int main(int argc, char **argv) {
    struct argument arguments[] = {{"questions", 1, 1000000, 0}, {"grain", 0, 100000000, 0}};
    int rank, ranks;
    MPI_Init(&argc, &argv);
    parse_arguments(argc, argv, arguments, 2);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const long questions = arguments[0].value;
    if (ranks != all)
        MPI_Abort(MPI_COMM_WORLD, 2);

    double mine = 0, sum = 0;
    MPI_Barrier(MPI_COMM_WORLD);
    const double start = MPI_Wtime();
    if (rank == computer)
        mine = digest(work(1, arguments[1].value));
    else if (rank == answerer)
        reply(questions);
    else if (rank == asker)
        mine = ask(questions);
    MPI_Allreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    report("remote", sum, MPI_Wtime() - start);
    MPI_Finalize();
    return 0;
}
