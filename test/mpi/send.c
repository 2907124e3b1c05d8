/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The synthetic application send.50xK of Utrera's thesis (s. 3.6.1.1): each step an even and an odd
 * rank exchange a message, all calculate, half of the ranks `factor` times as long as the others,
 * and all synchronize. The heavy ranks are the odd ones, or, blockwise, the upper half: where
 * blocks of neighbours share a core, only the latter burdens cores unevenly.
 */
#include "arguments.h"
#include "work.h"

int main(int argc, char **argv) {
    struct argument arguments[] = {{"steps", 1, 100000000, 0},
                                   {"grain", 0, 1000000, 0},
                                   {"factor", 1, 100, 0},
                                   {"blockwise", 0, 1, 0}};
    int rank, ranks;
    MPI_Init(&argc, &argv);
    parse_arguments(argc, argv, arguments, 4);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const int heavy = arguments[3].value ? rank >= (ranks + 1) / 2 : rank % 2;
    const int partner = (rank ^ 1) < ranks ? rank ^ 1 : MPI_PROC_NULL;
    const long grain = arguments[1].value * (heavy ? arguments[2].value : 1);

    uint64_t value = (uint64_t)rank + 1, received = 0;
    MPI_Barrier(MPI_COMM_WORLD);
    const double start = MPI_Wtime();
    for (long step = 0; step < arguments[0].value; step++) {
        MPI_Sendrecv(&value, 1, MPI_UINT64_T, partner, 0, &received, 1, MPI_UINT64_T, partner, 0,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        value = work(value + received, grain);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    double mine = digest(value), sum;
    MPI_Allreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    report("send", sum, MPI_Wtime() - start);
    MPI_Finalize();
    return 0;
}
