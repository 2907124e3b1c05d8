/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Collective operations that nobody leaves before rank 0 has entered.
 */
#include "calls.h"

static int sum_of_ranks(void) {
    return ranks * (ranks - 1) / 2;
}

static void barrier(void) {
    MPI_Barrier(MPI_COMM_WORLD);
}

static void bcast(void) {
    int value = is_late() ? 42 : 0;
    MPI_Bcast(&value, 1, MPI_INT, 0, MPI_COMM_WORLD);
    expect(value == 42, "MPI_Bcast");
}

static void gather(void) { /* and back: the senders need not wait */
    int *all = calloc((size_t)ranks, sizeof *all), value = -1;
    MPI_Gather(&rank, 1, MPI_INT, all, 1, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Scatter(all, 1, MPI_INT, &value, 1, MPI_INT, 0, MPI_COMM_WORLD);
    expect(value == rank, "MPI_Gather and MPI_Scatter");
    free(all);
}

static void gatherv(void) {
    int *all = calloc((size_t)ranks, sizeof *all), *ones = calloc((size_t)ranks, sizeof *ones);
    int *at = calloc((size_t)ranks, sizeof *at), value = -1;
    for (int i = 0; i < ranks; i++)
        ones[i] = 1, at[i] = ranks - 1 - i;
    MPI_Gatherv(&rank, 1, MPI_INT, all, ones, at, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Scatterv(all, ones, at, MPI_INT, &value, 1, MPI_INT, 0, MPI_COMM_WORLD);
    expect(value == rank, "MPI_Gatherv and MPI_Scatterv");
    MPI_Allgatherv(&rank, 1, MPI_INT, all, ones, at, MPI_INT, MPI_COMM_WORLD);
    expect(all[0] == ranks - 1, "MPI_Allgatherv");
    free(all);
    free(ones);
    free(at);
}

static void allgather(void) {
    int *all = calloc((size_t)ranks, sizeof *all);
    MPI_Allgather(&rank, 1, MPI_INT, all, 1, MPI_INT, MPI_COMM_WORLD);
    for (int i = 0; i < ranks; i++)
        expect(all[i] == i, "MPI_Allgather");
    free(all);
}

static void alltoall(void) {
    int *in = calloc((size_t)ranks, sizeof *in), *out = calloc((size_t)ranks, sizeof *out);
    for (int i = 0; i < ranks; i++)
        out[i] = rank * ranks + i;
    MPI_Alltoall(out, 1, MPI_INT, in, 1, MPI_INT, MPI_COMM_WORLD);
    for (int i = 0; i < ranks; i++)
        expect(in[i] == i * ranks + rank, "MPI_Alltoall");
    free(in);
    free(out);
}

static void reduce(void) {
    int sum = 0;
    MPI_Reduce(&rank, &sum, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    MPI_Bcast(&sum, 1, MPI_INT, 0, MPI_COMM_WORLD);
    expect(sum == sum_of_ranks(), "MPI_Reduce");
}

static void allreduce(void) {
    int sum = 0;
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    expect(sum == sum_of_ranks(), "MPI_Allreduce");
}

static void reduce_scatter(void) {
    int *out = calloc((size_t)ranks, sizeof *out), sum = 0;
    for (int i = 0; i < ranks; i++)
        out[i] = rank;
    MPI_Reduce_scatter_block(out, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    expect(sum == sum_of_ranks(), "MPI_Reduce_scatter_block");
    free(out);
}

static void scan(void) {
    int sum = 0, before = 0;
    MPI_Scan(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Exscan(&rank, &before, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    expect(sum == rank * (rank + 1) / 2 && (rank == 0 || before == sum - rank), "MPI_Scan");
}

static void nonblocking(void) {
    int sum = 0;
    MPI_Request pending[2];
    MPI_Iallreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &pending[0]);
    MPI_Ibarrier(MPI_COMM_WORLD, &pending[1]);
    MPI_Waitall(2, pending, MPI_STATUSES_IGNORE);
    expect(sum == sum_of_ranks(), "MPI_Iallreduce");
}

static const struct call calls[] = {
    {"barrier", barrier},
    {"bcast", bcast},
    {"gather", gather},
    {"gatherv", gatherv},
    {"allgather", allgather},
    {"alltoall", alltoall},
    {"reduce", reduce},
    {"allreduce", allreduce},
    {"reduce_scatter", reduce_scatter},
    {"scan", scan},
    {"nonblocking", nonblocking},
    {NULL, NULL},
};

const struct kind collectives = {calls, NULL, NULL};
