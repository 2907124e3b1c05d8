# SPDX-License-Identifier: GPL-2.0-or-later
"""Nodes that are drained, set down or rebooted while jobs are folded on them."""

import time

from scenario import submit_vm, wait_cores
from vmcluster import Node

CLUSTER = {"nodes": [Node("n1"), Node("n2")], "slurm_conf": {"RebootProgram": "/bin/true"}}


def fold_on_two_nodes(cluster):
    """A head of twelve processes, and a job of eight folded for it onto two cores of each node."""
    first = cluster.submit("exec srun sleep 4", "-N2", "-n8", "--ntasks-per-node=4", "--time=1")
    cluster.wait_state(first, "RUNNING")
    head = submit_vm(cluster, "long", 12, options=["-N2"])
    folded = submit_vm(cluster, "short", 8, "0:02", options=["-N2"])
    wait_cores(cluster, folded, 4)
    cluster.wait_state(head, "RUNNING")
    return head, folded


def set_node(cluster, state):
    cluster.run("scontrol", "update", "node=n1", f"state={state}", "reason=test")


def test_folded_job_outlives_draining_and_is_requeued_when_its_node_goes_down(cluster):
    head, folded = fold_on_two_nodes(cluster)
    before = cluster.job(folded).cores
    set_node(cluster, "drain")
    assert all(cluster.job(folded).cores == before for _ in cluster.sampled(2))
    assert cluster.violations() == []
    set_node(cluster, "resume")
    cluster.run("scancel", head)
    wait_cores(cluster, folded, 8)
    set_node(cluster, "down")
    cluster.wait_state(folded, "PENDING")
    cluster.wait_ready()
    assert cluster.violations() == []


def test_node_reboots_when_the_folded_job_has_left_it(cluster):
    head, folded = fold_on_two_nodes(cluster)
    cluster.run("scontrol", "reboot", "ASAP", "nextstate=RESUME", "n1")
    assert all(cluster.job(folded).core_count == 4 for _ in cluster.sampled(2))
    assert cluster.node_states()["n1"] == "draining@"
    cluster.run("scancel", head, folded)
    cluster.wait_until(lambda: cluster.node_states()["n1"] == "reboot^", 20, "the reboot to be issued")
    cluster.slurmd["n1"].stop()
    time.sleep(2)  # it is to boot after the reboot was issued, in whole seconds
    cluster.slurmd["n1"].start("-b")
    cluster.wait_ready()
    cluster.wait_state(submit_vm(cluster, "short", 8, options=["-N2"]), "RUNNING")
