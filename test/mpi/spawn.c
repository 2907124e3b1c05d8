/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Starts as many processes as it has itself; both halves compute together what `ring` computes.
 */
#include "arguments.h"
#include "work.h"

int main(int argc, char **argv) {
    struct argument arguments[] = {{"steps", 1, 100000000, 0}, {"grain", 0, 1000000, 0}};
    MPI_Comm other, all;
    int rank, ranks;
    MPI_Init(&argc, &argv);
    parse_arguments(argc, argv, arguments, 2);
    MPI_Comm_get_parent(&other);
    const int is_child = other != MPI_COMM_NULL;
    if (!is_child) {
        MPI_Comm_size(MPI_COMM_WORLD, &ranks);
        MPI_Comm_spawn(argv[0], argv + 1, ranks, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &other,
                       MPI_ERRCODES_IGNORE);
    }
    MPI_Intercomm_merge(other, is_child, &all);
    MPI_Comm_rank(all, &rank);
    MPI_Comm_size(all, &ranks);
    const double start = MPI_Wtime();
    uint64_t value = (uint64_t)rank + 1;
    for (long step = 0; step < arguments[0].value; step++) {
        uint64_t received;
        value = work(value, arguments[1].value);
        MPI_Sendrecv(&value, 1, MPI_UINT64_T, (rank + 1) % ranks, 0, &received, 1, MPI_UINT64_T,
                     (rank + ranks - 1) % ranks, 0, all, MPI_STATUS_IGNORE);
        value = mix(value, received);
    }
    double mine = digest(value), sum;
    MPI_Allreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, all);
    if (!is_child)
        report("spawn", sum, MPI_Wtime() - start);
    MPI_Comm_free(&all);
    MPI_Comm_disconnect(&other);
    MPI_Finalize();
    return 0;
}
