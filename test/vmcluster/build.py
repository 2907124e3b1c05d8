# SPDX-License-Identifier: GPL-2.0-or-later
"""Where things are: what we built, and what the distribution installed."""

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


def stock_plugin_dir():
    """Where the distribution's Slurm keeps its plugins."""
    for pattern in ("lib/*/slurm-wlm", "lib64/slurm", "lib/slurm"):
        for found in Path("/usr").glob(pattern):
            if (found / "select_cons_tres.so").exists():
                return found
    raise FileNotFoundError("no select_cons_tres.so below /usr/lib: is slurmctld installed?")
