# SPDX-License-Identifier: GPL-2.0-or-later
"""Nodes that are drained, set down, rebooted or changed in slurm.conf while jobs are folded on them."""

import time

import pytest
from scenario import FOREVER, PEER_GONE, restarted_with, stays, submit_vm, wait_confined, wait_cores, wait_passes, wait_tasks
from vmcluster import Node

CLUSTER = {"nodes": [Node("n0", 1), Node("n1"), Node("n2")],
           "slurm_conf": {"RebootProgram": "/bin/true", "DebugFlags": "NO_CONF_HASH"}}


def fold_on_two_nodes(cluster):
    """A job of eight processes, folded onto two cores of each node for a guest of as many, and who has the rest of both nodes."""
    other = cluster.submit(FOREVER, "-N2", "-n8", "--ntasks-per-node=4")
    wait_tasks(cluster, other, 8)
    folded = submit_vm(cluster, "long", 8, options=["-N2"])
    cluster.wait_state(folded, "RUNNING")
    guest = submit_vm(cluster, "short", 4, "1:00", options=["-N2"])
    wait_cores(cluster, folded, 4)
    wait_tasks(cluster, guest, 4)  # its srun may give up if slurmctld is away before (26.05)
    return other, guest, folded


def set_node(cluster, state):
    cluster.run("scontrol", "update", "node=n1", f"state={state}", "reason=test")


def lose_node(cluster):
    """n1's slurmd is gone, and slurmctld has noticed."""
    def unheard():
        set_node(cluster, "noresp")  # 24.11 takes note of earlier answers two seconds late, which undoes this
        time.sleep(3)
        return cluster.node_states()["n1"].endswith("*")

    cluster.slurmd["n1"].kill()
    cluster.wait_until(unheard, "n1 not to respond")


# Of the node that is down and still runs what was requeued, or that is not there for a while.
@pytest.mark.core
@pytest.mark.log_errors("Registered PENDING JobId=|Orphan JobId=|" + PEER_GONE)
def test_folded_job_grows_while_its_node_drains_and_is_requeued_when_it_goes_down(cluster):
    _, guest, folded = fold_on_two_nodes(cluster)
    before = cluster.job(folded).cores
    set_node(cluster, "drain")
    lose_node(cluster)
    cluster.run("scancel", guest)
    cluster.wait_until(lambda: cluster.job(guest).state != "RUNNING", "the guest to be ending")
    wait_passes(cluster)
    assert cluster.job(folded).cores == before
    assert cluster.violations() == []
    cluster.slurmd["n1"].start()
    wait_cores(cluster, folded, 8)  # nobody else may have those of the node that is drained
    wait_confined(cluster, folded)
    assert cluster.node_states()["n1"] == "draining"
    set_node(cluster, "resume")
    set_node(cluster, "down")
    cluster.wait_state(folded, "PENDING")
    cluster.wait_ready()
    assert cluster.violations() == []


def test_node_reboots_when_the_folded_job_has_left_it(cluster):
    other, guest, folded = fold_on_two_nodes(cluster)
    cluster.run("scontrol", "reboot", "ASAP", "nextstate=RESUME", "n1")
    assert stays(cluster, lambda: cluster.job(folded).core_count == 4)
    assert cluster.node_states()["n1"] == "draining@"
    cluster.run("scancel", other, guest, folded)
    cluster.wait_until(lambda: cluster.node_states()["n1"] == "reboot^", "the reboot to be issued")
    cluster.slurmd["n1"].stop()
    time.sleep(2)  # it is to boot after the reboot was issued, in whole seconds
    cluster.slurmd["n1"].start("-b")
    cluster.wait_ready()
    cluster.wait_state(submit_vm(cluster, "short", 8, options=["-N2"]), "RUNNING")


@pytest.mark.log_errors("lookup failure for node|vanished from configuration")
def test_folded_job_stays_on_its_nodes_when_others_come_and_go(cluster):
    *_, folded = fold_on_two_nodes(cluster)
    before = cluster.job(folded).cores
    with restarted_with(cluster, lambda line: "" if line.startswith("NodeName=n0 ") else line):
        assert "n0" not in cluster.node_states()
        assert cluster.job(folded).cores == before
        assert cluster.violations() == []
        wait_confined(cluster, folded)
    assert cluster.job(folded).cores == before
    cluster.wait_ready()
    wait_confined(cluster, folded)
    cluster.wait_state(submit_vm(cluster, "short", 1), "RUNNING")
    assert cluster.violations() == []


@pytest.mark.log_errors("valid_job_resources|Aborting JobId")
def test_jobs_of_a_node_with_other_cores_are_requeued(cluster):
    all_three = fold_on_two_nodes(cluster)
    with restarted_with(cluster, lambda line: line.replace("CPUs=8", "CPUs=6").replace("CoresPerSocket=8", "CoresPerSocket=6")
                        if line.startswith("NodeName=n1 ") else line):
        cluster.wait_until(lambda: {cluster.job(job).state for job in all_three} == {"PENDING"},
                           "Slurm to requeue what ran there")
        assert cluster.violations() == []
        cluster.cancel_all()
    cluster.wait_ready()
