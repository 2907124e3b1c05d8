/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Jacobi iteration on an n x n grid cut in both directions, with halo exchange between the four
 * neighbours by nonblocking messages. The left edge is hot. Compiled with OpenMP (hybrid_stencil),
 * threads of each rank share its part.
 */
#include "arguments.h"
#include "rounds.h"

struct grid {
    long rows, columns; /* of this rank, without the halo */
    long first_row, first_column;
    long stride;
    double *now, *next;
    MPI_Comm comm;
    int north, south, west, east;
    MPI_Datatype column;
};

static void build(struct grid *g, long n) {
    int ranks, rank, parts[2] = {0, 0}, at[2];
    const int periods[2] = {0, 0};
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    MPI_Dims_create(ranks, 2, parts);
    MPI_Cart_create(MPI_COMM_WORLD, 2, parts, periods, 0, &g->comm);
    MPI_Comm_rank(g->comm, &rank);
    MPI_Cart_coords(g->comm, rank, 2, at);
    MPI_Cart_shift(g->comm, 0, 1, &g->north, &g->south);
    MPI_Cart_shift(g->comm, 1, 1, &g->west, &g->east);
    block_of(n, parts[0], at[0], &g->first_row, &g->rows);
    block_of(n, parts[1], at[1], &g->first_column, &g->columns);
    g->stride = g->columns + 2;
    MPI_Type_vector((int)g->rows, 1, (int)g->stride, MPI_DOUBLE, &g->column);
    MPI_Type_commit(&g->column);
    const size_t cells = (size_t)(g->rows + 2) * (size_t)g->stride;
    g->now = calloc(cells, sizeof *g->now);
    g->next = calloc(cells, sizeof *g->next);
    if (!g->now || !g->next)
        MPI_Abort(MPI_COMM_WORLD, 1);
    for (long i = 0; at[1] == 0 && i < g->rows + 2; i++)
        g->now[i * g->stride] = g->next[i * g->stride] = 1.0;
}

static void exchange_halo(struct grid *g) {
    double *v = g->now;
    const long s = g->stride;
    const int width = (int)g->columns;
    MPI_Request requests[8];
    MPI_Status statuses[8]; /* gcc warns of MPICH's MPI_STATUSES_IGNORE */
    MPI_Irecv(v + 1, width, MPI_DOUBLE, g->north, 0, g->comm, &requests[0]);
    MPI_Irecv(v + (g->rows + 1) * s + 1, width, MPI_DOUBLE, g->south, 1, g->comm, &requests[1]);
    MPI_Irecv(v + s, 1, g->column, g->west, 2, g->comm, &requests[2]);
    MPI_Irecv(v + s + g->columns + 1, 1, g->column, g->east, 3, g->comm, &requests[3]);
    MPI_Isend(v + g->rows * s + 1, width, MPI_DOUBLE, g->south, 0, g->comm, &requests[4]);
    MPI_Isend(v + s + 1, width, MPI_DOUBLE, g->north, 1, g->comm, &requests[5]);
    MPI_Isend(v + s + g->columns, 1, g->column, g->east, 2, g->comm, &requests[6]);
    MPI_Isend(v + s + 1, 1, g->column, g->west, 3, g->comm, &requests[7]);
    MPI_Waitall(8, requests, statuses);
}

static void relax(struct grid *g) {
#pragma omp parallel for
    for (long i = 1; i <= g->rows; i++) {
        const double *v = g->now + i * g->stride;
        double *out = g->next + i * g->stride;
        for (long j = 1; j <= g->columns; j++)
            out[j] = 0.25 * (v[j - 1] + v[j + 1] + v[j - g->stride] + v[j + g->stride]);
    }
    double *swap = g->now;
    g->now = g->next;
    g->next = swap;
}

/* So that cells in wrong places show. */
static double weight(long row, long column) {
    return (double)(1 + (row * 3 + column) % 7);
}

static double sum(const struct grid *g) {
    double mine = 0, all;
    for (long i = 1; i <= g->rows; i++)
        for (long j = 1; j <= g->columns; j++)
            mine += g->now[i * g->stride + j] * weight(g->first_row + i, g->first_column + j);
    MPI_Allreduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, g->comm);
    return all;
}

int main(int argc, char **argv) {
    struct argument arguments[] = {{"n", 1, 20000, 0}, {"iterations", 1, 100000000, 0}};
    struct grid g;
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    struct rounds rounds = take_rounds(&argc, argv, 2);
    parse_arguments(argc, argv, arguments, 2);
    build(&g, arguments[0].value);
    MPI_Barrier(MPI_COMM_WORLD);
    const double start = MPI_Wtime();
    while (another_round(&rounds))
        for (long iteration = 0; iteration < arguments[1].value; iteration++) {
            exchange_halo(&g);
            relax(&g);
        }
    const double checksum = sum(&g);
    report("stencil", checksum, MPI_Wtime() - start);
    free(g.now);
    free(g.next);
    MPI_Type_free(&g.column);
    MPI_Comm_free(&g.comm);
    MPI_Finalize();
    return 0;
}
