# SPDX-License-Identifier: GPL-2.0-or-later
"""Errors in slurmctld's log that Slurm's own records cause: the same on a cluster without anything of ours."""

import re

import evidence
import pytest
from vmcluster import Cluster

OVERFLOW = r"job overflow: "
NO_NODES = r"build_cg_bitmap: node_bitmap is NULL"


def resume_beside_another(cluster):
    """A suspended job lends its cores; resumed while somebody has them, Slurm counts them twice."""
    first = cluster.submit("exec sleep 600", "-n8")
    cluster.wait_state(first, "RUNNING")
    cluster.run("scontrol", "suspend", first)
    cluster.wait_state(first, "SUSPENDED")
    second = cluster.submit("exec sleep 600", "-n8")
    cluster.wait_state(second, "RUNNING")
    cluster.run("scontrol", "resume", first)
    cluster.wait_state(first, "RUNNING")


def requeue_what_never_ran(cluster):
    """A job that was cancelled while it waited has no nodes from which it could be requeued."""
    job = cluster.submit("exec sleep 600", "-n1", "--hold")
    cluster.run("scancel", job)
    cluster.wait_state(job, "CANCELLED")
    cluster.run("scontrol", "requeue", job)
    cluster.wait_state(job, "PENDING")


def lines(log, pattern):
    """Without what differs from run to run."""
    return [re.sub(r"^\[[^]]*\] ", "", line) for line in log.read_text(errors="replace").splitlines() if re.search(pattern, line)]


def record(request, build, scheduler, story, pattern):
    with evidence.watched(request, Cluster(build, scheduler, keep=True)) as cluster:
        story(cluster)
        cluster.cancel_all()
        return lines(cluster.slurmctld.log, pattern)


@pytest.mark.parametrize("story, pattern", [
    pytest.param(resume_beside_another, OVERFLOW, id="job overflow"),
    pytest.param(requeue_what_never_ran, NO_NODES, id="no nodes"),
])
def test_our_log_has_no_more_of_stock_slurms_errors_than_its_own(request, build, story, pattern):
    stock = record(request, None, "stock", story, pattern)
    assert stock, "the story does not provoke it any more"
    assert record(request, build, "vmall", story, pattern) == stock
