# SPDX-License-Identifier: GPL-2.0-or-later
"""Reads a job control block (src/layout/control_block.h) as a process of the job would."""

import struct
from dataclasses import dataclass

_HEADER = struct.Struct("=IIIIQIIIIIIIIII")
_MAGIC = 0x564D4342
_VERSION = 3


@dataclass(frozen=True)
class ControlBlock:
    job_id: int
    generation: int
    mpl: int
    core_count: int
    coscheduling: str
    next_rank: str
    run_queues: str
    cpus_per_rank: int
    node_count: int
    runtime_key: int  # of the System V shared memory that is the job's runtime page
    cpus: tuple  # of the operating system


def read(path):
    """The block in the file, once the agent is not writing it."""
    for _ in range(1000):
        data = path.read_bytes()
        (magic, version, sequence, job, generation, _flags, mpl, cores, count, coscheduling, next_rank,
         queues, cpus_per_rank, nodes, runtime_key) = _HEADER.unpack_from(data)
        if magic != _MAGIC or version != _VERSION:
            raise ValueError(f"{path}: no control block of version {_VERSION}")
        again = struct.unpack_from("=I", path.read_bytes(), 8)[0]
        if sequence % 2 == 0 and sequence == again:
            return ControlBlock(job, generation, mpl, cores,
                                ("self", "none")[coscheduling], ("round-robin", "messages", "sender")[next_rank],
                                ("local", "kernel", "detect")[queues], cpus_per_rank, nodes, runtime_key,
                                struct.unpack_from(f"={count}H", data, _HEADER.size))
    raise ValueError(f"{path}: stays half-written")
