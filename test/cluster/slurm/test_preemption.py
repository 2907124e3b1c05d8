# SPDX-License-Identifier: GPL-2.0-or-later
"""Preemption by Slurm partition: virtually malleable jobs on both sides."""

import json

import pytest
from scenario import FOREVER, fold, submit_vm, vmall_conf, wait_confined, wait_cores, wait_passes, wait_tasks

CLUSTER = {
    "slurm_conf": {"PreemptType": "preempt/partition_prio", "PreemptMode": "REQUEUE", "SchedulerParameters": "bf_interval=3",
                   "KillWait": 8},
    "partitions": {"main": "Nodes=ALL Default=YES PriorityTier=1", "cheap": "Nodes=ALL PriorityTier=1 PreemptMode=CANCEL",
                   "urgent": "Nodes=ALL PriorityTier=2"},
    "vmall_conf": {"ResizeRetryInterval": 1},
}

URGENT = ["--partition=urgent", "--time=10"]


def wait_preempted(cluster, *job_ids):
    """Slurm gives a job's cores to the one that preempts it before it has ended."""
    for job_id in job_ids:
        cluster.wait_state(job_id, "PENDING")


@pytest.mark.core
@pytest.mark.parametrize("partition, then", [("main", "PENDING"), ("cheap", "PREEMPTED")], ids=["requeued", "cancelled"])
def test_ordinary_job_preempts_a_folded_one(cluster, partition, then):
    jobs = fold(cluster, options=[f"--partition={partition}"])
    urgent = cluster.submit(FOREVER, "-n8", *URGENT)
    cluster.wait_state(urgent, "RUNNING")
    cluster.wait_state(jobs.folded, then)
    wait_preempted(cluster, jobs.other, jobs.guest)
    assert cluster.violations() == []


@pytest.mark.parametrize("kind", ["short", "long"])
def test_malleable_job_preempts_ordinary_ones(cluster, kind):
    first, second = (cluster.submit(FOREVER, "-n4", "--time=10") for _ in range(2))
    for job_id in (first, second):
        cluster.wait_state(job_id, "RUNNING")
    urgent = submit_vm(cluster, kind, "8,4", options=URGENT)
    wait_tasks(cluster, urgent, cluster.wait_state(urgent, "RUNNING").tasks)
    # At least one had to go; both may have.
    cluster.wait_until(lambda: "PENDING" in (cluster.job(first).state, cluster.job(second).state), "a job to wait again")


def test_malleable_job_preempts_folded_ones(cluster):
    """As it may not start folded."""
    with vmall_conf(cluster, MaxMplPerJob="4,partition/urgent:1"):
        jobs = fold(cluster)
        urgent = submit_vm(cluster, "short", 8, options=URGENT)
        assert cluster.wait_state(urgent, "RUNNING").core_count == 8
        wait_preempted(cluster, jobs.other, jobs.guest, jobs.folded)


def test_preempted_run_that_is_long_in_ending_keeps_its_account(cluster):
    """sched/backfill takes a job that is to run again for one that waits, and forgets when it started."""
    preempted = submit_vm(cluster, "long", 8, script="trap '' TERM; while :; do sleep 0.2; done")
    cluster.wait_state(preempted, "RUNNING")
    wait_passes(cluster)
    cycles = cluster.backfill_cycles()
    cluster.submit(FOREVER, "-n8", *URGENT)
    cluster.wait_until(lambda: cluster.backfill_cycles() > cycles + 1, "sched/backfill to look at the queue")

    def ended():
        rows = json.loads(cluster.vmctl("history", "--json", preempted).stdout)["history"]
        return next((row for row in rows if row["event"] == "ended"), None)
    balance = cluster.wait_until(ended, "the end of the run to be told")["balance"]
    assert balance["core_seconds"] > 0 == balance["core_seconds_lent"] == balance["seconds_lost"]


@pytest.mark.core
def test_nobody_is_preempted_where_a_fold_makes_room(cluster):
    folded = submit_vm(cluster, "long", 8)
    wait_tasks(cluster, folded, cluster.wait_state(folded, "RUNNING").tasks)
    urgent = submit_vm(cluster, "short", 4, options=URGENT)
    assert cluster.wait_state(urgent, "RUNNING").core_count == 4
    assert wait_cores(cluster, folded, 4).fields["Restarts"] == "0"
    wait_confined(cluster, folded)


def test_nobody_is_preempted_while_a_failed_fold_may_be_tried_again(cluster):
    ordinary = cluster.submit("exec sleep 600", "-n8", "--time=10")
    cluster.wait_state(ordinary, "RUNNING")
    with vmall_conf(cluster, ResizeRetryInterval=600):
        urgent = submit_vm(cluster, "short", 8, script="exec sleep 600", options=URGENT)
        cluster.wait_until(lambda: "waits_for_2_cores" in cluster.job(urgent).reason, "the job to wait for cores")
        wait_passes(cluster)
        assert cluster.job(ordinary).state == "RUNNING"
    wait_preempted(cluster, ordinary)
    cluster.wait_state(urgent, "RUNNING")


def test_job_that_nobody_may_be_preempted_for_is_planned_for_later(cluster):
    """sched/fjt asks Slurm what would start now, between any two looks of sched/backfill at the queue."""
    for where in ((), ("--partition=urgent",)):
        cluster.wait_state(cluster.submit("exec sleep 600", "-n4", "--time=10", *where), "RUNNING")
    waiting = submit_vm(cluster, "short", 8, script="exec sleep 600", options=URGENT)
    cluster.wait_until(lambda: "waits_for_2_cores" in cluster.job(waiting).reason, "the job to wait for cores")
    wait_passes(cluster)
    wait_passes(cluster)
    cycles = cluster.backfill_cycles()
    cluster.run("scontrol", "update", f"JobId={waiting}", "Comment=changed")  # else it has nothing to look at
    cluster.wait_until(lambda: cluster.backfill_cycles() > cycles, "sched/backfill to look at the job")
    assert cluster.job(waiting).fields["StartTime"] != "Unknown"
