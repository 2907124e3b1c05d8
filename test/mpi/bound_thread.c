/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Starts a thread that is bound from its start to the CPU that is the argument, and says on which
 * it may run.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>

static void *tell(void *unused) {
    cpu_set_t cpus;
    CPU_ZERO(&cpus);
    sched_getaffinity(0, sizeof(cpus), &cpus);
    for (int cpu = 0; cpu < CPU_SETSIZE; cpu++)
        if (CPU_ISSET(cpu, &cpus))
            printf("may run on %d\n", cpu);
    return unused;
}

int main(int argc, char **argv) {
    cpu_set_t cpus;
    CPU_ZERO(&cpus);
    CPU_SET(argc > 1 ? atoi(argv[1]) : 0, &cpus);
    pthread_attr_t attributes;
    pthread_t thread;
    pthread_attr_init(&attributes);
    pthread_attr_setaffinity_np(&attributes, sizeof(cpus), &cpus);
    if (pthread_create(&thread, &attributes, tell, NULL) != 0)
        return 1;
    pthread_join(thread, NULL);
    return 0;
}
