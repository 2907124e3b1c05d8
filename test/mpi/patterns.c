/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Grains of work with one way of communicating between each and the next.
 */
#include "arguments.h"
#include "work.h"

#define TO_LEFT 0
#define TO_RIGHT 1

/* What a rank needs for all steps. */
struct place {
    int rank, ranks, neighbours[2]; /* to the left, to the right */
    long grain;
    MPI_Comm ring, half;
    MPI_Win window;
    uint64_t *from; /* of the window: from the left, from the right; two for every second step */
};

static uint64_t allreduce(const struct place *place, long step, uint64_t value) {
    double mine, sum;
    (void)step;
    value = work(value, place->grain);
    mine = digest(value);
    MPI_Allreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    return value + (uint64_t)sum;
}

/* Half of the work beside the sum, which is of what the other half gave. */
static uint64_t iallreduce(const struct place *place, long step, uint64_t value) {
    double mine, sum;
    MPI_Request request;
    (void)step;
    value = work(value, place->grain / 2);
    mine = digest(value);
    MPI_Iallreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, &request);
    value = work(value, place->grain - place->grain / 2);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    return value + (uint64_t)sum;
}

static uint64_t neighbour_alltoall(const struct place *place, long step, uint64_t value) {
    (void)step;
    value = work(value, place->grain);
    const uint64_t mine[2] = {value, value + 1};
    uint64_t received[2];
    MPI_Neighbor_alltoall(mine, 1, MPI_UINT64_T, received, 1, MPI_UINT64_T, place->ring);
    return mix(mix(value, received[0]), received[1]);
}

static uint64_t put_and_fence(const struct place *place, long step, uint64_t value) {
    const MPI_Aint side = 2 * (step % 2);
    value = work(value, place->grain);
    MPI_Put(&value, 1, MPI_UINT64_T, place->neighbours[TO_LEFT], side + TO_RIGHT, 1, MPI_UINT64_T,
            place->window);
    MPI_Put(&value, 1, MPI_UINT64_T, place->neighbours[TO_RIGHT], side + TO_LEFT, 1, MPI_UINT64_T,
            place->window);
    MPI_Win_fence(0, place->window);
    return mix(mix(value, place->from[side]), place->from[side + 1]);
}

static uint64_t polls(const struct place *place, long step, uint64_t value) {
    uint64_t received;
    MPI_Request requests[2];
    MPI_Status statuses[2];
    int done = 0;
    value = work(value, place->grain);
    MPI_Irecv(&received, 1, MPI_UINT64_T, place->neighbours[TO_LEFT], (int)(step % 2),
              MPI_COMM_WORLD, &requests[0]);
    MPI_Isend(&value, 1, MPI_UINT64_T, place->neighbours[TO_RIGHT], (int)(step % 2), MPI_COMM_WORLD,
              &requests[1]);
    while (!done)
        MPI_Testall(2, requests, &done, statuses);
    return mix(value, received);
}

/* Each half sums up for itself, one after three times the work of the other, which then waits. */
static uint64_t uneven_halves(const struct place *place, long step, uint64_t value) {
    double mine, sum;
    const int is_heavy = (place->rank < place->ranks / 2) == (step / 8 % 2);
    value = work(value, is_heavy ? place->grain * 3 / 2 : place->grain / 2);
    mine = digest(value);
    MPI_Allreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM,
                  step % 8 == 7 ? MPI_COMM_WORLD : place->half);
    return value + (uint64_t)sum;
}

static uint64_t (*const patterns[])(const struct place *, long, uint64_t) = {
    allreduce, iallreduce, neighbour_alltoall, put_and_fence, polls, uneven_halves};

static void take_place(struct place *place, long grain) {
    const int periodic = 1;
    MPI_Comm_rank(MPI_COMM_WORLD, &place->rank);
    MPI_Comm_size(MPI_COMM_WORLD, &place->ranks);
    place->grain = grain;
    MPI_Cart_create(MPI_COMM_WORLD, 1, &place->ranks, &periodic, 0, &place->ring);
    MPI_Cart_shift(place->ring, 0, 1, &place->neighbours[0], &place->neighbours[1]);
    MPI_Comm_split(MPI_COMM_WORLD, place->rank < place->ranks / 2, place->rank, &place->half);
    MPI_Win_allocate(4 * sizeof(uint64_t), sizeof(uint64_t), MPI_INFO_NULL, MPI_COMM_WORLD,
                     &place->from, &place->window);
    MPI_Win_fence(0, place->window);
}

int main(int argc, char **argv) {
    struct argument arguments[] = {{"pattern", 0, sizeof patterns / sizeof *patterns - 1, 0},
                                   {"steps", 1, 100000000, 0},
                                   {"grain", 0, 1000000, 0}};
    struct place place;
    MPI_Init(&argc, &argv);
    parse_arguments(argc, argv, arguments, 3);
    take_place(&place, arguments[2].value);
    uint64_t value = (uint64_t)place.rank + 1;
    const double start = MPI_Wtime();
    for (long step = 0; step < arguments[1].value; step++)
        value = patterns[arguments[0].value](&place, step, value);
    const double mine = digest(value);
    double sum;
    MPI_Allreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    report("patterns", sum, MPI_Wtime() - start);
    MPI_Win_free(&place.window);
    MPI_Comm_free(&place.half);
    MPI_Comm_free(&place.ring);
    MPI_Finalize();
    return 0;
}
