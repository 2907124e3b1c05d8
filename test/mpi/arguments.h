/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Whole-number arguments of the test programs, and the line they end with.
 */
#ifndef VMALL_TEST_ARGUMENTS_H
#define VMALL_TEST_ARGUMENTS_H

#include <errno.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

struct argument {
    const char *name;
    long lowest, highest;
    long value; /* set by parse_arguments */
};

/* Exactly `count` numbers within their bounds; otherwise rank 0 says what is wrong and all ranks
 * end with status 2. After MPI_Init. */
static inline void parse_arguments(int argc, char **argv, struct argument *arguments, int count) {
    int rank, i, bad = argc != count + 1;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (i = 0; !bad && i < count; i++) {
        struct argument *a = &arguments[i];
        char *end;
        errno = 0;
        a->value = strtol(argv[i + 1], &end, 10);
        bad = errno || end == argv[i + 1] || *end || a->value < a->lowest || a->value > a->highest;
    }
    if (!bad)
        return;
    if (rank == 0) {
        fprintf(stderr, "usage: %s", argv[0]);
        for (i = 0; i < count; i++)
            fprintf(stderr, " %s(%ld-%ld)", arguments[i].name, arguments[i].lowest,
                    arguments[i].highest);
        fputc('\n', stderr);
    }
    MPI_Finalize();
    exit(2);
}

/* First item and number of items of part `part`, when `total` are dealt out in `parts` blocks. */
static inline void block_of(long total, int parts, int part, long *first, long *count) {
    *first = total * part / parts;
    *count = total * (part + 1) / parts - *first;
}

/* The checksum is the same for the same arguments and number of processes, on however many cores.
 */
static inline void report(const char *program, double checksum, double seconds) {
    int rank, ranks;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (rank == 0)
        printf("%s ranks=%d checksum=%.17g seconds=%.6f\n", program, ranks, checksum, seconds);
}

#endif
