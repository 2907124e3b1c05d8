# SPDX-License-Identifier: GPL-2.0-or-later
"""All runs of experiments/pages/evaluation.md. Policies that a part leaves out answer no question there."""

from dataclasses import dataclass

from .policies import POLICIES


@dataclass(frozen=True)
class Part:
    """What the options of the same names choose."""

    workloads: tuple
    policies: tuple
    estimates: tuple = ("right",)
    sizes: tuple = ("largest",)
    machines: tuple = ("1x60",)
    seeds: tuple = (1, 2, 3)

    def keys(self):
        """What tells its runs apart."""
        return {(workload, policy, how, size, machine, seed) for workload in self.workloads for policy in self.policies
                for how in self.estimates for size in self.sizes for machine in self.machines for seed in self.seeds}


PARTS = (
    Part(("high-80",), tuple(name for name, policy in POLICIES.items() if not policy.shares)),
    Part(("low-80",), tuple(name for name, policy in POLICIES.items() if policy.is_simulated and not policy.shares)),
    Part(("high-100",), ("stock", "fjt4", "easy-requeue", "bfm-requeue", "bfm", "least-work")),
    Part(("low-100", "high-40", "low-40", "burst-6"), ("stock", "fjt4", "bfm", "least-work")),
    Part(("w3", "w6"), ("stock", "fjt4", "psa", "bfm", "least-work")),
    Part(("high-80",), ("stock", "bfm-requeue", "bfm", "least-work"), estimates=("over", "under")),
    Part(("high-80", "low-80", "w6"), ("stock", "bfm", "least-work"), sizes=("efficient",)),
    Part(("high-80",), ("stock", "bfm", "least-work"), machines=("4x16",)),
)


def keys():
    return set().union(*(part.keys() for part in PARTS))


def key_of(summary):
    return tuple(summary[name] for name in ("workload", "policy", "estimates", "sizes", "machine", "seed"))
