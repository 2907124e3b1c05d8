# SPDX-License-Identifier: GPL-2.0-or-later
"""Nodes that are switched off while nobody needs them, and the jobs that wait for them to boot."""

import json
import time

import pytest
from scenario import PEER_GONE, allocated, stays, submit_vm, vm_options, wait_cores
from vmcluster import Node

# The programs do nothing: a test switches slurmd off and on itself, so a boot takes as long as it should.
CLUSTER = {"nodes": [Node("n1"), Node("n2")],
           "slurm_conf": {"SuspendProgram": "/bin/true", "ResumeProgram": "/bin/true", "SuspendTime": 3600,
                          "SuspendTimeout": 1, "ResumeTimeout": 300,
                          "SlurmctldParameters": "power_save_interval=1,power_save_min_interval=0"}}

# What slurmctld has asked a node that was switched off meanwhile.
pytestmark = pytest.mark.log_errors(PEER_GONE + "|not responding")


def wait_node(cluster, node, flag):
    """Until sinfo shows the node as switched off (~) or booting (#)."""
    cluster.wait_until(lambda: cluster.node_states()[node].endswith(flag), f"{node} to be {flag}")


def switch_off(cluster, node):
    cluster.slurmd[node].stop()
    cluster.run("scontrol", "update", f"node={node}", "state=power_down")
    wait_node(cluster, node, "~")


def boot(cluster, node):
    wait_node(cluster, node, "#")
    time.sleep(3)  # Slurm compares whole seconds: a node that booted in the one in which it was asked to is waited for on
    cluster.slurmd[node].start("-b")


def test_nobody_is_folded_for_a_job_that_can_have_a_node_that_is_off(cluster):
    switch_off(cluster, "n2")
    running = submit_vm(cluster, "long", 8, options=["-w", "n1"])
    wait_cores(cluster, running, 8)
    folds = cluster.vmctl_stats()["folds"]
    other = submit_vm(cluster, "long", 8)
    assert list(cluster.wait_state(other, "CONFIGURING").cores) == ["n2"]
    assert stays(cluster, lambda: cluster.job(running).core_count == 8)
    assert cluster.vmctl_stats()["folds"] == folds
    boot(cluster, "n2")
    cluster.wait_ready()


@pytest.mark.core
def test_doctor_does_not_ask_a_node_that_is_off(cluster):
    switch_off(cluster, "n2")
    checks = json.loads(cluster.vmctl("doctor", "--json").stdout)["checks"]
    assert [(check["where"], check["what"].startswith("not asked")) for check in checks if check["check"] == "agent"] == [
        (["n2"], True), (["n1"], False)]
    cluster.run("scontrol", "update", "node=n2", "state=power_up")
    boot(cluster, "n2")
    cluster.wait_ready()


def test_job_is_not_folded_before_its_node_has_booted(cluster):
    switch_off(cluster, "n2")
    unanswered = cluster.vmctl_stats()["unanswered"]
    # Its srun asks for a step before the node is up.
    with allocated(cluster, *vm_options("long", 8), "-w", "n2", "srun", "sleep", "600") as (job, _):
        cluster.wait_state(job, "CONFIGURING")
        guest = submit_vm(cluster, "short", 4, "1:00", options=["-w", "n2"])
        assert stays(cluster, lambda: cluster.job(job).core_count == 8)
        assert cluster.job(guest).state == "PENDING"
        assert cluster.vmctl_stats()["unanswered"] == unanswered
        boot(cluster, "n2")
        cluster.wait_state(job, "RUNNING")  # slurmctld looks every 30 seconds
        wait_cores(cluster, job, 4)
        cluster.wait_state(guest, "RUNNING")
