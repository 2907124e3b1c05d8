# SPDX-License-Identifier: GPL-2.0-or-later
"""What daemons run out of: room on a disk, descriptors, threads. All on the running daemon."""

import os
import resource
import secrets
from contextlib import suppress
from pathlib import Path

from vmcluster import processes

from .choice import node

_PIDS = Path("/sys/fs/cgroup/pids")


def _fill(folder):
    file = folder / "filler"
    with suppress(OSError), open(file, "wb", buffering=0) as filler:
        while True:
            filler.write(bytes(1 << 16))
    return file


def full_state(storm):
    yield {"slurmctld"}
    file = _fill(storm.cluster.root / "state")
    with storm.nothing_saved():
        yield storm.rng.uniform(1, 8)
        file.unlink()
    yield 2


def full_spool(storm):
    yield {"spool"}
    file = _fill(storm.cluster.root / "spool")
    yield storm.rng.uniform(1, 6)
    file.unlink()


def full_runtime(storm):
    """All of RuntimeDir: steps that cannot register then are not folded."""
    yield {f"slurmd {name}" for name in storm.cluster.slurmd}
    file = _fill(storm.cluster.root / "run")
    yield storm.rng.uniform(1, 6)
    file.unlink()


def _without_descriptors(storm, daemon):
    pid = daemon.pid
    if not pid:
        return
    before = resource.prlimit(pid, resource.RLIMIT_NOFILE)
    few = len(os.listdir(f"/proc/{pid}/fd")) + storm.rng.randint(0, 3)
    resource.prlimit(pid, resource.RLIMIT_NOFILE, (few, before[1]))
    yield storm.rng.uniform(1, 5)
    # A slurmstepd has inherited the limit: as it cannot accept connections, no slurmd would start any more.
    starved = {pid, *storm.cluster.processes()}
    while starved := {process for process in starved if not _restored(process, few, before)}:
        yield 0.1


def _restored(process, few, before):
    try:
        if resource.prlimit(process, resource.RLIMIT_NOFILE)[0] == few:
            resource.prlimit(process, resource.RLIMIT_NOFILE, before)
    except ProcessLookupError:
        return True
    except PermissionError:
        # Root without CAP_SYS_RESOURCE may not touch a user's process, nor a slurmstepd for as long as that acts as the user.
        return "slurmstepd" not in processes.command(process)
    return True


def slurmd_without_descriptors(storm):
    name = node(storm)
    yield {f"slurmd {name}"}
    yield from _without_descriptors(storm, storm.cluster.slurmd[name])


def slurmctld_without_descriptors(storm):
    yield {"slurmctld"}
    with storm.nothing_saved():
        yield from _without_descriptors(storm, storm.cluster.slurmctld)


def slurmd_without_threads(storm):
    """Nor can it start a process."""
    name = node(storm)
    if not (_PIDS / "cgroup.procs").exists():
        return
    yield {f"slurmd {name}"}
    group = _PIDS / f"storm.{secrets.token_hex(6)}"
    group.mkdir()
    try:
        (group / "cgroup.procs").write_text(str(storm.cluster.slurmd[name].pid))
        (group / "pids.max").write_text((group / "pids.current").read_text())
        yield storm.rng.uniform(1, 5)
    finally:
        (group / "pids.max").write_text("max")
        while pids := (group / "cgroup.procs").read_text().split():
            for pid in pids:
                with suppress(OSError):
                    (_PIDS / "cgroup.procs").write_text(pid)
        group.rmdir()
