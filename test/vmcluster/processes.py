# SPDX-License-Identifier: GPL-2.0-or-later
"""Processes of a cluster and of its jobs, found in /proc by the environment they were started with."""

import re
import subprocess
from contextlib import suppress
from pathlib import Path

from .slurm import id_set
from .waiting import LIMIT


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


# On each node but the first, srun starts it as a task of its own, with the node's number as its rank.
_HYDRAS_PROXY = "hydra_pmi_proxy"[:15]


def tasks_of_job(slurm_conf, job_id):
    """The MPI ranks of a job: rank → process id, by what the process manager gives to each."""
    ranks = {}
    for pid in with_environment(SLURM_CONF=str(slurm_conf), SLURM_JOB_ID=str(job_id)):
        environment = _environment(pid)
        rank = environment.get("PMI_RANK") or environment.get("PMIX_RANK")
        if rank is not None and thread_name(pid, pid) != _HYDRAS_PROXY:
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


def thread_name(pid, thread):
    try:
        return Path(f"/proc/{pid}/task/{thread}/comm").read_text().strip()
    except OSError:
        return ""  # it ended meanwhile


# How MPICH, Open MPI and UCX begin the names of their segments. Nothing else of a cluster uses /dev/shm.
_MPI_SEGMENT = re.compile(r"/dev/shm/((?:mpich_|vader_segment\.|osc_|ucx_shm_)\S*)$", re.MULTILINE)


def shared_memory(pids):
    """Names of the segments in /dev/shm by which MPI processes among these speak to each other."""
    names = set()
    for pid in pids:
        with suppress(OSError):  # it ended meanwhile
            names.update(_MPI_SEGMENT.findall(Path(f"/proc/{pid}/maps").read_text(errors="replace")))
    return names


def orphaned_shared_memory(names):
    """Those of the segments that are still there although no process maps them."""
    there = {name for name in names if Path("/dev/shm", name).exists()}
    return there - shared_memory(entry.name for entry in Path("/proc").iterdir() if entry.name.isdigit())


def remove_shared_memory(key):
    """The System V segment with this key, if it is there."""
    subprocess.run(["ipcrm", "--shmem-key", str(key)], stderr=subprocess.DEVNULL, check=False, timeout=LIMIT)


def command(pid):
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace").strip()
    except OSError:
        return ""
