# SPDX-License-Identifier: GPL-2.0-or-later
"""Queue discipline least-work, which is the default (doc/policy.md): starts, folds and grows real jobs."""

import pytest
from scenario import FOREVER, stays, submit_vm, wait_confined, wait_cores, wait_reason, wait_tasks

pytestmark = pytest.mark.core

CLUSTER = {
    "partitions": {"main": "Nodes=ALL Default=YES PriorityTier=5", "low": "Nodes=ALL PriorityTier=1"},
}


def start_long(cluster, where="main"):
    """One that has the whole machine."""
    job_id = submit_vm(cluster, "long", 8, options=["-p", where])
    assert cluster.wait_state(job_id, "RUNNING").core_count == 8
    wait_tasks(cluster, job_id, 8)
    return job_id


def submit_short(cluster, procs=4, where="main"):
    return submit_vm(cluster, "short", procs, "1:00", options=["-p", where])


def test_short_job_folds_a_long_one_and_starts_and_the_long_one_grows_back(cluster):
    long_job = start_long(cluster)
    tasks = cluster.tasks(long_job)
    short_job = submit_short(cluster)
    started = cluster.wait_state(short_job, "RUNNING")
    assert (started.core_count, started.tasks) == (4, 4)
    assert cluster.job(long_job).core_count == 4
    wait_confined(cluster, long_job)
    wait_tasks(cluster, short_job, 4)
    cluster.run("scancel", short_job)
    wait_cores(cluster, long_job, 8)
    wait_confined(cluster, long_job)
    assert cluster.tasks(long_job) == tasks


def test_short_job_starts_folded_where_the_floor_of_a_long_one_leaves_no_more(cluster):
    long_job = start_long(cluster)
    started = cluster.wait_state(short_job := submit_short(cluster, 8), "RUNNING")
    assert (started.core_count, started.tasks) == (4, 8), "six are above the floor, and MPL 2 needs four"
    wait_cores(cluster, long_job, 4)
    wait_tasks(cluster, short_job, 8)
    cluster.run("scancel", long_job)
    wait_cores(cluster, short_job, 8)
    wait_confined(cluster, short_job)


def test_job_with_more_work_waits_and_says_for_what(cluster):
    running = start_long(cluster)
    waiting = submit_vm(cluster, "long", 8, "20:00")
    wait_reason(cluster, waiting, "waits for 2 cores")
    behind = submit_vm(cluster, "long", 8, "30:00")
    wait_reason(cluster, behind, f"would delay job {waiting}")
    assert cluster.job(running).core_count == 8
    cluster.run("scancel", running)
    cluster.wait_state(waiting, "RUNNING")


def test_job_of_a_lower_tier_does_not_fold_one_of_a_higher_tier(cluster):
    long_job = start_long(cluster)
    short_job = submit_short(cluster, where="low")
    wait_reason(cluster, short_job, "waits for 1 core")
    assert stays(cluster, lambda: cluster.job(short_job).state == "PENDING" and cluster.job(long_job).core_count == 8)
    cluster.run("scancel", long_job)
    assert cluster.wait_state(short_job, "RUNNING").core_count == 4


def test_job_of_a_higher_tier_folds_one_of_a_lower_tier(cluster):
    """Though that has less work left."""
    lower = start_long(cluster, "low")
    higher = submit_vm(cluster, "long", 4, "1:00:00")
    assert cluster.wait_state(higher, "RUNNING").core_count == 4
    assert wait_cores(cluster, lower, 4)
    wait_tasks(cluster, higher, 4)


def test_room_is_made_for_a_job_that_did_not_ask(cluster):
    long_job = start_long(cluster)
    ordinary = cluster.submit(FOREVER, "-n4", "--time=5")
    assert cluster.wait_state(ordinary, "RUNNING").core_count == 4
    assert cluster.job(long_job).core_count == 4
    wait_confined(cluster, long_job)
    wait_tasks(cluster, ordinary, 4)
    cluster.run("scancel", ordinary)
    wait_cores(cluster, long_job, 8)
    wait_confined(cluster, long_job)


def test_job_that_did_not_ask_keeps_its_cores(cluster):
    ordinary = cluster.submit(FOREVER, "-n8")
    cluster.wait_state(ordinary, "RUNNING")
    short_job = submit_short(cluster)
    wait_reason(cluster, short_job, "waits for 1 core")
    assert stays(cluster, lambda: cluster.job(ordinary).core_count == 8 and cluster.job(short_job).state == "PENDING")
    cluster.run("scancel", ordinary)
    cluster.wait_state(short_job, "RUNNING")
