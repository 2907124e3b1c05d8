/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What ranks do outside of MPI, for `seconds`: rank r computes, sleeps, or lets two more threads
 * compute, as r is 0, 1, or 2 modulo 3. All of them start a child that sleeps.
 */
#define _GNU_SOURCE
#include "arguments.h"
#include "work.h"

#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

static double end;

static void *compute(void *seed) {
    uint64_t *value = seed;
    while (MPI_Wtime() < end)
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

static void sleep_until_end(void) {
    for (double left; (left = end - MPI_Wtime()) > 0;)
        usleep(left > 0.9 ? 900000 : (useconds_t)(left * 1e6) + 1);
}

int main(int argc, char **argv) {
    struct argument arguments[] = {{"seconds", 1, 1000, 0}};
    int rank;
    uint64_t seed = 1;
    MPI_Init(&argc, &argv);
    parse_arguments(argc, argv, arguments, 1);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Barrier(MPI_COMM_WORLD);
    const double start = MPI_Wtime();
    end = start + (double)arguments[0].value;
    const pid_t child = fork();
    if (child == 0) {
        execlp("sleep", "sleep", "1000", (char *)NULL);
        _exit(127);
    }
    if (rank % 3 == 0)
        compute(&seed);
    else if (rank % 3 == 1)
        sleep_until_end();
    else
        compute_on_threads();
    if (child < 0 || kill(child, SIGKILL) != 0 || waitpid(child, NULL, 0) != child)
        MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Barrier(MPI_COMM_WORLD);
    report("outside", 0, MPI_Wtime() - start);
    MPI_Finalize();
    return 0;
}
