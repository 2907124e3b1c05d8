# SPDX-License-Identifier: GPL-2.0-or-later
"""A throwaway cluster whose disks can be filled, and whose slurmctld reaches the agents over wires that can be bad."""

import os
import re
import secrets
import subprocess

from vmcluster import Cluster, Node, controllers, slurm_daemon
from vmcluster.confinement import CONFINEMENTS
from vmcluster.waiting import LIMIT

from .clock import Clock
from .wires import Wires

# Claimed cores of the nodes, by seed: odd numbers, so that folds cannot be even.
_SHAPES = [(5, 7), (5, 7, 16), (3, 9, 11), (6, 5, 7, 4)]

_POLICIES = [
    {"QueueDiscipline": "least-work", "Sizing": "adaptive", "MaxMpl": 4},
    {"QueueDiscipline": "easy", "Sizing": "fjt", "MaxMpl": 2, "WindowRule": "either"},
]

# Of so many seeds one keeps jobs on their cores by cpusets, if the machine has them.
_CPUSETS = 5
_CGROUP = "cgroup v1"

_DISKS = ("state", "spool", "run")

# What the names of nodes begin with: cgroups go by these, and are the machine's.
_NAME = f"s{secrets.token_hex(3)}x"


class StormCluster(Cluster):
    """`scheduler`: as of Cluster.
    `wires`: None without anything of ours in slurmctld. `controllers`: None without a backup. `clock`: None if it is the machine's. Its directory stays."""

    def __init__(self, build, seed, scheduler, backup=False, own_clock=False):
        self._own_clock = own_clock
        self.clock = None
        self.controllers = None
        self.cpusets = seed % _CPUSETS == 2 and not CONFINEMENTS[_CGROUP].impossible()
        policy = _POLICIES[seed // len(_SHAPES) % len(_POLICIES)]
        super().__init__(
            None if scheduler == "stock" else build, scheduler, [Node(f"{_NAME}{i}", cores) for i, cores in enumerate(_SHAPES[seed % len(_SHAPES)])],
            vmall_conf={**policy, "AgentTimeout": 5}, keep=True, cred_expire=5,
            confinement=_CGROUP if self.cpusets else "none",
            partitions={"main": "Nodes=ALL Default=YES OverSubscribe=FORCE:4"} if scheduler == "node" else None,
            slurm_conf={
                "SelectTypeParameters": "CR_Core_Memory", "DefMemPerCPU": 10,
                # The records of all jobs are there in the end, wherever the clock has been.
                "MinJobAge": 4 * 7200,
                # task/affinity wants all claimed cores to be there.
                **({"TaskPlugin": "task/cgroup"} if self.cpusets else {}),
                **(controllers.SLURM_CONF if backup else {})})
        self.wires = None
        if scheduler == "vmall":
            self._lay_wires()
        if backup:
            self.controllers = controllers.Controllers(self, self._controller_conf())
            self.slurmctld = self.controllers.primary

    def _controller_conf(self):
        return self.root / "controller/slurm.conf" if self.wires else self.conf

    @property
    def controller_logs(self):
        return [self.slurmctld.log, *([self.controllers.backup.log] if self.controllers else [])]

    @property
    def daemons(self):
        return [*([self.controllers.backup] if self.controllers else []), *super().daemons]

    def daemon(self, name, command, log, **environment):
        if self._own_clock and not name.startswith("munged"):
            self.clock = self.clock or Clock(self.root)
            environment = {**environment, **self.clock.environment}
        return super().daemon(name, command, log, **environment)

    def agent_port(self, node):
        return self.ports[node] + len(self.nodes)

    def _lay_wires(self):
        names = [node.name for node in self.nodes]
        self.wires = Wires(self.ports, {name: self.agent_port(name) for name in names})
        own = self.root / "controller"
        own.mkdir()
        for file in ("slurm.conf", "cgroup.conf"):
            (own / file).symlink_to(self.root / file)
        (own / "vmall.conf").write_text(re.sub("(?m)^AgentPort=.*", f"AgentPort=+{self.wires.offset}", self.vmall_conf.read_text()))
        self.slurmctld = self.daemon("slurmctld", [slurm_daemon("slurmctld"), "-D", "-f", self._controller_conf()], "slurmctld.log")

    def start(self):
        for disk in _DISKS:
            subprocess.run(["mount", "-t", "tmpfs", "-o", "size=8m,mode=755", "tmpfs", self.root / disk], check=True, timeout=LIMIT)
        for node in self.nodes:
            (self.root / "spool" / node.name).mkdir()
        super().start()
        if self.controllers:
            self.controllers.backup.start()
            self.wait_until(lambda: controllers.times(self.controllers.backup, controllers.STANDBY), "the backup to stand by")

    def _remove_cgroups(self):
        """Step managers make them, and killed ones leave them there."""
        super()._remove_cgroups()
        return []

    def _end(self):
        left = super()._end()
        for disk in _DISKS:
            if os.path.ismount(self.root / disk):
                subprocess.run(["umount", "--lazy", self.root / disk], check=True, timeout=LIMIT)
        if self.wires:
            self.wires.close()
        return left
