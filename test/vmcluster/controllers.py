# SPDX-License-Identifier: GPL-2.0-or-later
"""Two slurmctlds of one cluster, of which the second stands by.

slurmctld goes by the name of its host, and listens on the address of that name: the two have host names of their own, which
are addresses. sched/fjt listens on all of the machine's, and has a port of its own on each: a backup of 24.11 goes on for
seconds after the primary that returned."""

import re

from .build import slurm_daemon
from .ports import Block

PRIMARY, BACKUP = "127.0.0.1", "127.0.0.2"
STANDBY, IN_CHARGE = "running in background mode", "Running as primary controller"

SLURM_CONF = {
    "SlurmctldHost": f"{PRIMARY}\nSlurmctldHost={BACKUP}",
    "CommunicationParameters": "NoCtldInAddrAny",
    # A slurmd that meets a controller on standby sleeps for half of it, also if it is to end.
    "SlurmctldTimeout": 30,
    "DebugFlags": "NO_CONF_HASH",
}


class Controllers:
    """Of a cluster with SLURM_CONF. `conf`: the primary's slurm.conf; with a vmall.conf beside it, if there is anything of ours."""

    def __init__(self, cluster, conf):
        self._cluster = cluster
        self._ports = Block(1)
        self.backup_port = self._ports.first  # sched/fjt's
        directory = cluster.root / "backup"
        directory.mkdir()
        text = conf.read_text().replace("slurmctld.pid", "backup.pid").replace("slurmctld.log", "backup.log")
        (directory / "slurm.conf").write_text(text)
        (directory / "cgroup.conf").symlink_to(cluster.root / "cgroup.conf")
        if (ours := conf.with_name("vmall.conf")).exists():
            (directory / "vmall.conf").write_text(re.sub("(?m)^ControlPort=.*", f"ControlPort={self.backup_port}", ours.read_text()))
        self.primary = self._controller("slurmctld", PRIMARY, conf)
        self.backup = self._controller("backup", BACKUP, directory / "slurm.conf")

    def _controller(self, name, host, conf):
        return self._cluster.daemon(name, ["unshare", "--uts", "sh", "-c", 'hostname "$0" && exec "$@"', host,
                                           slurm_daemon("slurmctld"), "-D", "-f", conf], f"{name}.log")


def times(controller, line):
    """How often it has said that."""
    return controller.log.read_text(errors="replace").count(line) if controller.log.exists() else 0
