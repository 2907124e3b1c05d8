# SPDX-License-Identifier: GPL-2.0-or-later
"""What the machine says of the jobs' processes, whoever started them: found in /proc by their environment, and as children
of such; with the CPUs on which the kernel lets them run."""

import json
import os
import struct
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from vmcluster import control_block
from vmcluster.slurm import id_set

# What a process may not have yet: its program, and with it its own environment.
_YOUNG = 2  # seconds


@dataclass(frozen=True)
class Process:
    pid: int
    job: int
    node: str
    name: str  # of the job
    run: int  # how often the job had been requeued
    command: str
    cpus: frozenset = frozenset()  # of all threads together


def _stat(pid):
    """(command, state, parent, start time)."""
    text = Path(f"/proc/{pid}/stat").read_text(errors="replace")
    command, _, rest = text.partition("(")[2].rpartition(")")
    words = rest.split()
    return command, words[0], int(words[1]), int(words[19])


def _environment(pid):
    entries = Path(f"/proc/{pid}/environ").read_bytes().split(b"\0")
    return dict(entry.decode(errors="replace").partition("=")[::2] for entry in entries)


def _cpus(pid):
    cpus = set()
    for thread in os.listdir(f"/proc/{pid}/task"):
        with suppress(OSError):
            cpus |= os.sched_getaffinity(int(thread))
    return frozenset(cpus)


class Machine:
    """Of one cluster, told from others by its slurm.conf."""

    def __init__(self, conf):
        self._conf = str(conf)
        self._known = {}  # (pid, start time, command) → (when it was first seen, whose it is)

    def processes(self):
        """All that live on the nodes now, but for Slurm's own step managers."""
        found, known = {}, {}
        for entry in sorted(filter(str.isdigit, os.listdir("/proc")), key=int):
            with suppress(OSError):
                pid = int(entry)
                command, state, parent, start = _stat(pid)
                if state == "Z" or command == "slurmstepd":
                    continue
                key = pid, start, command
                known[key] = since, owner = self._owner(key, found.get(parent))
                if owner:
                    found[pid] = Process(pid, *owner, command, _cpus(pid))
        self._known = known
        return list(found.values())

    def _owner(self, key, parent):
        since, owner = self._known.get(key, (time.monotonic(), None))
        if owner or key in self._known and time.monotonic() > since + _YOUNG:
            return since, owner
        environment = _environment(key[0])
        if environment.get("SLURM_CONF") == self._conf and "SLURMD_NODENAME" in environment and "SLURM_JOB_ID" in environment:
            return since, (int(environment["SLURM_JOB_ID"]), environment["SLURMD_NODENAME"], environment.get("SLURM_JOB_NAME", ""),
                           int(environment.get("SLURM_RESTART_COUNT", 0)))
        return since, parent and (parent.job, parent.node, parent.name, parent.run)


def agent_states(root):
    """(node, job) → the cores where the node's agent keeps the job."""
    states = {}
    for file in (root / "run").glob("*/*/state"):
        with suppress(OSError, ValueError, KeyError):
            cores = json.loads(file.read_text())["job"]["cores"]
            states[file.parent.parent.name, int(file.parent.name)] = frozenset(id_set(cores))
    return states


def told(root):
    """(node, job) → the CPUs that the control block tells the ranks of the job."""
    blocks = {}
    for file in (root / "run").glob("*/*/control"):
        with suppress(OSError, ValueError, struct.error):
            blocks[file.parent.parent.name, int(file.parent.name)] = frozenset(control_block.read(file).cpus)
    return blocks


def load(pid):
    """(descriptors, threads) of a process."""
    return len(os.listdir(f"/proc/{pid}/fd")), len(os.listdir(f"/proc/{pid}/task"))
