/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The rounds of a ring, which end sooner when rank 0 is told to by SIGUSR2: what is tried with it
 * lasts as long as it takes.
 */
#ifndef VMALL_TEST_RING_H
#define VMALL_TEST_RING_H

#include "work.h"

#include <mpi.h>
#include <signal.h>

static volatile sig_atomic_t told_to_end;

static inline void note_signal(int number) {
    (void)number;
    told_to_end = 1;
}

/* Before MPI_Init: as soon as others can see a rank they may signal it. SIGUSR1 would be MPICH's,
 * which takes it for the news that a process has failed and asks Hydra about that in between. */
static inline void listen_for_end(void) {
    signal(SIGUSR2, note_signal);
}

/* Passes `*value` on to the next rank and mixes it with what comes from the one before. Returns the
 * number of steps that all ranks will make: rank 0 sets it so that it is known all around the ring
 * when it is reached. */
static inline long pass_on(uint64_t *value, long step, long steps) {
    uint64_t mine[2], received[2];
    int rank, ranks;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (rank == 0 && told_to_end && step + ranks < steps)
        steps = step + ranks;
    mine[0] = *value;
    mine[1] = (uint64_t)steps;
    MPI_Sendrecv(mine, 2, MPI_UINT64_T, (rank + 1) % ranks, 0, received, 2, MPI_UINT64_T,
                 (rank + ranks - 1) % ranks, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    *value = mix(*value, received[0]);
    return received[1] < (uint64_t)steps ? (long)received[1] : steps;
}

#endif
