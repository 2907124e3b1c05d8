# SPDX-License-Identifier: GPL-2.0-or-later
"""What we built, installed so that it can be upgraded and removed while daemons and jobs have it loaded."""

import re
import subprocess
from dataclasses import dataclass
from pathlib import Path

from vmcluster import Build
from vmcluster.build import stock_plugin_dir
from vmcluster.waiting import LIMIT

_PLUGINS = ("select_cons_tres_vmall.so", "sched_fjt.so", "spank_vm.so")


def _of_another_build(library):
    """The content of the file, calling itself another build."""
    return re.sub(rb"(\d+\.\d+\.\d+-)\d(\d*\0)", rb"\g<1>0\2", library.read_bytes())


@dataclass(frozen=True)
class Files(Build):
    """Copies in one directory, replaced as package managers do it."""

    files: Path

    plugin_dirs = property(lambda self: [self.files])
    spank = property(lambda self: self.files / "spank_vm.so")
    vmrt = property(lambda self: self.files / "libvmrt.so")

    def install(self):
        built = Build(self.directory)
        for directory in [*built.plugin_dirs, built.spank.parent, built.vmrt.parent]:
            for file in directory.glob("*.so"):
                self._put(file.name, file.read_bytes())

    def upgrade(self):
        for file in self.files.glob("*.so"):
            self._put(file.name, _of_another_build(file))

    def remove(self):
        for file in self.files.iterdir():
            file.unlink()

    def purge(self):
        pass  # the directory is the test's own

    def is_current_in(self, daemon):
        return _has_loaded_only_what_is_installed(daemon, self.files)

    def _put(self, name, content):
        """Under another name first: who has mapped the old file keeps it."""
        draft = self.files / (name + ".dpkg-new")
        draft.write_bytes(content)
        draft.rename(self.files / name)


@dataclass(frozen=True)
class DebianPackage(Build):
    """The package slurm-vmall, from the directory that dpkg-buildpackage has left it in; on this very machine."""

    made: Path
    scratch: Path

    plugin_dirs = property(lambda self: [])  # it is in Slurm's own
    spank = property(lambda self: stock_plugin_dir() / "spank_vm.so")
    vmrt = property(lambda self: stock_plugin_dir().parent / "slurm-vmall/libvmrt.so")
    vmctl = property(lambda self: Path("/usr/bin/vmctl"))

    def install(self):
        [package] = self.made.glob("slurm-vmall_*.deb")
        self._apt_get("install", package)

    def upgrade(self):
        [package] = self.made.glob("slurm-vmall_*.deb")
        tree = self.scratch / "package"
        subprocess.run(["dpkg-deb", "--raw-extract", package, tree], check=True, timeout=LIMIT)
        for file in tree.rglob("*.so"):
            file.write_bytes(_of_another_build(file))
        control = tree / "DEBIAN/control"
        control.write_text(re.sub("(?m)^(Version: .*)", r"\1+1", control.read_text()))
        newer = self.scratch / "slurm-vmall-newer.deb"
        subprocess.run(["dpkg-deb", "--build", tree, newer], check=True, timeout=LIMIT)
        self._apt_get("install", newer)

    def remove(self):
        said = self._apt_get("remove", "slurm-vmall")
        assert "jobs that run here have loaded libvmrt.so and go on" in said, said

    def purge(self):
        subprocess.run(["dpkg", "--purge", "slurm-vmall"], check=True, timeout=LIMIT)

    def is_current_in(self, daemon):
        return _has_loaded_only_what_is_installed(daemon, stock_plugin_dir())

    @staticmethod
    def _apt_get(*command):
        done = subprocess.run(["apt-get", "--yes", *map(str, command)], stdin=subprocess.DEVNULL, capture_output=True,
                              text=True, check=False, timeout=LIMIT)
        said = done.stdout + done.stderr
        assert done.returncode == 0, said
        return said


def _has_loaded_only_what_is_installed(daemon, plugins):
    maps = Path(f"/proc/{daemon.pid}/maps").read_text().splitlines()
    ours = [line for line in maps if any(f"{plugins}/{name}" in line for name in _PLUGINS)]
    return bool(ours) and not any(line.endswith("(deleted)") for line in ours)
