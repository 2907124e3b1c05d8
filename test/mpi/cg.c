/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Conjugate gradients on a sparse symmetric positive definite matrix: the five-point operator of an
 * n x n grid plus a varying diagonal, in compressed rows. Each rank owns a block of grid lines; a
 * step exchanges one line with either neighbour and sums twice over all ranks. Every round solves
 * the same system anew. Compiled with OpenMP (hybrid_cg), threads of each rank share its block.
 */
#include "arguments.h"
#include "rounds.h"

struct matrix {
    long rows, width; /* of this rank; entries of a grid line */
    long *start;      /* rows + 1 */
    long *column;     /* into a vector with a halo line in front and one behind */
    double *value;
    int above, below; /* neighbour ranks */
};

static void *allocate(long count, size_t size) {
    void *memory = calloc((size_t)count, size);
    if (!memory)
        MPI_Abort(MPI_COMM_WORLD, 1);
    return memory;
}

static void build(struct matrix *m, long n) {
    long first, lines, entries = 0;
    int rank, ranks;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    block_of(n, ranks, rank, &first, &lines);
    m->rows = lines * n;
    m->width = n;
    m->above = rank == 0 ? MPI_PROC_NULL : rank - 1;
    m->below = rank == ranks - 1 ? MPI_PROC_NULL : rank + 1;
    m->start = allocate(m->rows + 1, sizeof *m->start);
    m->column = allocate(m->rows * 5, sizeof *m->column);
    m->value = allocate(m->rows * 5, sizeof *m->value);
    for (long row = 0; row < m->rows; row++) {
        const long line = first + row / n, at = row % n, here = row + n;
        const long column[] = {here, here - n, here + n, here - 1, here + 1};
        const int exists[] = {1, line > 0, line<n - 1, at> 0, at < n - 1};
        for (int k = 0; k < 5; k++)
            if (exists[k]) {
                m->column[entries] = column[k];
                m->value[entries++] = k ? -1.0 : 4.0 + (double)((line * 7 + at) % 11) / 100.0;
            }
        m->start[row + 1] = entries;
    }
}

/* out = m * v; v has a halo line in front and one behind. */
static void multiply(const struct matrix *m, double *v, double *out) {
    const int n = (int)m->width;
    MPI_Sendrecv(v + n, n, MPI_DOUBLE, m->above, 0, v + n + m->rows, n, MPI_DOUBLE, m->below, 0,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Sendrecv(v + m->rows, n, MPI_DOUBLE, m->below, 1, v, n, MPI_DOUBLE, m->above, 1,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#pragma omp parallel for
    for (long row = 0; row < m->rows; row++) {
        double sum = 0;
        for (long k = m->start[row]; k < m->start[row + 1]; k++)
            sum += m->value[k] * v[m->column[k]];
        out[row] = sum;
    }
}

static double dot(const double *a, const double *b, long count) {
    double mine = 0, sum;
#pragma omp parallel for reduction(+ : mine)
    for (long i = 0; i < count; i++)
        mine += a[i] * b[i];
    MPI_Allreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return sum;
}

/* Solves m * x = 1 from x = 0; returns x * x plus the residual, squared. */
static double solve(const struct matrix *m, long iterations) {
    double *x = allocate(m->rows + 1, sizeof *x), *r = allocate(m->rows + 1, sizeof *r);
    double *q = allocate(m->rows + 1, sizeof *q);
    double *direction = allocate(m->rows + 2 * m->width, sizeof *direction),
           *p = direction + m->width;
    for (long i = 0; i < m->rows; i++)
        r[i] = p[i] = 1.0;
    double rho = dot(r, r, m->rows);
    for (long iteration = 0; iteration < iterations && rho > 0; iteration++) {
        multiply(m, direction, q);
        const double alpha = rho / dot(p, q, m->rows);
#pragma omp parallel for
        for (long i = 0; i < m->rows; i++) {
            x[i] += alpha * p[i];
            r[i] -= alpha * q[i];
        }
        const double previous = rho;
        rho = dot(r, r, m->rows);
#pragma omp parallel for
        for (long i = 0; i < m->rows; i++)
            p[i] = r[i] + rho / previous * p[i];
    }
    const double checksum = dot(x, x, m->rows) + rho;
    free(x);
    free(r);
    free(q);
    free(direction);
    return checksum;
}

int main(int argc, char **argv) {
    struct argument arguments[] = {{"n", 1, 20000, 0}, {"iterations", 1, 100000000, 0}};
    struct matrix m;
    double checksum = 0;
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    struct rounds rounds = take_rounds(&argc, argv, 2);
    parse_arguments(argc, argv, arguments, 2);
    build(&m, arguments[0].value);
    MPI_Barrier(MPI_COMM_WORLD);
    const double start = MPI_Wtime();
    while (another_round(&rounds))
        checksum += solve(&m, arguments[1].value);
    report("cg", checksum, MPI_Wtime() - start);
    free(m.start);
    free(m.column);
    free(m.value);
    MPI_Finalize();
    return 0;
}
