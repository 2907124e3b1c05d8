# SPDX-License-Identifier: GPL-2.0-or-later
"""The policies that are compared: what vmall.conf says for each, and what vmsim calls stock Slurm's."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Policy:
    name: str
    description: str
    vmall_conf: dict = None  # None: Slurm's own plugins, and nobody asks for virtual malleability

    @property
    def is_stock(self):
        return self.vmall_conf is None


def _fjt(discipline, mpl):
    return {"QueueDiscipline": discipline, "Sizing": "fjt", "MaxMpl": mpl, "WindowPolicy": "shrink"}


POLICIES = {policy.name: policy for policy in (
    Policy("stock", "select/cons_tres and sched/backfill; every job as large as it accepts"),
    Policy("fjt4", "FJT, at most 4 processes on a core, first come first served", _fjt("fcfs", 4)),
    Policy("fjt4-easy", "FJT, at most 4 processes on a core, EASY backfilling", _fjt("aggressive", 4)),
    Policy("psa", "PSA, first come first served", {"QueueDiscipline": "fcfs", "Sizing": "psa", "MaxMpl": 4}),
    Policy("bfm", "FJT without folded starts, and backfilling with malleability", _fjt("aggressive", 1)),
)}
STOCK_IN_VMSIM = "easy"
