/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Ranks that sleep for half of their time, as programs do that wait for files: in each step for as
 * long as it took them to compute, whatever else the machine does.
 */
#define _GNU_SOURCE
#include "arguments.h"
#include "work.h"

#include <time.h>

static void nap(double seconds) {
    const time_t whole = (time_t)seconds;
    const struct timespec time = {whole, (long)((seconds - (double)whole) * 1e9)};
    nanosleep(&time, NULL);
}

int main(int argc, char **argv) {
    struct argument arguments[] = {{"grain", 0, 1000000, 0}, {"steps", 1, 100000000, 0}};
    int rank;
    MPI_Init(&argc, &argv);
    parse_arguments(argc, argv, arguments, 2);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Barrier(MPI_COMM_WORLD);
    const double start = MPI_Wtime();
    uint64_t value = (uint64_t)rank + 1;
    for (long step = 0; step < arguments[1].value; step++) {
        const double step_start = MPI_Wtime();
        value = work(value, arguments[0].value);
        nap(MPI_Wtime() - step_start);
    }
    double sum = 0;
    const double mine = digest(value);
    MPI_Allreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    report("naps", sum, MPI_Wtime() - start);
    MPI_Finalize();
    return 0;
}
