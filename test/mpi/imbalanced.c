/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Uneven work, different in every step, between collective operations that everybody waits for.
 */
#include "arguments.h"
#include "rounds.h"
#include "work.h"

/* One to eight shares; on average over steps every rank gets the same. */
static long shares(int rank, long step) {
    return 1 + (long)(work((uint64_t)step * 1024u + (uint64_t)rank, 0) * 2654435761u >> 16) % 8;
}

static uint64_t exchange(const uint64_t *out, uint64_t *in, int ranks) {
    uint64_t mixed = 0;
    MPI_Alltoall(out, 1, MPI_UINT64_T, in, 1, MPI_UINT64_T, MPI_COMM_WORLD);
    for (int i = 0; i < ranks; i++)
        mixed = mixed * 31 + in[i];
    return mixed;
}

/* Computes, and exchanges what came out; returns a sum over all ranks. */
static double one_step(uint64_t *out, uint64_t *in, int ranks, uint64_t *value, long grains) {
    double sum = 0;
    *value = work(*value, grains);
    for (int i = 0; i < ranks; i++)
        out[i] = *value + (uint64_t)i;
    *value = exchange(out, in, ranks);
    const double mine = digest(*value);
    MPI_Allreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    *value += (uint64_t)sum;
    return sum;
}

int main(int argc, char **argv) {
    struct argument arguments[] = {{"steps", 1, 100000000, 0}, {"grain", 0, 1000000, 0}};
    int rank, ranks;
    MPI_Init(&argc, &argv);
    struct rounds rounds = take_rounds(&argc, argv, 2);
    parse_arguments(argc, argv, arguments, 2);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    uint64_t *out = malloc((size_t)ranks * sizeof *out), *in = malloc((size_t)ranks * sizeof *in);
    if (!out || !in)
        MPI_Abort(MPI_COMM_WORLD, 1);

    uint64_t value = (uint64_t)rank + 1;
    double sum = 0;
    MPI_Barrier(MPI_COMM_WORLD);
    const double start = MPI_Wtime();
    while (another_round(&rounds))
        for (long step = 0; step < arguments[0].value; step++)
            sum = one_step(out, in, ranks, &value, arguments[1].value * shares(rank, step));
    report("imbalanced", sum, MPI_Wtime() - start);
    free(out);
    free(in);
    MPI_Finalize();
    return 0;
}
