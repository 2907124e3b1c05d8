/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * One-sided: everybody writes its rank into its place at rank 0.
 */
#include "calls.h"

static MPI_Win window;
static int *exposed;

static void open_window(void) {
    MPI_Win_allocate((MPI_Aint)((size_t)ranks * sizeof *exposed), sizeof *exposed, MPI_INFO_NULL,
                     MPI_COMM_WORLD, &exposed, &window);
    for (int i = 0; i < ranks; i++)
        exposed[i] = 0;
    MPI_Barrier(MPI_COMM_WORLD);
}

static void close_window(void) {
    MPI_Win_free(&window);
}

static void check_exposed(const char *call) {
    if (is_late())
        for (int i = 1; i < ranks; i++)
            expect(exposed[i] == i, call);
}

static void fence(void) {
    MPI_Win_fence(0, window);
    MPI_Put(&rank, 1, MPI_INT, 0, rank, 1, MPI_INT, window);
    MPI_Win_fence(0, window);
    check_exposed("MPI_Win_fence");
}

static void post_start(void) {
    MPI_Group world, group;
    const int zero = 0;
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    if (is_late()) {
        MPI_Group_excl(world, 1, &zero, &group);
        MPI_Win_post(group, 0, window);
        MPI_Win_wait(window);
        check_exposed("MPI_Win_wait");
    } else {
        MPI_Group_incl(world, 1, &zero, &group);
        MPI_Win_start(group, 0, window);
        MPI_Put(&rank, 1, MPI_INT, 0, rank, 1, MPI_INT, window);
        MPI_Win_complete(window);
    }
    MPI_Group_free(&group);
    MPI_Group_free(&world);
}

static void lock(void) {
    if (!is_late()) {
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, window);
        MPI_Put(&rank, 1, MPI_INT, 0, rank, 1, MPI_INT, window);
        MPI_Win_unlock(0, window);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, window);
    check_exposed("MPI_Win_lock");
    MPI_Win_unlock(0, window);
}

static void lock_all(void) {
    const int one = 1;
    int before = 0;
    MPI_Win_lock_all(0, window);
    MPI_Fetch_and_op(&one, &before, MPI_INT, 0, 0, MPI_SUM, window);
    MPI_Win_flush(0, window);
    MPI_Win_unlock_all(window);
    expect(before >= 0 && before < ranks, "MPI_Fetch_and_op");
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, window);
    expect(rank != 0 || exposed[0] == ranks, "MPI_Win_flush");
    MPI_Win_unlock(0, window);
}

static const struct call calls[] = {
    {"fence", fence}, {"post_start", post_start}, {"lock", lock}, {"lock_all", lock_all},
    {NULL, NULL},
};

const struct kind one_sided = {calls, open_window, close_window};
