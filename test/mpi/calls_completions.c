/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Completion of requests: two messages of rank 0 for each.
 */
#include "calls.h"

enum way { wait_each, wait_all, wait_any, wait_some, test_each, test_all, test_any, test_some };

static void complete(MPI_Request *requests, enum way way) {
    int flag = 0, index, count, indices[2], done = 0;
    switch (way) {
    case wait_each:
        MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
        MPI_Wait(&requests[1], MPI_STATUS_IGNORE);
        break;
    case wait_all:
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
        break;
    case wait_any:
        for (; done < 2; done++)
            MPI_Waitany(2, requests, &index, MPI_STATUS_IGNORE);
        break;
    case wait_some:
        for (; done < 2; done += count)
            MPI_Waitsome(2, requests, &count, indices, MPI_STATUSES_IGNORE);
        break;
    case test_each:
        for (; done < 2; done += flag)
            MPI_Test(&requests[done], &flag, MPI_STATUS_IGNORE);
        break;
    case test_all:
        while (!flag)
            MPI_Testall(2, requests, &flag, MPI_STATUSES_IGNORE);
        break;
    case test_any:
        for (; done < 2; done += flag)
            MPI_Testany(2, requests, &index, &flag, MPI_STATUS_IGNORE);
        break;
    case test_some:
        for (; done < 2; done += count)
            MPI_Testsome(2, requests, &count, indices, MPI_STATUSES_IGNORE);
        break;
    }
}

static void requests(enum way way) {
    int values[2] = {42, 43};
    MPI_Request pending[2];
    if (is_late()) {
        send_to_all(&values[0]);
        send_to_all(&values[1]);
        return;
    }
    values[0] = values[1] = 0;
    for (int i = 0; i < 2; i++)
        MPI_Irecv(&values[i], 1, MPI_INT, 0, tag, MPI_COMM_WORLD, &pending[i]);
    complete(pending, way);
    expect(values[0] == 42 && values[1] == 43, "a completion");
}

static void wait_(void) {
    requests(wait_each);
}
static void waitall(void) {
    requests(wait_all);
}
static void waitany(void) {
    requests(wait_any);
}
static void waitsome(void) {
    requests(wait_some);
}
static void test(void) {
    requests(test_each);
}
static void testall(void) {
    requests(test_all);
}
static void testany(void) {
    requests(test_any);
}
static void testsome(void) {
    requests(test_some);
}

static void persistent(void) {
    MPI_Request request;
    int value = 0;
    if (is_late()) {
        for (int to = 1; to < ranks; to++) {
            MPI_Send_init(&to, 1, MPI_INT, to, tag, MPI_COMM_WORLD, &request);
            MPI_Start(&request);
            MPI_Wait(&request, MPI_STATUS_IGNORE);
            MPI_Request_free(&request);
        }
        return;
    }
    MPI_Recv_init(&value, 1, MPI_INT, 0, tag, MPI_COMM_WORLD, &request);
    MPI_Start(&request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Request_free(&request);
    expect(value == rank, "a persistent receive");
}

#if MPI_VERSION >= 4
static void partitioned(void) {
    MPI_Request request;
    int values[2] = {42, 43};
    if (is_late()) {
        for (int to = 1; to < ranks; to++) {
            MPI_Psend_init(values, 2, 1, MPI_INT, to, tag, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
            MPI_Start(&request);
            MPI_Pready_range(0, 1, request);
            MPI_Wait(&request, MPI_STATUS_IGNORE);
            MPI_Request_free(&request);
        }
        return;
    }
    values[0] = values[1] = 0;
    MPI_Precv_init(values, 2, 1, MPI_INT, 0, tag, MPI_COMM_WORLD, MPI_INFO_NULL, &request);
    MPI_Start(&request);
    for (int there = 0; !there;)
        MPI_Parrived(request, 1, &there);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Request_free(&request);
    expect(values[0] == 42 && values[1] == 43, "a partitioned receive");
}
#endif

static const struct call calls[] = {
    {"wait", wait_},
    {"waitall", waitall},
    {"waitany", waitany},
    {"waitsome", waitsome},
    {"test", test},
    {"testall", testall},
    {"testany", testany},
    {"testsome", testsome},
    {"persistent", persistent},
#if MPI_VERSION >= 4
    {"partitioned", partitioned},
#endif
    {NULL, NULL},
};

const struct kind completions = {calls, NULL, NULL};
