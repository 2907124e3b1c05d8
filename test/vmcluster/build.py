# SPDX-License-Identifier: GPL-2.0-or-later
"""Where things are: what we built, and what Slurm installed."""

import os
import shutil
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Build:
    """Where `make` put what we built."""

    directory: Path

    @property
    def plugin_dirs(self):
        return [self.directory / "src/plugins" / name / ".libs" for name in ("select_vmall", "sched_fjt")]

    @property
    def spank(self):
        return self.directory / "src/spank_vm/.libs/spank_vm.so"

    @property
    def vmrt(self):
        return self.directory / "src/libvmrt/.libs/libvmrt.so"

    @property
    def vmctl(self):
        return self.directory / "src/tools/vmctl/vmctl"

    @property
    def exporter(self):
        return self.directory / "src/tools/exporter/vmall-exporter"

    @property
    def vmsim(self):
        return self.directory / "src/tools/vmsim/vmsim"

    @property
    def pictures(self):
        """What draws vmsim's results."""
        return self.directory / "src/tools/vmsim/vmsim-pictures"

    @property
    def kernels(self):
        return self.directory / "test/mpi"

    @property
    def stand_in(self):
        """What stands for an application in experiments/evaluate."""
        return self.directory / "experiments/evaluation/stand-in"


def slurm_daemon(name):
    """Its path: the first in PATH, as with Slurm's commands. A PATH may be without the folder of the system's daemons."""
    found = shutil.which(name, path=f"{os.environ.get('PATH', os.defpath)}:/usr/sbin")
    if not found:
        raise FileNotFoundError(f"no {name} in PATH: is it installed?")
    return found


def slurm_prefix():
    """What that Slurm is installed below."""
    return Path(slurm_daemon("slurmctld")).parent.resolve().parent


def stock_plugin_dir():
    """Where that Slurm keeps its plugins."""
    prefix = slurm_prefix()
    for pattern in ("lib/*/slurm-wlm", "lib64/slurm", "lib/slurm"):
        for found in prefix.glob(pattern):
            if (found / "select_cons_tres.so").exists():
                return found
    raise FileNotFoundError(f"no select_cons_tres.so below {prefix}/lib: is slurmctld's Slurm whole?")


def slurm_library():
    """libslurm, for programs that are linked with it."""
    return stock_plugin_dir().parent / "libslurm.so"
