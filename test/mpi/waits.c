/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Two ranks, the first of which waits for `percent` of its time, with a core of its own: it
 * computes for so much less than the second until both meet, a thousand times a second. At the end
 * each knows what part of its time it was outside MPI, and what part it had a CPU there.
 */
#define _GNU_SOURCE
#include "arguments.h"

#include <time.h>

static double cpu_seconds(void) {
    struct timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static void compute(double seconds) {
    const double end = cpu_seconds() + seconds;
    while (cpu_seconds() < end)
        ;
}

int main(int argc, char **argv) {
    struct argument arguments[] = {{"percent", 0, 100, 0}, {"seconds", 1, 1000, 0}};
    int rank, go_on = 1;
    MPI_Init(&argc, &argv);
    parse_arguments(argc, argv, arguments, 2);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    const double step = 1e-3, part = rank == 0 ? 1 - (double)arguments[0].value / 100 : 1;
    double outside = 0, computed = 0, all[4] = {0};
    MPI_Barrier(MPI_COMM_WORLD);
    const double start = MPI_Wtime();
    while (go_on) {
        const double step_start = MPI_Wtime();
        compute(step * part);
        computed += step * part;
        outside += MPI_Wtime() - step_start;
        go_on = MPI_Wtime() - start < (double)arguments[1].value;
        MPI_Bcast(&go_on, 1, MPI_INT, 1, MPI_COMM_WORLD);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    const double time = MPI_Wtime() - start, mine[2] = {outside / time, computed / time};
    MPI_Gather(mine, 2, MPI_DOUBLE, all, 2, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("waits outside_0=%.4f computed_0=%.4f outside_1=%.4f computed_1=%.4f\n", all[0],
               all[1], all[2], all[3]);
    MPI_Finalize();
    return 0;
}
