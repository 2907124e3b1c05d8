/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A ring in whose middle rank 0 does something that a parallel program had better not do. SIGUSR2
 * to rank 0 ends it after fewer steps, and to whoever lingers after the end.
 */
#include "arguments.h"
#include "ring.h"

#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* A read that lasts a second. */
static void read_from_pipe(void) {
    int ends[2];
    char byte;
    if (pipe(ends) != 0)
        MPI_Abort(MPI_COMM_WORLD, 1);
    const pid_t child = fork();
    if (child == 0) {
        sleep(1);
        _exit(write(ends[1], "x", 1) == 1 ? 0 : 1);
    }
    if (child < 0 || read(ends[0], &byte, 1) != 1 || waitpid(child, NULL, 0) != child)
        MPI_Abort(MPI_COMM_WORLD, 1);
    close(ends[0]);
    close(ends[1]);
}

/* Has MPI's and our memory, but is no rank. */
static void wait_for_child(int executes) {
    int status = 1;
    const pid_t child = fork();
    if (child == 0) {
        if (executes)
            execl("/bin/sh", "sh", "-c", "exit 3", (char *)NULL);
        _exit(work(1, 1000) == 0 ? 1 : 3);
    }
    if (child < 0 || waitpid(child, &status, 0) != child || !WIFEXITED(status) ||
        WEXITSTATUS(status) != 3)
        MPI_Abort(MPI_COMM_WORLD, 1);
}

static void sleep_and_compute(void) {
    sleep(1);
    if (work(1, 3000000) == 0)
        abort();
}

/* MPICH before its d456d2a2fe returns from MPI_Abort and goes on until Hydra kills it. */
static void abort_for_good(void) {
    MPI_Abort(MPI_COMM_WORLD, 3);
    for (;;)
        pause();
}

static void misbehave(const char *fault) {
    if (strcmp(fault, "fork") == 0)
        wait_for_child(0);
    else if (strcmp(fault, "fork-exec") == 0)
        wait_for_child(1);
    else if (strcmp(fault, "system") == 0 && system("sleep 0.2; exit 0") != 0)
        MPI_Abort(MPI_COMM_WORLD, 1);
    else if (strcmp(fault, "sleep") == 0)
        sleep(1);
    else if (strcmp(fault, "stop") == 0)
        raise(SIGSTOP);
    else if (strcmp(fault, "pipe") == 0)
        read_from_pipe();
    else if (strcmp(fault, "exec") == 0)
        execl("/bin/sh", "sh", "-c", "sleep 1; exit 3", (char *)NULL);
    else if (strcmp(fault, "sleep-compute") == 0)
        sleep_and_compute();
    else if (strcmp(fault, "exit") == 0)
        exit(3);
    else if (strcmp(fault, "abort") == 0)
        abort();
    else if (strcmp(fault, "MPI_Abort") == 0)
        abort_for_good();
}

int main(int argc, char **argv) {
    struct argument arguments[] = {{"steps", 1, 100000000, 0}, {"grain", 0, 1000000, 0}};
    const char *fault = argc > 3 ? argv[--argc] : "none";
    int rank;
    listen_for_end();
    MPI_Init(&argc, &argv);
    parse_arguments(argc, argv, arguments, 2);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    uint64_t value = (uint64_t)rank + 1;
    const double start = MPI_Wtime();
    long steps = arguments[0].value;
    for (long step = 0; step < steps; step++) {
        value = work(value, arguments[1].value);
        if (rank == 0 && step == arguments[0].value / 2)
            misbehave(fault);
        steps = pass_on(&value, step, steps);
    }
    double mine = digest(value), sum;
    MPI_Allreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    report("ring", sum, MPI_Wtime() - start);
    MPI_Finalize();
    if (strcmp(fault, "linger") == 0)
        while (!told_to_end)
            usleep(10000);
    return 0;
}
