# SPDX-License-Identifier: GPL-2.0-or-later
"""loaded.py LIBRARY MODE STEPS: the ring with MPI loaded at run time, as Python's MPI modules do, with dlopen's flag MODE."""

import ctypes
import os
import sys

MASK = 2**64 - 1


def handles(library):
    """(MPI_COMM_WORLD, MPI_UINT64_T, MPI_STATUS_IGNORE) as mpi.h has them: in Open MPI addresses, in MPICH numbers."""
    if not hasattr(library, "ompi_mpi_comm_world"):
        return 0x44000000, 0x4C00083D, ctypes.c_void_p(1)
    return *(ctypes.byref(ctypes.c_char.in_dll(library, name)) for name in ("ompi_mpi_comm_world", "ompi_mpi_uint64_t")), None


def ring(count, steps):
    """The values at the end, computed without MPI."""
    values = list(range(1, count + 1))
    for _ in range(steps):
        values = [(value * 30 + values[i - 1]) & MASK for i, value in enumerate(values)]
    return values


mpi = ctypes.CDLL(sys.argv[1], mode=getattr(os, sys.argv[2]))
world, uint64, status_ignore = handles(mpi)
mpi.MPI_Init(None, None)
rank, ranks = ctypes.c_int(), ctypes.c_int()
mpi.MPI_Comm_rank(world, ctypes.byref(rank))
mpi.MPI_Comm_size(world, ctypes.byref(ranks))
value, received = ctypes.c_uint64(rank.value + 1), ctypes.c_uint64()
for _ in range(int(sys.argv[3])):
    mpi.MPI_Sendrecv(ctypes.byref(value), 1, uint64, (rank.value + 1) % ranks.value, 0,
                     ctypes.byref(received), 1, uint64, (rank.value - 1) % ranks.value, 0, world, status_ignore)
    value.value = value.value * 30 + received.value
mpi.MPI_Barrier(world)
right = value.value == ring(ranks.value, int(sys.argv[3]))[rank.value]
if rank.value == 0 or not right:
    print("ring is right" if right else "ring is wrong", flush=True)
mpi.MPI_Finalize()
