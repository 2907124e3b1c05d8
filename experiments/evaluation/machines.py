# SPDX-License-Identifier: GPL-2.0-or-later
"""The machines that a run may claim to have, and the one that it has."""

import os
import re
from dataclasses import dataclass

from vmcluster import Node


@dataclass(frozen=True)
class Machine:
    name: str
    nodes: int
    cores_of_node: int

    @property
    def cores(self):
        return self.nodes * self.cores_of_node

    def nodes_for(self, processes):
        """Over how many the processes of a virtually malleable job are spread, whatever their number in the end: as vmsim
        has it, over as few as the most that it accepts need."""
        return min(-(-processes // self.cores_of_node), self.nodes)

    def slurm_nodes(self):
        return [Node(f"n{number}", self.cores_of_node) for number in range(1, self.nodes + 1)]


CLAIMED = {machine.name: machine for machine in (
    Machine("1x60", 1, 60),  # the thesis'
    Machine("4x16", 4, 16),
    Machine("16x32", 16, 32),
)}
REAL = Machine("real", 1, len(os.sched_getaffinity(0)))


def named(name):
    """REAL, one of CLAIMED, or any NODESxCORES. Raises ValueError."""
    if name == REAL.name:
        return REAL
    found = re.fullmatch(r"([1-9]\d{0,3})x([1-9]\d{0,3})", name)
    if not found:
        raise ValueError(f"{name!r} is not NODESxCORES, such as 4x16")
    return CLAIMED.get(name) or Machine(name, int(found[1]), int(found[2]))
