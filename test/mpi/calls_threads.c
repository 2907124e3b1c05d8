/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * With MPI_THREAD_MULTIPLE: two threads wait, each in a communicator of its own.
 */
#include "calls.h"

#include <pthread.h>

static MPI_Comm of_thread[2];

static void make_communicators(void) {
    for (int i = 0; i < 2; i++)
        MPI_Comm_dup(MPI_COMM_WORLD, &of_thread[i]);
}

static void free_communicators(void) {
    for (int i = 0; i < 2; i++)
        MPI_Comm_free(&of_thread[i]);
}

static void *recv_in_thread(void *which) {
    const MPI_Comm comm = *(const MPI_Comm *)which;
    int value = 42;
    for (int to = 1; is_late() && to < ranks; to++)
        MPI_Send(&value, 1, MPI_INT, to, tag, comm);
    if (!is_late()) {
        value = 0;
        MPI_Recv(&value, 1, MPI_INT, 0, tag, comm, MPI_STATUS_IGNORE);
        expect(value == 42, "MPI_Recv in a thread");
    }
    return NULL;
}

static void two_threads(void) {
    pthread_t other;
    if (threads < 2)
        return;
    expect(pthread_create(&other, NULL, recv_in_thread, &of_thread[1]) == 0, "pthread_create");
    recv_in_thread(&of_thread[0]);
    pthread_join(other, NULL);
}

static const struct call calls[] = {
    {"threads", two_threads},
    {NULL, NULL},
};

const struct kind in_threads = {calls, make_communicators, free_communicators};
