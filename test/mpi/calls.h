/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What the files of `calls` share. Each exports one kind of calls; in each call, all ranks but
 * rank 0 wait for rank 0.
 */
#ifndef VMALL_TEST_CALLS_H
#define VMALL_TEST_CALLS_H

#include "arguments.h"

/* GCC takes MPICH's MPI_STATUSES_IGNORE and MPI_UNWEIGHTED for arrays that are too small. */
#pragma GCC diagnostic ignored "-Wstringop-overflow"
#pragma GCC diagnostic ignored "-Wstringop-overread"

enum { tag = 7, most_ranks = 64 };

extern int rank, ranks; /* of this process in MPI_COMM_WORLD, and how many there are: at least 2 */
extern int threads;     /* of a rank that are in MPI at once: 1 or 2 */

struct call {
    const char *name;
    void (*run)(void); /* on all ranks; checks what it got */
};

struct kind {
    const struct call *calls;              /* the last has no name */
    void (*prepare)(void), (*clean)(void); /* before and after each of them, or null */
};

extern const struct kind in_threads, point_to_point, completions, collectives, topologies,
    communicators, one_sided, files;

/* Ends the program if the result of `call` is not right. */
void expect(int right, const char *call);

static inline int is_late(void) {
    return rank == 0;
}

static inline void send_to_all(const int *value) {
    for (int to = 1; to < ranks; to++)
        MPI_Send(value, 1, MPI_INT, to, tag, MPI_COMM_WORLD);
}

#endif
