/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Every rank works for `grain` microseconds, then passes its result to the next rank: the finest
 * synchronization of neighbours.
 */
#include "arguments.h"
#include "work.h"

int main(int argc, char **argv) {
    struct argument arguments[] = {{"steps", 1, 100000000, 0}, {"grain", 0, 1000000, 0}};
    int rank, ranks;
    MPI_Init(&argc, &argv);
    parse_arguments(argc, argv, arguments, 2);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);

    uint64_t value = (uint64_t)rank + 1;
    MPI_Barrier(MPI_COMM_WORLD);
    const double start = MPI_Wtime();
    for (long step = 0; step < arguments[0].value; step++) {
        uint64_t received;
        value = work(value, arguments[1].value);
        MPI_Sendrecv(&value, 1, MPI_UINT64_T, (rank + 1) % ranks, 0, &received, 1, MPI_UINT64_T,
                     (rank + ranks - 1) % ranks, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        value = mix(value, received);
    }
    double mine = digest(value), sum;
    MPI_Allreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    report("ring", sum, MPI_Wtime() - start);
    MPI_Finalize();
    return 0;
}
