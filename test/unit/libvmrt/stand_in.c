/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A program of the MPI library in stand_in_mpi.c, whose handles are pointers.
 */
#include <stdio.h>

int MPI_Send(const void *data, int count, void *type, int to, int tag, void *comm);
int MPI_Finalize(void);
/* Of MPI 4, which this library is not. */
int MPI_Send_c(void) __attribute__((weak));

int main(void) {
    static int data, type, comm;
    puts(MPI_Send_c != NULL ? "MPI_Send_c" : "no MPI_Send_c");
    return MPI_Send(&data, 1, &type, -2, 3, &comm) || MPI_Finalize();
}
