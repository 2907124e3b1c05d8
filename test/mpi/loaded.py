# SPDX-License-Identifier: GPL-2.0-or-later
"""loaded.py MODE STEPS: the ring with MPICH loaded at run time, as Python's MPI modules do, with dlopen's flag MODE."""

import ctypes
import os
import sys

MASK = 2**64 - 1
WORLD, UINT64, STATUS_IGNORE = 0x44000000, 0x4C00083D, ctypes.c_void_p(1)  # as MPICH's mpi.h has them


def ring(ranks, steps):
    """The values at the end, computed without MPI."""
    values = list(range(1, ranks + 1))
    for _ in range(steps):
        values = [(value * 30 + values[i - 1]) & MASK for i, value in enumerate(values)]
    return values


mpi = ctypes.CDLL("libmpich.so.12", mode=getattr(os, sys.argv[1]))
mpi.MPI_Init(None, None)
rank, ranks = ctypes.c_int(), ctypes.c_int()
mpi.MPI_Comm_rank(WORLD, ctypes.byref(rank))
mpi.MPI_Comm_size(WORLD, ctypes.byref(ranks))
value, received = ctypes.c_uint64(rank.value + 1), ctypes.c_uint64()
for _ in range(int(sys.argv[2])):
    mpi.MPI_Sendrecv(ctypes.byref(value), 1, UINT64, (rank.value + 1) % ranks.value, 0,
                     ctypes.byref(received), 1, UINT64, (rank.value - 1) % ranks.value, 0, WORLD, STATUS_IGNORE)
    value.value = value.value * 30 + received.value
mpi.MPI_Barrier(WORLD)
right = value.value == ring(ranks.value, int(sys.argv[2]))[rank.value]
if rank.value == 0 or not right:
    print("ring is right" if right else "ring is wrong", flush=True)
mpi.MPI_Finalize()
