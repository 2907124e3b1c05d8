# SPDX-License-Identifier: GPL-2.0-or-later
"""A node agent that does not answer: the job keeps its cores, nobody else gets them, and it is tried again."""

import json
import os
import signal
from contextlib import contextmanager
from pathlib import Path

import pytest
from scenario import (Silenced, allocated, fold, send_guest, stays, unfolded, vm_options, vmall_conf, wait_confined,
                      wait_cores, wait_unanswered)
from vmcluster import slurm_daemon

CLUSTER = {"vmall_conf": {"AgentTimeout": 5}}

SILENT = r"agent|n1|[Cc]onnect|[Cc]ommunication|[Tt]imed? ?out|[Zz]ero [Bb]ytes|slurm_receive_msg"


@pytest.mark.core
@pytest.mark.log_errors(SILENT)
@pytest.mark.parametrize("how", ["hangs", "is dead"])
def test_nothing_is_released_while_the_agent(cluster, how):
    with vmall_conf(cluster, MaxMpl=1):
        jobs = unfolded(cluster)
        send_guest(cluster, jobs)
        with Silenced(cluster, "n1", how):
            cluster.vmctl("set", "MaxMpl=4")
            wait_unanswered(cluster, jobs.folded)
            assert stays(cluster, lambda: cluster.job(jobs.folded).core_count == 4)
            assert cluster.job(jobs.guest).state == "PENDING"
            assert cluster.violations() == []
    wait_cores(cluster, jobs.folded, 1)
    cluster.wait_state(jobs.guest, "RUNNING")
    wait_confined(cluster, jobs.folded)


@pytest.mark.log_errors(SILENT)
def test_folded_job_unfolds_once_the_agent_is_back(cluster):
    jobs = fold(cluster)
    with Silenced(cluster, "n1", "hangs"):
        cluster.run("scancel", jobs.guest)
        assert stays(cluster, lambda: cluster.job(jobs.folded).state == "RUNNING")
    wait_cores(cluster, jobs.folded, 4)
    wait_confined(cluster, jobs.folded)


@contextmanager
def slurmd_in_background(cluster):
    cluster.slurmd["n1"].stop()
    cluster.run(slurm_daemon("slurmd"), "-N", "n1")
    cluster.wait_ready()
    try:
        yield
    finally:
        cluster.cancel_all()
        pid = int((cluster.root / "slurmd-n1.pid").read_text())
        os.kill(pid, signal.SIGTERM)
        cluster.wait_until(lambda: pid not in cluster.processes(), "slurmd to end")
        cluster.slurmd["n1"].start()
        cluster.wait_ready()


@pytest.mark.log_errors(SILENT)
def test_slurmd_in_the_background_has_an_agent_and_after_a_reconfiguration_too(cluster):
    with slurmd_in_background(cluster):
        jobs = fold(cluster)
        wait_confined(cluster, jobs.folded)
        cluster.reconfigure()
        cluster.run("scancel", jobs.guest)
        wait_cores(cluster, jobs.folded, 4)
        wait_confined(cluster, jobs.folded)


@contextmanager
def between_steps(cluster):
    """A job that no step is left of, and what its node's agent has of it."""
    stepped = cluster.directory / "stepped"
    command = "srun true; touch stepped; while [ -e stepped ]; do sleep 0.2; done"
    with allocated(cluster, *vm_options("short", 2), "bash", "-c", command) as (job_id, _):
        cluster.wait_until(stepped.exists, "a step to be over")
        directory = cluster.root / "run/n1" / str(job_id)
        (step,) = json.loads((directory / "state").read_text())["job"]["steps"]
        cluster.wait_until(lambda: not Path("/proc", str(step["pid"])).exists(), "its slurmstepd to be gone")
        try:
            yield directory
        finally:
            stepped.unlink()


@pytest.mark.log_errors(SILENT + "|damaged")
def test_a_job_between_two_steps_keeps_what_its_agent_has(cluster):
    nobodys = cluster.root / "run/n1/4000000"
    with between_steps(cluster) as directory:
        cluster.slurmd["n1"].stop()
        nobodys.mkdir()
        cluster.slurmd["n1"].start()
        cluster.wait_ready()
        cluster.wait_until(lambda: not nobodys.exists(), "the agent to have looked for jobs that have ended")
        assert (directory / "control").exists()


# The last: the numbers of jobs begin anew.
@pytest.mark.core
@pytest.mark.log_errors(SILENT)
def test_what_is_left_of_a_job_that_slurmctld_forgot_is_removed(cluster):
    with between_steps(cluster) as directory:
        cluster.slurmd["n1"].kill()
        cluster.slurmctld.stop()
        cluster.slurmctld.start("-c")
        cluster.slurmd["n1"].start()
        cluster.wait_ready()
        cluster.wait_until(lambda: not directory.exists(), "the agent to remove what is left of the job")
