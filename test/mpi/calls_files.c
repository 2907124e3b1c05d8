/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Files: all ranks write one together and read their neighbour's part.
 */
#include "calls.h"

#include <unistd.h>

static void file(void) {
    char name[] = "/tmp/vmall-calls-XXXXXX";
    MPI_File handle;
    MPI_Status status;
    int got = -1;
    if (is_late()) {
        const int fd = mkstemp(name);
        expect(fd >= 0, "mkstemp");
        close(fd);
    }
    MPI_Bcast(name, sizeof name, MPI_CHAR, 0, MPI_COMM_WORLD);
    MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL,
                  &handle);
    MPI_File_write_at_all(handle, (MPI_Offset)sizeof(int) * rank, &rank, 1, MPI_INT, &status);
    MPI_File_sync(handle);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_File_read_at_all(handle, (MPI_Offset)sizeof(int) * ((rank + 1) % ranks), &got, 1, MPI_INT,
                         &status);
    expect(got == (rank + 1) % ranks, "MPI_File_read_at_all");
    MPI_File_close(&handle);
}

static const struct call calls[] = {
    {"file", file},
    {NULL, NULL},
};

const struct kind files = {calls, NULL, NULL};
