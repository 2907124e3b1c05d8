# SPDX-License-Identifier: GPL-2.0-or-later
"""However a folded job ends, all that it held is free afterwards."""

import json

import pytest
from scenario import fold, wait_confined, wait_cores, wait_tasks

# A job whose step ends when told so.
ON_REQUEST = "exec srun bash -c 'until [ -e done.$SLURM_JOB_ID ]; do sleep 0.2; done'"


def assert_gone(cluster, job_id):
    cluster.wait_until(lambda: not cluster.tasks(job_id), f"the tasks of job {job_id} to be gone")
    cluster.wait_until(lambda: job_id not in cluster.squeue_cpus(), f"job {job_id} to give its cores back")


@pytest.mark.core
def test_folded_job_ends_by_itself(cluster):
    jobs = fold(cluster, ON_REQUEST)
    (cluster.directory / f"done.{jobs.folded}").touch()
    job = cluster.wait_end(jobs.folded)
    assert (job.state, job.exit_code) == ("COMPLETED", "0:0")
    assert_gone(cluster, jobs.folded)
    assert cluster.job(jobs.guest).state == "RUNNING"


def test_folded_job_fails_by_itself(cluster):
    jobs = fold(cluster, ON_REQUEST.replace("done'", "done; exit 3'"))
    (cluster.directory / f"done.{jobs.folded}").touch()
    job = cluster.wait_end(jobs.folded)
    assert (job.state, job.exit_code) == ("FAILED", "3:0")
    assert_gone(cluster, jobs.folded)


@pytest.mark.core
def test_folded_job_is_cancelled(cluster):
    jobs = fold(cluster)
    cluster.run("scancel", jobs.folded)
    assert cluster.wait_end(jobs.folded).state == "CANCELLED"
    assert_gone(cluster, jobs.folded)


def test_folded_job_reaches_its_time_limit(cluster):
    jobs = fold(cluster)
    cluster.run("scontrol", "update", f"JobId={jobs.folded}", "TimeLimit=1")
    assert cluster.wait_end(jobs.folded).state == "TIMEOUT"
    assert_gone(cluster, jobs.folded)


def test_requeued_folded_job_starts_again_with_what_it_asked_for(cluster):
    jobs = fold(cluster)
    cluster.run("scontrol", "requeue", jobs.folded)
    cluster.wait_state(jobs.folded, "PENDING")
    cluster.run("scancel", jobs.guest)
    job = wait_cores(cluster, jobs.folded, 4)
    assert job.tasks == 4 and job.fields["Restarts"] == "1"
    assert len(wait_tasks(cluster, jobs.folded, 4)) == 4
    wait_confined(cluster, jobs.folded)
    state = json.loads((cluster.root / "run/n1" / str(jobs.folded) / "state").read_text())["job"]
    assert state["run"] == 1 and state["generation"] > 0  # it began with the target of this run, or was told it since


def test_head_ends_before_the_folded_job(cluster):
    jobs = fold(cluster, guest_script=ON_REQUEST)
    (cluster.directory / f"done.{jobs.guest}").touch()
    assert cluster.wait_end(jobs.guest).state == "COMPLETED"
    assert wait_cores(cluster, jobs.folded, 4).state == "RUNNING"
