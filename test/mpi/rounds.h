/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * How long a test program computes: a number of rounds, or until somebody makes a file.
 */
#ifndef VMALL_TEST_ROUNDS_H
#define VMALL_TEST_ROUNDS_H

#include <errno.h>
#include <limits.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct rounds {
    long done;        /* or begun */
    long wanted;      /* if there is no file */
    const char *file; /* that ends them, or null */
    FILE *told;       /* of rank 0, if there is a file: FILE.rounds, how many are done */
};

static inline void refuse_rounds(const char *why) {
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        fprintf(stderr, "rounds: %s: %s\n", why,
                errno ? strerror(errno) : "1-100000000 or until:FILE");
    MPI_Abort(MPI_COMM_WORLD, 2);
}

static inline void read_rounds(struct rounds *rounds, const char *text) {
    int rank;
    char *end, path[PATH_MAX];
    errno = 0;
    if (strncmp(text, "until:", 6)) {
        rounds->wanted = strtol(text, &end, 10);
        if (errno || end == text || *end || rounds->wanted < 1 || rounds->wanted > 100000000)
            refuse_rounds(text);
        return;
    }
    rounds->file = text + 6;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (snprintf(path, sizeof path, "%s.rounds", rounds->file) >= (int)sizeof path)
        refuse_rounds("the name is too long");
    if (rank == 0 && !(rounds->told = fopen(path, "w")))
        refuse_rounds(path);
}

/* Takes the argument that may follow the `count` others off: a number of rounds, or until:FILE.
 * Without it there is one round. After MPI_Init. */
static inline struct rounds take_rounds(int *argc, char **argv, int count) {
    struct rounds rounds = {0, 1, NULL, NULL};
    if (*argc == count + 2)
        read_rounds(&rounds, argv[--*argc]);
    return rounds;
}

static inline void tell_rounds(const struct rounds *rounds) {
    rewind(rounds->told);
    if (fprintf(rounds->told, "%012ld\n", rounds->done) < 0 || fflush(rounds->told))
        refuse_rounds("cannot say how many are done");
}

/* Whether there is another round, the same on all ranks. Says how many are done. */
static inline int another_round(struct rounds *rounds) {
    int go_on = 1;
    if (!rounds->file) {
        go_on = rounds->done < rounds->wanted;
    } else {
        if (rounds->told) {
            tell_rounds(rounds);
            go_on = access(rounds->file, F_OK) != 0;
        }
        MPI_Bcast(&go_on, 1, MPI_INT, 0, MPI_COMM_WORLD);
    }
    rounds->done += go_on;
    return go_on;
}

#endif
