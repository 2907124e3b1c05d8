/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What ranks do outside of MPI: rank r computes, sleeps, or lets two more threads compute, as r is
 * 0, 1, or 2 modulo 3, until its child ends, which only somebody else can make it.
 */
#define _GNU_SOURCE
#include "arguments.h"
#include "work.h"

#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

static pid_t child;

static int child_has_ended(int or_wait) {
    siginfo_t info;
    info.si_pid = 0;
    waitid(P_PID, (id_t)child, &info, WEXITED | WNOWAIT | (or_wait ? 0 : WNOHANG));
    return info.si_pid != 0;
}

static void *compute(void *seed) {
    uint64_t *value = seed;
    while (!child_has_ended(0))
        *value = work(*value, 1000);
    return NULL;
}

static void compute_on_threads(void) {
    pthread_t threads[2];
    uint64_t seeds[2] = {1, 2};
    for (int i = 0; i < 2; i++)
        if (pthread_create(&threads[i], NULL, compute, &seeds[i]) != 0)
            MPI_Abort(MPI_COMM_WORLD, 1);
    for (int i = 0; i < 2; i++)
        pthread_join(threads[i], NULL);
}

int main(int argc, char **argv) {
    int rank;
    uint64_t seed = 1;
    MPI_Init(&argc, &argv);
    parse_arguments(argc, argv, NULL, 0);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Barrier(MPI_COMM_WORLD);
    const double start = MPI_Wtime();
    child = fork();
    if (child == 0) {
        execlp("sleep", "sleep", "infinity", (char *)NULL);
        _exit(127);
    }
    if (rank % 3 == 0)
        compute(&seed);
    else if (rank % 3 == 1)
        child_has_ended(1);
    else
        compute_on_threads();
    if (child < 0 || waitpid(child, NULL, 0) != child)
        MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Barrier(MPI_COMM_WORLD);
    report("outside", 0, MPI_Wtime() - start);
    MPI_Finalize();
    return 0;
}
