/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A profiler as there are many, linked into the program or preloaded: it stands in front of some
 * calls of MPI and the C library, counts them, and says in MPI_Finalize how many there were.
 */
#include <mpi.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

static unsigned long calls, yields;

int MPI_Sendrecv(const void *out, int out_count, MPI_Datatype out_type, int to, int out_tag,
                 void *in, int in_count, MPI_Datatype in_type, int from, int in_tag, MPI_Comm comm,
                 MPI_Status *status) {
    calls++;
    return PMPI_Sendrecv(out, out_count, out_type, to, out_tag, in, in_count, in_type, from, in_tag,
                         comm, status);
}

int sched_yield(void) {
    __atomic_fetch_add(&yields, 1, __ATOMIC_RELAXED);
    return (int)syscall(SYS_sched_yield);
}

/* Yields count from here on: UCX 1.18 makes thousands while it is loaded. */
int MPI_Init(int *argc, char ***argv) {
    const int result = PMPI_Init(argc, argv);
    __atomic_store_n(&yields, 0, __ATOMIC_RELAXED);
    return result;
}

int MPI_Finalize(void) {
    printf("profiled=%lu\nyielded=%lu\n", calls, yields);
    fflush(stdout);
    return PMPI_Finalize();
}
