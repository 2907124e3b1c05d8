# SPDX-License-Identifier: GPL-2.0-or-later
"""A throwaway cluster whose disks can be filled, and whose slurmctld reaches the agents over wires that can be bad."""

import os
import re
import subprocess

from vmcluster import Cluster, Node

from .wires import Wires

# Claimed cores of the nodes, by seed: odd numbers, so that folds cannot be even.
_SHAPES = [(5, 7), (5, 7, 16), (3, 9, 11), (6, 5, 7, 4)]

_POLICIES = [
    {"QueueDiscipline": "least-work", "Sizing": "adaptive", "MaxMpl": 4},
    {"QueueDiscipline": "easy", "Sizing": "fjt", "MaxMpl": 2, "WindowRule": "either"},
]

_DISKS = ("state", "spool", "run")


class StormCluster(Cluster):
    """`wires`: None under stock Slurm. Its directory stays."""

    def __init__(self, build, seed):
        policy = _POLICIES[seed // len(_SHAPES) % len(_POLICIES)]
        super().__init__(
            build, "vmall" if build else "stock", [Node(f"s{i}", cores) for i, cores in enumerate(_SHAPES[seed % len(_SHAPES)])],
            vmall_conf={**policy, "AgentTimeout": 5}, keep=True, cred_expire=5,
            # The records of all jobs are there in the end.
            slurm_conf={"SelectTypeParameters": "CR_Core_Memory", "DefMemPerCPU": 10, "MinJobAge": 7200})
        self.wires = None
        if build:
            self._lay_wires()

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
        self.slurmctld = self._daemon("slurmctld", ["/usr/sbin/slurmctld", "-D", "-f", own / "slurm.conf"], "slurmctld.log")

    def start(self):
        for disk in _DISKS:
            subprocess.run(["mount", "-t", "tmpfs", "-o", "size=8m,mode=755", "tmpfs", self.root / disk], check=True)
        for node in self.nodes:
            (self.root / "spool" / node.name).mkdir()
        super().start()

    def _end(self):
        left = super()._end()
        for disk in _DISKS:
            if os.path.ismount(self.root / disk):
                subprocess.run(["umount", "--lazy", self.root / disk], check=True)
        if self.wires:
            self.wires.close()
        return left
