/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Collective operations among neighbours, in a ring and in graphs.
 */
#include "calls.h"

/* In a ring; so often that each rank waits for rank 0, however many there are. */
static void neighbours(void) {
    MPI_Comm line;
    int periodic = 1, got[2];
    MPI_Cart_create(MPI_COMM_WORLD, 1, &ranks, &periodic, 0, &line);
    for (int i = 0; i < ranks; i++)
        MPI_Neighbor_allgather(&rank, 1, MPI_INT, got, 1, MPI_INT, line);
    expect(got[0] == (rank + ranks - 1) % ranks && got[1] == (rank + 1) % ranks,
           "MPI_Neighbor_allgather");
    int out[2] = {rank, -rank};
    MPI_Neighbor_alltoall(out, 1, MPI_INT, got, 1, MPI_INT, line);
    expect(got[0] == -((rank + ranks - 1) % ranks) || ranks == 2, "MPI_Neighbor_alltoall");
    MPI_Comm_free(&line);
}

/* Graphs whose every process has rank 0 for a neighbour, and rank 0 all others. */

static int spokes(int *neighbours) {
    neighbours[0] = 0;
    for (int i = 1; is_late() && i < ranks; i++)
        neighbours[i - 1] = i;
    return is_late() ? ranks - 1 : 1;
}

static void check_star(MPI_Comm star) {
    int neighbours[most_ranks], got[most_ranks];
    const int degree = spokes(neighbours);
    MPI_Request request;
    MPI_Neighbor_allgather(&rank, 1, MPI_INT, got, 1, MPI_INT, star);
    for (int i = 0; i < degree; i++)
        expect(got[i] == neighbours[i], "MPI_Neighbor_allgather in a star");
    MPI_Ineighbor_alltoall(got, 1, MPI_INT, neighbours, 1, MPI_INT, star, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    for (int i = 0; i < degree; i++)
        expect(neighbours[i] == rank, "MPI_Ineighbor_alltoall in a star");
    MPI_Comm_free(&star);
}

static void graph(void) {
    MPI_Comm star;
    int ends[most_ranks], edges[2 * most_ranks];
    for (int i = 0; i < ranks; i++)
        ends[i] = ranks - 1 + i; /* edges of ranks 0 to i */
    for (int i = 0; i < ranks - 1; i++) {
        edges[i] = i + 1;
        edges[ranks - 1 + i] = 0;
    }
    MPI_Graph_create(MPI_COMM_WORLD, ranks, ends, edges, 0, &star);
    check_star(star);
}

static void dist_graph(void) {
    MPI_Comm star;
    int neighbours[most_ranks];
    const int degree = spokes(neighbours);
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, degree, neighbours, MPI_UNWEIGHTED, degree,
                                   neighbours, MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &star);
    check_star(star);
    MPI_Dist_graph_create(MPI_COMM_WORLD, 1, &rank, &degree, neighbours, MPI_UNWEIGHTED,
                          MPI_INFO_NULL, 0, &star);
    MPI_Barrier(star);
    MPI_Comm_free(&star);
}

static const struct call calls[] = {
    {"neighbours", neighbours},
    {"graph", graph},
    {"dist_graph", dist_graph},
    {NULL, NULL},
};

const struct kind topologies = {calls, NULL, NULL};
