/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Making communicators.
 */
#include "calls.h"

static void check_and_free(MPI_Comm *comm, const char *call) {
    int sum = 0, size;
    const int one = 1;
    MPI_Comm_size(*comm, &size);
    MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, *comm);
    expect(sum == size, call);
    MPI_Comm_free(comm);
}

static void comm_dup(void) {
    MPI_Comm copy;
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    check_and_free(&copy, "MPI_Comm_dup");
}

static void comm_split(void) {
    MPI_Comm half, whole;
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &half);
    check_and_free(&half, "MPI_Comm_split");
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &whole);
    check_and_free(&whole, "MPI_Comm_split_type");
}

static void comm_create(void) {
    MPI_Comm comm;
    MPI_Group group;
    MPI_Comm_group(MPI_COMM_WORLD, &group);
    MPI_Comm_create(MPI_COMM_WORLD, group, &comm);
    check_and_free(&comm, "MPI_Comm_create");
    MPI_Comm_create_group(MPI_COMM_WORLD, group, tag, &comm);
    check_and_free(&comm, "MPI_Comm_create_group");
    MPI_Group_free(&group);
}

static void intercomm(void) {
    MPI_Comm half, both, merged;
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - rank % 2, tag, &both);
    MPI_Barrier(both);
    MPI_Intercomm_merge(both, rank % 2, &merged);
    check_and_free(&merged, "MPI_Intercomm_merge");
    MPI_Comm_free(&both);
    MPI_Comm_free(&half);
}

static const struct call calls[] = {
    {"comm_dup", comm_dup},
    {"comm_split", comm_split},
    {"comm_create", comm_create},
    {"intercomm", intercomm},
    {NULL, NULL},
};

const struct kind communicators = {calls, NULL, NULL};
