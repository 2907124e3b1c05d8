/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A ring whose ranks wait as careful programs do: they test their requests and yield in between. A
 * second thread takes turns with them by a lock of their own that yields, too.
 */
#include "arguments.h"
#include "work.h"

#include <pthread.h>
#include <sched.h>

static int turn; /* of the thread in MPI 0, of the other 1, that of the last step 2 */
static uint64_t value;
static long grain;

static void await(int whose) {
    while (__atomic_load_n(&turn, __ATOMIC_ACQUIRE) == 1 - whose)
        sched_yield();
}

static void give(int whom) {
    __atomic_store_n(&turn, whom, __ATOMIC_RELEASE);
}

static void *compute(void *unused) {
    for (;;) {
        await(1);
        if (__atomic_load_n(&turn, __ATOMIC_ACQUIRE) == 2)
            return unused;
        value = work(value, grain);
        give(0);
    }
}

static uint64_t exchange(int to, int from) {
    uint64_t received;
    MPI_Request requests[2];
    MPI_Irecv(&received, 1, MPI_UINT64_T, from, 0, MPI_COMM_WORLD, &requests[0]);
    MPI_Isend(&value, 1, MPI_UINT64_T, to, 0, MPI_COMM_WORLD, &requests[1]);
    for (int i = 0; i < 2; i++)
        for (int done = 0; !done; sched_yield())
            MPI_Test(&requests[i], &done, MPI_STATUS_IGNORE);
    return received;
}

int main(int argc, char **argv) {
    struct argument arguments[] = {{"steps", 1, 100000000, 0}, {"grain", 0, 1000000, 0}};
    int rank, ranks, provided;
    pthread_t other;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    parse_arguments(argc, argv, arguments, 2);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    value = (uint64_t)rank + 1;
    grain = arguments[1].value;
    if (provided < MPI_THREAD_FUNNELED || pthread_create(&other, NULL, compute, NULL) != 0)
        MPI_Abort(MPI_COMM_WORLD, 1);
    const double start = MPI_Wtime();
    for (long step = 0; step < arguments[0].value; step++) {
        give(1);
        await(0);
        value = mix(value, exchange((rank + 1) % ranks, (rank + ranks - 1) % ranks));
    }
    give(2);
    pthread_join(other, NULL);
    double mine = digest(value), sum;
    MPI_Allreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    report("ring", sum, MPI_Wtime() - start);
    MPI_Finalize();
    return 0;
}
