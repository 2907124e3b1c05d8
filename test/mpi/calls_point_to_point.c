/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Point to point: rank 0 has something to do with every other rank.
 */
#include "calls.h"

static void receive_from_all(const char *call) {
    for (int from = 1; from < ranks; from++) {
        int value = -1;
        MPI_Recv(&value, 1, MPI_INT, from, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        expect(value == from, call);
    }
}

static void recv(void) {
    int value = 42;
    if (is_late()) {
        send_to_all(&value);
        return;
    }
    value = 0;
    MPI_Recv(&value, 1, MPI_INT, 0, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    expect(value == 42, "MPI_Recv");
}

static void recv_from_any(void) {
    int value = 42;
    MPI_Status status;
    if (is_late()) {
        send_to_all(&value);
        return;
    }
    value = 0;
    MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
    expect(value == 42 && status.MPI_SOURCE == 0 && status.MPI_TAG == tag, "MPI_Recv from any");
}

/* Too long for any buffer: a send waits for its receiver. */
enum { long_message = 1 << 20 };

static void send_long(void) {
    int *data = calloc(long_message, sizeof *data);
    if (is_late()) {
        for (int from = 1; from < ranks; from++) {
            MPI_Recv(data, long_message, MPI_INT, from, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            expect(data[0] == from && data[long_message - 1] == -from, "MPI_Send");
        }
    } else {
        data[0] = rank;
        data[long_message - 1] = -rank;
        MPI_Send(data, long_message, MPI_INT, 0, tag, MPI_COMM_WORLD);
    }
    free(data);
}

static void ssend(void) {
    if (is_late())
        receive_from_all("MPI_Ssend");
    else
        MPI_Ssend(&rank, 1, MPI_INT, 0, tag, MPI_COMM_WORLD);
}

static void bsend(void) {
    char buffer[2 * MPI_BSEND_OVERHEAD + 64];
    void *detached;
    int size;
    if (is_late()) {
        receive_from_all("MPI_Bsend");
        recv(); /* sends */
        return;
    }
    MPI_Buffer_attach(buffer, sizeof buffer);
    MPI_Bsend(&rank, 1, MPI_INT, 0, tag, MPI_COMM_WORLD);
    recv();
    MPI_Buffer_detach(&detached, &size);
    expect(detached == buffer, "MPI_Buffer_detach");
}

static void rsend(void) { /* a ready send may leave only when its receive is posted */
    int value = 0;
    MPI_Request request;
    if (is_late()) {
        for (int to = 1; to < ranks; to++) {
            MPI_Recv(&value, 1, MPI_INT, to, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            MPI_Rsend(&to, 1, MPI_INT, to, tag, MPI_COMM_WORLD);
        }
        return;
    }
    MPI_Irecv(&value, 1, MPI_INT, 0, tag, MPI_COMM_WORLD, &request);
    MPI_Send(&rank, 1, MPI_INT, 0, tag, MPI_COMM_WORLD);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    expect(value == rank, "MPI_Rsend");
}

static void sendrecv(void) {
    int got = -1;
    MPI_Sendrecv(&rank, 1, MPI_INT, (rank + 1) % ranks, tag, &got, 1, MPI_INT,
                 (rank + ranks - 1) % ranks, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    expect(got == (rank + ranks - 1) % ranks, "MPI_Sendrecv");
    MPI_Barrier(MPI_COMM_WORLD);
}

static void sendrecv_replace(void) {
    int value = rank;
    MPI_Sendrecv_replace(&value, 1, MPI_INT, (rank + 1) % ranks, tag, (rank + ranks - 1) % ranks,
                         tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    expect(value == (rank + ranks - 1) % ranks, "MPI_Sendrecv_replace");
    MPI_Barrier(MPI_COMM_WORLD);
}

/* Every second element of two rows that lie on both sides of an address. */
static void sendrecv_replace_strided(void) {
    const int from = (rank + ranks - 1) % ranks, blocks[2] = {1, 1};
    const MPI_Aint starts[2] = {-4 * (MPI_Aint)sizeof(int), 3 * sizeof(int)};
    int values[16];
    MPI_Datatype pair, type;
    for (int i = 0; i < 16; i++)
        values[i] = 100 * rank + i;
    MPI_Type_create_hindexed(2, blocks, starts, MPI_INT, &pair);
    MPI_Type_create_resized(pair, 0, 2 * sizeof(int), &type);
    MPI_Type_commit(&type);
    MPI_Sendrecv_replace(&values[8], 2, type, (rank + 1) % ranks, tag, from, tag, MPI_COMM_WORLD,
                         MPI_STATUS_IGNORE);
    for (int i = 0; i < 16; i++) {
        const int is_sent = i == 4 || i == 6 || i == 11 || i == 13;
        expect(values[i] == 100 * (is_sent ? from : rank) + i, "MPI_Sendrecv_replace of a type");
    }
    MPI_Type_free(&type);
    MPI_Type_free(&pair);
    MPI_Barrier(MPI_COMM_WORLD);
}

static void probe(void) {
    int value = 42, count;
    MPI_Status status;
    if (is_late()) {
        send_to_all(&value);
        return;
    }
    MPI_Probe(MPI_ANY_SOURCE, tag, MPI_COMM_WORLD, &status);
    MPI_Get_count(&status, MPI_INT, &count);
    MPI_Recv(&value, count, MPI_INT, status.MPI_SOURCE, tag, MPI_COMM_WORLD, &status);
    expect(value == 42 && count == 1, "MPI_Probe");
}

static void mprobe(void) {
    int value = 42;
    MPI_Message message;
    if (is_late()) {
        send_to_all(&value);
        return;
    }
    MPI_Mprobe(0, tag, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE);
    MPI_Mrecv(&value, 1, MPI_INT, &message, MPI_STATUS_IGNORE);
    expect(value == 42, "MPI_Mprobe");
}

static void iprobe(void) {
    int value = 42, there = 0;
    if (is_late()) {
        send_to_all(&value);
        return;
    }
    while (!there)
        MPI_Iprobe(0, tag, MPI_COMM_WORLD, &there, MPI_STATUS_IGNORE);
    recv();
}

static const struct call calls[] = {
    {"recv", recv},
    {"recv_from_any", recv_from_any},
    {"send_long", send_long},
    {"ssend", ssend},
    {"bsend", bsend},
    {"rsend", rsend},
    {"sendrecv", sendrecv},
    {"sendrecv_replace", sendrecv_replace},
    {"sendrecv_replace_strided", sendrecv_replace_strided},
    {"probe", probe},
    {"mprobe", mprobe},
    {"iprobe", iprobe},
    {NULL, NULL},
};

const struct kind point_to_point = {calls, NULL, NULL};
