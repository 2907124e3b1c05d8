# SPDX-License-Identifier: GPL-2.0-or-later
"""How Slurm keeps tasks on their CPUs: by cpusets of cgroup v1 or v2, by affinity, or not at all."""

import secrets
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from .release import installed_release
from .slurm import id_set


@dataclass(frozen=True)
class Confinement:
    task_plugin: str
    version: int = 0  # of the cgroups; 0: none

    @property
    def proctrack_plugin(self):
        return "proctrack/cgroup" if self.version else "proctrack/linuxproc"

    def cgroup_conf(self):
        """The text of the file. There need not be a systemd to make the groups of version 2."""
        text = "IgnoreSystemd=yes\nConstrainCores=yes\n"
        if installed_release() < (23, 11):  # no setting any more since then
            text += "CgroupAutomount=no\n"
        if self.version:
            text += f"CgroupPlugin=cgroup/v{self.version}\nCgroupMountpoint={self._mount_point()}\n"
        elif installed_release() >= (24, 5):  # slurmd wants cgroups even where no plugin uses them
            text += "CgroupPlugin=disabled\n"
        return text

    def prepare(self):
        """Makes what a systemd would have made."""
        if self.version == 2:
            inside = self._root() / "system.slice"
            inside.mkdir(exist_ok=True)
            _pass_on_controllers(self._root())
            _pass_on_controllers(inside)

    def clean_up(self):
        if self.version == 2:
            with suppress(OSError):  # others are in it
                (self._mount_point() / "system.slice").rmdir()

    def impossible(self):
        """Why this machine does not have it; empty if it has."""
        if not self.version:
            return ""
        if not self._mount_point():
            return f"no cpusets of cgroup v{self.version} on this machine"
        if self.version == 2 and len(Path("/proc/self/cgroup").read_text().splitlines()) > 1:
            return "Slurm's cgroup/v2 does not run where there are cgroups of version 1, too"
        try:
            if self.version == 2:
                _pass_on_controllers(self._root())
            probe = self._root() / f"probe.{secrets.token_hex(6)}"
            probe.mkdir()
            probe.rmdir()
        except OSError as error:
            return f"no cpusets can be made in {self._root()}: {error.strerror}"
        return ""

    def cpusets_of(self, pid):
        """The cpusets that hold the process, its own and those around it up to its job's: name → (what is set, effective).
        In version 2 nothing may be set, which is as around it."""
        controllers = "cpuset" if self.version == 1 else ""
        lines = (line.split(":", 2) for line in Path(f"/proc/{pid}/cgroup").read_text().splitlines())
        group = self._root() / next(path for _, names, path in lines if names == controllers).strip("/")
        effective = "cpuset.effective_cpus" if self.version == 1 else "cpuset.cpus.effective"
        cpusets = {}
        inside = ""
        while True:
            cpusets[group.name] = tuple(id_set((group / file).read_text().strip()) for file in ("cpuset.cpus", effective))
            if inside.startswith("step_"):  # this is the job's, whatever it is called
                return cpusets
            inside, group = group.name, group.parent

    def _mount_point(self):
        """Slurm's CgroupMountpoint; None if there are no cpusets."""
        for line in Path("/proc/self/mounts").read_text().splitlines():
            _, directory, kind, options, *_ = line.split()
            if self.version == 1 and kind == "cgroup" and "cpuset" in options.split(","):
                return Path(directory).parent
            if self.version == 2 and kind == "cgroup2" and "cpuset" in Path(directory, "cgroup.controllers").read_text().split():
                return Path(directory)
        return None

    def _root(self):
        """Of the tree of cpusets."""
        return self._mount_point() / ("cpuset" if self.version == 1 else "")


def _pass_on_controllers(group):
    """To those inside: all that there are, for Slurm 22.05 overlooks the last one."""
    names = (group / "cgroup.controllers").read_text().split()
    (group / "cgroup.subtree_control").write_text(" ".join(f"+{name}" for name in names))


CONFINEMENTS = {
    "none": Confinement("task/none"),
    "affinity": Confinement("task/affinity"),
    "cgroup v1": Confinement("task/cgroup,task/affinity", 1),
    "cgroup v2": Confinement("task/cgroup,task/affinity", 2),
}
