# SPDX-License-Identifier: GPL-2.0-or-later
"""A slurmstepd that is killed: the ranks that it leaves are moved all the same, its job is not frozen, and what the job
leaves on the node goes with its end."""

import os
import signal
from pathlib import Path

import pytest
from scenario import go_on, send_guest, unfolded, wait_confined, wait_cores

KILLED = r"slurmstepd|step|[Cc]onnect|[Cc]ommunication|[Zz]ero [Bb]ytes|slurm_receive_msg|kill|unix_domain|srun|task"

pytestmark = pytest.mark.log_errors(KILLED)


def parent(pid):
    return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])


def kill_stepd(cluster, job_id):
    """Of the step that runs the job's tasks; these run on."""
    tasks = cluster.tasks(job_id)
    stepd, = {parent(pid) for pid in tasks.values()}
    os.kill(stepd, signal.SIGKILL)
    cluster.wait_until(lambda: not Path(f"/proc/{stepd}").exists(), "the slurmstepd to be gone")
    assert cluster.tasks(job_id) == tasks
    return tasks


def end_orphans(tasks):
    """Slurm does not know of them any more."""
    for pid in tasks.values():
        os.kill(pid, signal.SIGKILL)


@pytest.mark.core
def test_ranks_without_slurmstepd_are_folded_and_unfolded(cluster):
    jobs = unfolded(cluster)
    tasks = kill_stepd(cluster, jobs.folded)
    try:
        go_on(cluster, jobs)
        wait_confined(cluster, jobs.folded)
        assert cluster.violations() == []
        cluster.run("scancel", jobs.guest)
        wait_cores(cluster, jobs.folded, 4)
        wait_confined(cluster, jobs.folded)
    finally:
        end_orphans(tasks)


def test_a_job_between_steps_is_not_frozen_by_the_socket_of_a_killed_one(cluster):
    jobs = unfolded(cluster, "srun sleep 600\ntouch step.0.over\nexec srun sleep 600")
    end_orphans(kill_stepd(cluster, jobs.folded))
    go_on(cluster, jobs)
    cluster.run("scancel", jobs.guest)
    wait_cores(cluster, jobs.folded, 4)


def test_what_the_job_left_is_gone_with_its_end(cluster):
    jobs = unfolded(cluster)
    directory = cluster.root / "run/n1" / str(jobs.folded)
    assert directory.exists()
    tasks = kill_stepd(cluster, jobs.folded)
    try:
        send_guest(cluster, jobs)
        cluster.run("scancel", jobs.folded)
        cluster.wait_end(jobs.folded)
        cluster.wait_until(lambda: not directory.exists(), "the job's files to be removed")
    finally:
        end_orphans(tasks)
