# SPDX-License-Identifier: GPL-2.0-or-later
"""Processes of a cluster and of its jobs, found in /proc by the environment they were started with."""

import time
from pathlib import Path

from .slurm import id_set


def _environment(pid):
    try:
        text = Path(f"/proc/{pid}/environ").read_bytes()
    except OSError:
        return {}
    pairs = (entry.partition(b"=") for entry in text.split(b"\0"))
    return {name.decode(errors="replace"): value.decode(errors="replace") for name, _, value in pairs}


def with_environment(**wanted):
    """Ids of processes whose initial environment has all of `wanted`."""
    pids = (int(entry.name) for entry in Path("/proc").iterdir() if entry.name.isdigit())
    return [pid for pid in pids
            if (environment := _environment(pid))
            and all(environment.get(name) == value for name, value in wanted.items())]


def tasks_of_job(slurm_conf, job_id):
    """The MPI ranks of a job: rank → process id, by what the process manager gives to each."""
    ranks = {}
    for pid in with_environment(SLURM_CONF=str(slurm_conf), SLURM_JOB_ID=str(job_id)):
        environment = _environment(pid)
        rank = environment.get("PMI_RANK") or environment.get("PMIX_RANK")
        if rank is not None:
            ranks[int(rank)] = pid
    return ranks


def thread_cpus(pid):
    """thread id → the set of CPUs that the kernel lets it run on."""
    allowed = {}
    for thread in Path(f"/proc/{pid}/task").iterdir():
        try:
            status = (thread / "status").read_text()
        except OSError:
            continue  # it ended meanwhile
        line = next(line for line in status.splitlines() if line.startswith("Cpus_allowed_list:"))
        allowed[int(thread.name)] = id_set(line.split()[1])
    return allowed


# How MPICH, Open MPI and UCX begin the names of their segments. Nothing else of a cluster uses /dev/shm.
_MPI_SEGMENTS = ("mpich_", "vader_segment.", "osc_", "ucx_shm_")


def shared_memory():
    """Names of MPI jobs' segments in /dev/shm; what else is there belongs to other programs."""
    return {path.name for name in _MPI_SEGMENTS for path in Path("/dev/shm").glob(f"{name}*")}


def _unmapped(names):
    for maps in Path("/proc").glob("[0-9]*/maps"):
        try:
            text = maps.read_text(errors="replace") if names else ""
        except OSError:
            continue  # it ended meanwhile
        names = {name for name in names if f"/dev/shm/{name}" not in text}
    return names


def orphaned_shared_memory(before, patience=2):
    """Those that have come since `before` and that no process maps; somebody else's that is just being made is
    mapped, or gone, before long."""
    orphans = _unmapped(shared_memory() - before)
    deadline = time.monotonic() + patience
    while orphans and time.monotonic() < deadline:
        time.sleep(0.2)
        orphans &= _unmapped(shared_memory() - before)
    return orphans


def command(pid):
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace").strip()
    except OSError:
        return ""
