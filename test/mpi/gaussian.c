/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Embarrassingly parallel: pairs of Gaussian random numbers by the polar method, summed and counted
 * by distance from the origin; one reduction at the end. The checksum is the same for every number
 * of ranks.
 */
#include "arguments.h"
#include "random.h"

#include <math.h>

#define RINGS 10

/* result[0..RINGS-1]: pairs by the greater of |x| and |y|; then the sums of x and y. */
static void draw(long first, long pairs, double *result) {
    uint64_t state = random_skip(271828183u, 2 * (uint64_t)first);
    for (long i = 0; i < pairs; i++) {
        const double u = 2 * random_next(&state) - 1, v = 2 * random_next(&state) - 1;
        const double square = u * u + v * v;
        if (square >= 1 || square == 0)
            continue;
        const double length = sqrt(-2 * log(square) / square);
        const double x = u * length, y = v * length;
        const int ring = (int)fmax(fabs(x), fabs(y));
        result[ring < RINGS ? ring : RINGS - 1] += 1;
        result[RINGS] += rounded(x);
        result[RINGS + 1] += rounded(y);
    }
}

int main(int argc, char **argv) {
    struct argument arguments[] = {{"thousand-pairs", 1, 100000000, 0}};
    double mine[RINGS + 2] = {0}, all[RINGS + 2], checksum = 0;
    long first, pairs;
    int rank, ranks;
    MPI_Init(&argc, &argv);
    parse_arguments(argc, argv, arguments, 1);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    block_of(arguments[0].value * 1000, ranks, rank, &first, &pairs);
    MPI_Barrier(MPI_COMM_WORLD);
    const double start = MPI_Wtime();
    draw(first, pairs, mine);
    MPI_Allreduce(mine, all, RINGS + 2, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    const double seconds = MPI_Wtime() - start;
    for (int i = 0; i < RINGS + 2; i++)
        checksum += all[i] * (i + 1);
    report("gaussian", checksum, seconds);
    MPI_Finalize();
    return 0;
}
