/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * What a call of MPI costs: pairs of ranks probe for a message that is not there, then send one
 * back and forth. Prints nanoseconds of a probe and of a message, of rank 0.
 */
#include "arguments.h"

int main(int argc, char **argv) {
    struct argument arguments[] = {{"probes", 1, 100000000, 0}, {"messages", 1, 100000000, 0}};
    int rank, ranks, there;
    MPI_Init(&argc, &argv);
    parse_arguments(argc, argv, arguments, 2);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const int partner = (rank ^ 1) < ranks ? rank ^ 1 : MPI_PROC_NULL;
    const long probes = arguments[0].value, messages = arguments[1].value;

    MPI_Barrier(MPI_COMM_WORLD);
    const double start = MPI_Wtime();
    for (long i = 0; i < probes; i++)
        MPI_Iprobe(partner, 1, MPI_COMM_WORLD, &there, MPI_STATUS_IGNORE);
    const double probed = MPI_Wtime();

    MPI_Barrier(MPI_COMM_WORLD);
    const double first = MPI_Wtime();
    long value = 0;
    for (long i = 0; i < messages; i++)
        if (i % 2 == rank % 2) {
            value++;
            MPI_Send(&value, 1, MPI_LONG, partner, 0, MPI_COMM_WORLD);
        } else {
            MPI_Recv(&value, 1, MPI_LONG, partner, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        }
    const double last = MPI_Wtime();
    if (rank == 0)
        printf("pingpong ranks=%d checksum=%ld probe_ns=%.2f message_ns=%.2f\n", ranks, value,
               (probed - start) / (double)probes * 1e9, (last - first) / (double)messages * 1e9);
    MPI_Finalize();
    return 0;
}
