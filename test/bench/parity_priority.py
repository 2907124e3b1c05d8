# SPDX-License-Identifier: GPL-2.0-or-later
"""Real-time priority for the daemons that live in virtual time."""

import os
import subprocess
from pathlib import Path


def leave_cpu_cgroups(pid):
    """Kernels with RT_GROUP_SCHED refuse real-time priority to what is in a cpu cgroup below the first."""
    for line in Path("/proc/self/mounts").read_text(encoding="utf-8").splitlines():
        _, mount_point, kind, options, *_ = line.split()
        if kind == "cgroup" and "cpu" in options.split(","):
            Path(mount_point, "cgroup.procs").write_text(str(pid), encoding="utf-8")


def is_refused():
    """Whether a process cannot have it here, as in most containers."""
    with subprocess.Popen(["sleep", "infinity"]) as probe:
        try:
            leave_cpu_cgroups(probe.pid)
            os.sched_setscheduler(probe.pid, os.SCHED_FIFO, os.sched_param(1))
        except OSError:
            return True
        finally:
            probe.kill()
    return False
