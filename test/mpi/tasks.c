/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Master and workers: rank 0 deals out uneven tasks to whoever asks first, and works on tasks
 * itself between the questions unless told not to. A worker asks for its next task before it does
 * the one it has. The checksum is the same for every number of ranks.
 */
#include "arguments.h"
#include "work.h"

enum { tag_question, tag_task };

/* One to sixteen shares, without a pattern. */
static double do_task(long task, long grain) {
    const uint64_t mixed = work((uint64_t)task, 1);
    return digest(work(mixed, grain * (1 + (long)(mixed >> 60))));
}

static void answer(long task) {
    MPI_Status status;
    MPI_Recv(NULL, 0, MPI_BYTE, MPI_ANY_SOURCE, tag_question, MPI_COMM_WORLD, &status);
    MPI_Send(&task, 1, MPI_LONG, status.MPI_SOURCE, tag_task, MPI_COMM_WORLD);
}

static int is_asked(void) {
    int asked;
    MPI_Iprobe(MPI_ANY_SOURCE, tag_question, MPI_COMM_WORLD, &asked, MPI_STATUS_IGNORE);
    return asked;
}

/* A worker is done once it is given a task that does not exist. */
static double deal_out(long tasks, long grain, int workers, int works) {
    double sum = 0;
    long next = workers; /* everybody begins with one of the first tasks */
    int busy = workers < tasks ? workers : (int)tasks;
    while (busy > 0 || (works && next < tasks)) {
        if (works && next < tasks && !is_asked()) {
            sum += do_task(next++, grain);
        } else {
            busy -= next >= tasks;
            answer(next++);
        }
    }
    return sum;
}

static double work_off(long first, long tasks, long grain) {
    double sum = 0;
    for (long task = first, next; task < tasks; task = next) {
        MPI_Request request;
        MPI_Irecv(&next, 1, MPI_LONG, 0, tag_task, MPI_COMM_WORLD, &request);
        MPI_Send(NULL, 0, MPI_BYTE, 0, tag_question, MPI_COMM_WORLD);
        sum += do_task(task, grain);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    return sum;
}

int main(int argc, char **argv) {
    struct argument arguments[] = {
        {"tasks", 1, 100000000, 0}, {"grain", 0, 1000000, 0}, {"master-works", 0, 1, 0}};
    int rank, ranks;
    MPI_Init(&argc, &argv);
    parse_arguments(argc, argv, arguments, 3);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const long tasks = arguments[0].value, grain = arguments[1].value;
    const int works = ranks == 1 || arguments[2].value;
    double sum;
    MPI_Barrier(MPI_COMM_WORLD);
    const double start = MPI_Wtime();
    double mine =
        rank == 0 ? deal_out(tasks, grain, ranks - 1, works) : work_off(rank - 1, tasks, grain);
    MPI_Allreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    report("tasks", sum, MPI_Wtime() - start);
    MPI_Finalize();
    return 0;
}
