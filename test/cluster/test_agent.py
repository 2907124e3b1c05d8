# SPDX-License-Identifier: GPL-2.0-or-later
"""A node agent that does not answer: the job keeps its cores, nobody else gets them, and it is tried again."""

import os
import signal
from contextlib import contextmanager

import pytest
from scenario import Silenced, backfill, end_first, fold, stays, vmall_conf, wait_confined, wait_cores, wait_unanswered

CLUSTER = {"vmall_conf": {"AgentTimeout": 5}}

SILENT = r"agent|n1|[Cc]onnect|[Cc]ommunication|[Tt]imed? ?out|[Zz]ero [Bb]ytes|slurm_receive_msg"


@pytest.mark.log_errors(SILENT)
@pytest.mark.parametrize("how", ["hangs", "is dead"])
def test_nothing_is_released_while_the_agent(cluster, how):
    with vmall_conf(cluster, WindowPolicy="keep"):
        jobs = backfill(cluster)
        end_first(cluster, jobs)
        with Silenced(cluster, "n1", how):
            cluster.vmctl("set", "WindowPolicy=shrink")
            wait_unanswered(cluster, jobs.backfilled)
            assert stays(cluster, lambda: cluster.job(jobs.backfilled).core_count == 4)
            assert cluster.job(jobs.head).state == "PENDING"
            assert cluster.violations() == []
    wait_cores(cluster, jobs.backfilled, 1)
    cluster.wait_state(jobs.head, "RUNNING")
    wait_confined(cluster, jobs.backfilled)


@pytest.mark.log_errors(SILENT)
def test_folded_job_unfolds_once_the_agent_is_back(cluster):
    jobs = fold(cluster)
    with Silenced(cluster, "n1", "hangs"):
        cluster.run("scancel", jobs.head)
        assert stays(cluster, lambda: cluster.job(jobs.backfilled).state == "RUNNING")
    wait_cores(cluster, jobs.backfilled, 4)
    wait_confined(cluster, jobs.backfilled)


@contextmanager
def slurmd_in_background(cluster):
    cluster.slurmd["n1"].stop()
    cluster.run("/usr/sbin/slurmd", "-N", "n1")
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
        wait_confined(cluster, jobs.backfilled)
        cluster.reconfigure()
        cluster.run("scancel", jobs.head)
        wait_cores(cluster, jobs.backfilled, 4)
        wait_confined(cluster, jobs.backfilled)
