# SPDX-License-Identifier: GPL-2.0-or-later
"""Users who give back memory of their running jobs, which Slurm grants since 26.05, once all nodes have confirmed it."""

import pytest
from scenario import Silenced, go_on, send_guest, stays, unfolded, wait_cores, wait_tasks
from vmcluster import installed_release

pytestmark = [pytest.mark.core, pytest.mark.skipif(installed_release() < (26, 5), reason="this Slurm leaves jobs their memory")]

CLUSTER = {"slurm_conf": {"PrologFlags": "Contain", "SelectTypeParameters": "CR_Core_Memory"}}
SOME_MEMORY = "--mem=200"


def shrink(cluster, job_id):
    cluster.run("scontrol", "update", f"JobId={job_id}", "MinMemoryNode=150")


def shrinks(cluster, job_id):
    return cluster.job(job_id).fields["JobState"] == "RESIZING"


def is_being_resized(cluster, job_id):
    return cluster.vmctl_jobs()[job_id]["resize_pending"]


def test_a_job_is_not_folded_until_all_its_nodes_have_shrunk_its_memory(cluster):
    story = unfolded(cluster, where=[SOME_MEMORY])
    cluster.wait_until(lambda: stays(cluster, lambda: not is_being_resized(cluster, story.folded)), "the node to know the job")
    with Silenced(cluster, "n1", "hangs"):
        shrink(cluster, story.folded)
        assert shrinks(cluster, story.folded)
        send_guest(cluster, story)
        assert stays(cluster, lambda: not is_being_resized(cluster, story.folded))
        assert shrinks(cluster, story.folded)
    wait_cores(cluster, story.folded, 1)
    wait_tasks(cluster, story.guest, 3)
    assert not shrinks(cluster, story.folded)


def test_memory_of_a_folded_job_shrinks(cluster):
    story = unfolded(cluster, where=[SOME_MEMORY])
    go_on(cluster, story)
    shrink(cluster, story.folded)
    cluster.wait_until(lambda: not shrinks(cluster, story.folded), "the node to confirm")
    assert "mem=150M" in cluster.job(story.folded).fields["AllocTRES"]
    cluster.run("scancel", story.guest)
    wait_cores(cluster, story.folded, 4)
