# SPDX-License-Identifier: GPL-2.0-or-later
"""Jobs that are held, released, requeued, suspended, resumed and moved to the top of their user's, as without us."""

import pytest
from scenario import FOREVER, WHOLE, fold, stays, submit_vm, submit_whole, vmall_conf, wait_confined, wait_cores, wait_tasks

CLUSTER = {"vmall_conf": WHOLE, "slurm_conf": {"SchedulerParameters": "bf_interval=1,enable_user_top,bf_max_job_test=2"}}


def is_held(cluster, job):
    found = cluster.job(job)
    return found.state == "PENDING" and found.fields["Priority"] == "0" and "eld" in found.reason


def full(cluster):
    """An ordinary job that holds all cores."""
    job = cluster.submit(FOREVER, "-n8")
    cluster.wait_state(job, "RUNNING")
    return job


@pytest.mark.core
def test_held_job_lets_others_pass_until_it_is_released(cluster):
    running = full(cluster)
    held = submit_vm(cluster, "long", 8)
    other = submit_vm(cluster, "long", 8)
    cluster.run("scontrol", "hold", held)
    cluster.run("scancel", running)
    cluster.wait_state(other, "RUNNING")
    assert stays(cluster, lambda: is_held(cluster, held))
    cluster.run("scontrol", "release", held)
    cluster.wait_until(lambda: not is_held(cluster, held), "the job to be released")
    cluster.run("scancel", other)
    cluster.wait_state(held, "RUNNING")


def test_top_changes_the_order_in_which_virtually_malleable_jobs_start(cluster):
    """The last of more than are looked at (bf_max_job_test) becomes the first, where nobody has to be patient."""
    with vmall_conf(cluster, Patience=0):
        running = full(cluster)
        *others, last = (submit_whole(cluster, 8) for _ in range(4))
        cluster.run("scontrol", "top", last)
        cluster.run("scancel", running)
        cluster.wait_state(last, "RUNNING")
        assert {cluster.job(job).state for job in others} == {"PENDING"}


def test_folded_job_is_not_moved_by_a_hold_but_waits_when_it_is_requeued_and_held(cluster):
    jobs = fold(cluster)
    cluster.run("scontrol", "hold", jobs.folded)
    assert stays(cluster, lambda: cluster.job(jobs.folded).core_count == 1)
    cluster.run("scontrol", "requeuehold", jobs.folded)
    cluster.wait_state(jobs.folded, "PENDING")
    cluster.run("scancel", jobs.guest)
    assert stays(cluster, lambda: is_held(cluster, jobs.folded)), cluster.job(jobs.folded)
    cluster.run("scontrol", "release", jobs.folded)
    cluster.wait_until(lambda: not is_held(cluster, jobs.folded), "the job to be released")


@pytest.mark.core
def test_suspended_folded_job_resumes_folded_and_unfolds_later(cluster):
    jobs = fold(cluster)
    tasks = wait_tasks(cluster, jobs.folded, 4)
    cluster.run("scontrol", "suspend", jobs.folded)
    suspended = cluster.wait_state(jobs.folded, "SUSPENDED")
    assert suspended.core_count == 1
    cluster.run("scontrol", "resume", jobs.folded)
    assert cluster.wait_state(jobs.folded, "RUNNING").core_count == 1
    assert cluster.violations() == []
    cluster.run("scancel", jobs.guest)
    wait_cores(cluster, jobs.folded, 4)
    wait_confined(cluster, jobs.folded)
    assert cluster.tasks(jobs.folded) == tasks


def test_suspended_job_is_not_resized(cluster):
    jobs = fold(cluster)
    cluster.run("scontrol", "suspend", jobs.folded)
    cluster.wait_state(jobs.folded, "SUSPENDED")
    cluster.run("scancel", jobs.guest)
    cluster.wait_state(jobs.guest, "CANCELLED")
    assert stays(cluster, lambda: cluster.job(jobs.folded).core_count == 1)
    cluster.run("scontrol", "resume", jobs.folded)
    wait_cores(cluster, jobs.folded, 4)
