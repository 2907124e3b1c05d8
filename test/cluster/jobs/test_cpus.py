# SPDX-License-Identifier: GPL-2.0-or-later
"""Where Slurm gives out CPUs (CR_CPU) rather than cores, on nodes with and without several threads per core, and
limits them by partition."""

import pytest
from scenario import FOREVER, fold, submit_vm, wait_cores, wait_tasks
from vmcluster import Node, control_block

CLUSTER = {"nodes": [Node("one", 8), Node("two", 16, threads=2)], "slurm_conf": {"SelectTypeParameters": "CR_CPU"},
           "partitions": {"main": "Nodes=ALL Default=YES", "few": "Nodes=ALL MaxCPUsPerNode=4"}}


@pytest.mark.core
@pytest.mark.parametrize("node, threads", [("one", 1), ("two", 2)], ids=["a thread per core", "two threads per core"])
def test_job_folds_and_unfolds_by_cores(cluster, node, threads):
    def wait_told(job, cores):
        wait_cores(cluster, job, cores * threads)
        control = cluster.root / "run" / node / str(job) / "control"
        cluster.wait_until(lambda: control_block.read(control).core_count == cores, f"the agent to know of {cores} cores")

    half = cluster.submit(FOREVER, f"-n{4 * threads}", "-w", node)
    cluster.wait_state(half, "RUNNING")
    folded = submit_vm(cluster, "long", 4, options=["-w", node])
    tasks = wait_tasks(cluster, folded, 4)
    wait_told(folded, 4)
    guest = submit_vm(cluster, "short", 3, "1:00", options=["-w", node])
    wait_told(folded, 1)
    wait_tasks(cluster, guest, 3)
    wait_told(guest, 3)
    assert cluster.violations() == []
    cluster.run("scancel", guest)
    wait_told(folded, 4)
    assert cluster.tasks(folded) == tasks


def test_job_unfolds_when_its_partition_may_have_so_many_cpus_of_the_node(cluster):
    # Slurm 24.11 counts the CPUs that jobs of all partitions have of a node, unless one of this partition runs somewhere.
    elsewhere = cluster.submit("exec sleep 600", "-n2", "--partition=few", "-w", "two")
    cluster.wait_state(elsewhere, "RUNNING")
    refusals = cluster.vmctl_stats()["refusals_by_limits"]
    jobs = fold(cluster, where=["-w", "one"], options=["--partition=few"])
    ordinary = cluster.submit("exec sleep 600", "-n3", "--partition=few", "-w", "one", "--time=5")
    cluster.run("scancel", jobs.guest)
    cluster.wait_state(ordinary, "RUNNING")
    cluster.run("scancel", jobs.other)
    cluster.wait_until(lambda: cluster.vmctl_stats()["refusals_by_limits"] > refusals, "the unfold to be refused")
    assert cluster.job(jobs.folded).core_count == 1
    cluster.run("scancel", ordinary)
    wait_cores(cluster, jobs.folded, 4)
