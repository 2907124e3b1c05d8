# SPDX-License-Identifier: GPL-2.0-or-later
"""On which nodes sched/fjt starts jobs: Slurm is offered some of the nodes first where all are alike. By the papers' policy:
least-work looks at nodes itself, and minds neither LLN nor their weight."""

import pytest
from scenario import FOREVER, submit_vm
from vmcluster import Node
from vmcluster.conf import PAPERS_POLICY

CLUSTER = {
    "vmall_conf": PAPERS_POLICY,
    "nodes": [Node(f"n{i}", 2) for i in range(1, 11)],
    "slurm_conf": {"SelectTypeParameters": "CR_Core_Memory", "DefMemPerCPU": 10},
    "partitions": {"main": "Nodes=ALL Default=YES", "least": "Nodes=ALL LLN=YES"},
}
# More than a job of one node is offered first.
FIRST = 5


def occupy(cluster, nodes, *options):
    """A core of each of these nodes, by ordinary jobs."""
    for node in nodes:
        cluster.wait_state(cluster.submit(FOREVER, "-n1", "-w", node, *options), "RUNNING")


def start(cluster, procs, *options):
    """The nodes of a virtually malleable job."""
    return set(cluster.wait_state(submit_vm(cluster, "short", procs, options=options), "RUNNING").cores)


@pytest.mark.core
def test_full_nodes_are_passed_over(cluster):
    occupy(cluster, [f"n{i}" for i in range(1, 10)], "--exclusive")
    occupy(cluster, ["n10"])
    assert start(cluster, 1) == {"n10"}


def test_a_job_whose_memory_the_first_nodes_lack_starts_on_others(cluster):
    occupy(cluster, [f"n{i}" for i in range(1, FIRST + 1)], "--mem=900")
    assert start(cluster, 1, "--mem=500").isdisjoint(f"n{i}" for i in range(1, FIRST + 1))


def test_least_loaded_nodes_come_first_where_the_partition_says_so(cluster):
    occupy(cluster, [f"n{i}" for i in range(1, FIRST + 1)])
    assert start(cluster, 1, "-pleast").isdisjoint(f"n{i}" for i in range(1, FIRST + 1))


def test_nodes_of_less_weight_come_first(cluster):
    cluster.run("scontrol", "update", "NodeName=n[1-9]", "Weight=10")
    try:
        assert "n10" in start(cluster, 4, "-N2")
    finally:
        cluster.run("scontrol", "update", "NodeName=n[1-9]", "Weight=1")


@pytest.mark.log_errors("OverSubscribe=FORCE:2")
def test_where_jobs_share_cores_full_nodes_are_not_passed_over(cluster):
    cluster.run("scontrol", "update", "PartitionName=main", "OverSubscribe=FORCE:2")
    try:
        jobs = [cluster.submit(FOREVER, "-n20", "--mem-per-cpu=10") for _ in range(2)]
        for job in jobs:
            cluster.wait_state(job, "RUNNING")
    finally:
        cluster.cancel_all()
        cluster.run("scontrol", "update", "PartitionName=main", "OverSubscribe=NO")
