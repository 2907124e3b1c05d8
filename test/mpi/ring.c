/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Every rank works for `grain` microseconds, then passes its result to the next rank: the finest
 * synchronization of neighbours. SIGUSR2 to rank 0 ends it after fewer steps.
 */
#include "ring.h"
#include "arguments.h"

int main(int argc, char **argv) {
    struct argument arguments[] = {{"steps", 1, 100000000, 0}, {"grain", 0, 1000000, 0}};
    int rank;
    listen_for_end();
    MPI_Init(&argc, &argv);
    parse_arguments(argc, argv, arguments, 2);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);

    uint64_t value = (uint64_t)rank + 1;
    MPI_Barrier(MPI_COMM_WORLD);
    const double start = MPI_Wtime();
    long steps = arguments[0].value;
    for (long step = 0; step < steps; step++) {
        value = work(value, arguments[1].value);
        steps = pass_on(&value, step, steps);
    }
    if (rank == 0 && steps < arguments[0].value)
        printf("ended after %ld steps\n", steps);
    double mine = digest(value), sum;
    MPI_Allreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    report("ring", sum, MPI_Wtime() - start);
    MPI_Finalize();
    return 0;
}
