# SPDX-License-Identifier: GPL-2.0-or-later
"""Says how many events Open MPI's progress engine tells of while nothing happens: before version 5, it tells of none."""

import ctypes
import os

mpi = ctypes.CDLL("libmpi.so.40", mode=os.RTLD_GLOBAL)
mpi.MPI_Init(None, None)
version, length = ctypes.create_string_buffer(8192), ctypes.c_int()
mpi.MPI_Get_library_version(version, ctypes.byref(length))
tells = not version.value.startswith(b"Open MPI v4")
progress = ctypes.CDLL(None).opal_progress
for _ in range(1000):  # what starting up left to do
    progress()
print("events:", sum(abs(progress()) for _ in range(1000)) if tells else 0, flush=True)
mpi.MPI_Finalize()
