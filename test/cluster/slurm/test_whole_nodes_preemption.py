# SPDX-License-Identifier: GPL-2.0-or-later
"""Preemption where jobs have whole nodes and lend cores of them: in place of those with whom they do not share."""

import pytest
from scenario import FOREVER, stays, submit_vm, wait_cores, wait_tasks
from vmcluster import Node

CLUSTER = {
    "nodes": [Node("n1", 8), Node("n2", 8)],
    "slurm_conf": {"PreemptType": "preempt/partition_prio", "PreemptMode": "REQUEUE", "SchedulerParameters": "bf_interval=3"},
    "partitions": {"cheap": "Nodes=ALL OverSubscribe=EXCLUSIVE PriorityTier=1 Default=YES",
                   "urgent": "Nodes=ALL OverSubscribe=EXCLUSIVE PriorityTier=2"},
    "vmall_conf": {"LendWholeNodes": "user",
                   "ResizeRetryInterval": 1},
}

ON_N1, ON_N2 = ["-w", "n1"], ["-w", "n2"]
URGENT = ["--partition=urgent", "--time=10"]
DAEMON = ["--uid=daemon"]


def ordinary(cluster, *options):
    job_id = cluster.submit(FOREVER, "-n1", "--time=10", *options)
    cluster.wait_state(job_id, "RUNNING")
    return job_id


def lender(cluster, *options):
    job_id = submit_vm(cluster, "long", 8, options=["--time=10", *options])
    wait_tasks(cluster, job_id, cluster.wait_state(job_id, "RUNNING").tasks)
    return job_id


def suspend(cluster, job_id):
    """It holds its node, and none of its cores."""
    cluster.run("scontrol", "suspend", job_id)
    cluster.wait_state(job_id, "SUSPENDED")


@pytest.mark.parametrize("submit, options", [(ordinary, []), (ordinary, DAEMON), (lender, DAEMON)],
                         ids=["who did not ask", "another user's who did not ask", "another user's"])
def test_urgent_job_preempts_strangers_and_has_the_node(cluster, submit, options):
    stranger = submit(cluster, *ON_N1, *options)
    urgent = submit_vm(cluster, "long", 8, options=[*URGENT, *ON_N1])
    assert cluster.wait_state(urgent, "RUNNING").core_count == 8
    wait_tasks(cluster, urgent, 8)
    assert stays(cluster, lambda: cluster.job(stranger).state == "PENDING")
    assert cluster.violations() == []


@pytest.mark.core
def test_stranger_that_leaves_cores_free_is_preempted_too(cluster):
    strangers = lender(cluster, *DAEMON, *ON_N1), lender(cluster, *DAEMON, *ON_N2)
    suspend(cluster, strangers[1])
    urgent = submit_vm(cluster, "long", 16, options=URGENT)
    assert cluster.wait_state(urgent, "RUNNING").core_count == 16
    assert [cluster.job(job_id).state for job_id in strangers] == ["PENDING", "PENDING"]


@pytest.mark.parametrize("is_suspended", [False, True], ids=["running", "suspended"])
def test_who_may_not_be_preempted_stays_alone(cluster, is_suspended):
    stranger = lender(cluster, *DAEMON, *URGENT, *ON_N1)
    if is_suspended:
        suspend(cluster, stranger)
    urgent = submit_vm(cluster, "long", 8, options=[*URGENT, *ON_N1])
    assert stays(cluster, lambda: cluster.job(urgent).state == "PENDING", 3)
    cluster.run("scancel", stranger)
    assert cluster.wait_state(urgent, "RUNNING").core_count == 8


def test_company_is_folded_and_not_preempted(cluster):
    company = lender(cluster, *ON_N1)
    urgent = submit_vm(cluster, "short", 8, "1:00", options=[*URGENT, *ON_N1])
    assert cluster.wait_state(urgent, "RUNNING").core_count == 4
    assert wait_cores(cluster, company, 4).fields["Restarts"] == "0"
