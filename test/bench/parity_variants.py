# SPDX-License-Identifier: GPL-2.0-or-later
"""The clusters of the parity report: what sites set differently in slurm.conf, and which jobs that concerns."""

from dataclasses import dataclass, field

from parity_cluster import Node


@dataclass(frozen=True)
class Variant:
    """`kinds`: what the job lists have besides plain jobs (names of functions in parity_jobs.py)."""

    name: str
    slurm_conf: dict
    nodes: tuple
    partitions: dict = field(default_factory=lambda: {"main": "Nodes=ALL Default=YES"})
    kinds: tuple = ()

    @property
    def cores(self):
        return sum(node.cpus // node.threads for node in self.nodes)


_USUAL = ("nice", "hold", "begin", "cancel", "update", "dependency", "array", "exclusive", "drain")


def _nodes(count, **settings):
    return tuple(Node(f"n{i}", **settings) for i in range(1, count + 1))


_MIXED = (*(Node(f"n{i}", cpus=4, memory=2000, options="Features=small Weight=1") for i in range(1, 5)),
          *(Node(f"n{i}", cpus=8, sockets=2, memory=8000, options="Features=middle,fast Weight=5") for i in range(5, 8)),
          *(Node(f"n{i}", cpus=16, sockets=2, memory=16000, options="Features=big,fast Weight=9") for i in range(8, 10)))

_TIERS = {
    "main": "Nodes=ALL Default=YES PriorityJobFactor=10",
    "debug": "Nodes=n[1-4] PriorityTier=10 MaxTime=5 PriorityJobFactor=100",
    "large": "Nodes=n[3-8] MaxNodes=6 PriorityJobFactor=50",
}

_MULTIFACTOR = {
    "PriorityType": "priority/multifactor",
    "PriorityCalcPeriod": 1,
    "PriorityMaxAge": "0-1",
    "PriorityWeightAge": 100000,
    "PriorityWeightJobSize": 1000,
    "PriorityWeightPartition": 5000,
}

VARIANTS = (
    Variant("default", {}, _nodes(8), kinds=_USUAL),
    Variant("bf_interval=10, bf_resolution=10, bf_window=60, bf_continue",
            {"SchedulerParameters": "bf_interval=10,bf_resolution=10,bf_window=60,bf_continue"}, _nodes(8), kinds=_USUAL),
    Variant("bf_max_job_user=2, bf_max_job_test=8, default_queue_depth=4",
            {"SchedulerParameters": "bf_max_job_user=2,bf_max_job_test=8,default_queue_depth=4"}, _nodes(8),
            kinds=(*_USUAL, "user")),
    Variant("defer, sched_interval=15, batch_sched_delay=1",
            {"SchedulerParameters": "defer,sched_interval=15,batch_sched_delay=1"}, _nodes(8), kinds=_USUAL),
    Variant("bf_busy_nodes, bf_max_job_part=6, pack_serial_at_end",
            {"SchedulerParameters": "bf_busy_nodes,bf_max_job_part=6,pack_serial_at_end"}, _nodes(8), _TIERS,
            (*_USUAL, "partition")),
    Variant("partitions with tiers, priority/multifactor", _MULTIFACTOR, _nodes(8), _TIERS, (*_USUAL, "partition")),
    Variant("CR_Core_Memory, nodes of three sizes, features",
            {"SelectTypeParameters": "CR_Core_Memory", "DefMemPerCPU": 200}, _MIXED, kinds=(*_USUAL, "memory", "feature")),
    Variant("CR_CPU, two threads a core", {"SelectTypeParameters": "CR_CPU"}, _nodes(6, cpus=16, threads=2),
            kinds=_USUAL),
    Variant("CR_Core, two threads a core, two sockets", {}, _nodes(6, cpus=16, sockets=2, threads=2), kinds=_USUAL),
    Variant("CR_Socket_Memory, two sockets", {"SelectTypeParameters": "CR_Socket_Memory", "DefMemPerCPU": 50},
            _nodes(8, cpus=8, sockets=2, memory=4000), kinds=(*_USUAL, "memory")),
    Variant("licences and reservations", {"Licenses": "solver:4,mesher:2"}, _nodes(8),
            kinds=(*_USUAL, "licence", "reservation")),
    Variant("preempt/partition_prio, requeue", {"PreemptType": "preempt/partition_prio", "PreemptMode": "REQUEUE"},
            _nodes(8), _TIERS, ("nice", "cancel", "exclusive", "partition")),
)
