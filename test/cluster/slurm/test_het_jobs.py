# SPDX-License-Identifier: GPL-2.0-or-later
"""Heterogeneous jobs, which Slurm takes only if it reads SchedulerType=sched/backfill. It asks that once: for the first."""

import re

import pytest
from scenario import FOREVER, PEER_GONE, fold, stays, submit_het, submit_vm, vmall_conf, wait_confined, wait_cores, wait_reason
from vmcluster import Node

CLUSTER = {
    "nodes": [Node("n1"), Node("n2", cpus=2)],
    "partitions": {"main": "Nodes=n1 Default=YES", "other": "Nodes=n2", "both": "Nodes=n1,n2"},
}

# Of Slurm's own, when it cancels the components of a job.
TWICE = r"Job/step already completing or completed"


@pytest.mark.core
@pytest.mark.log_errors(TWICE)
def test_het_job_is_an_ordinary_one_although_it_asked_beside_a_folded_job_after_a_restart(cluster):
    jobs = fold(cluster, options=["--time=30"])
    cluster.restart_slurmctld()
    components = submit_het(cluster, ["-n3", "--vm-class=short", "--vm-procs=3,2"], ["-pother", "-n2"])
    cluster.run("scancel", jobs.guest, jobs.other)  # so that there is room for it when the folded job has its cores back
    for component, cores in zip(components, (3, 2)):
        assert cluster.wait_state(component, "RUNNING").core_count == cores
    assert not cluster.vmctl_jobs().keys() & set(components)
    cluster.run("scancel", components[0])
    wait_cores(cluster, jobs.folded, 4)
    wait_confined(cluster, jobs.folded)


@pytest.mark.log_errors(TWICE)
def test_malleable_job_does_not_overtake_a_het_job_that_it_would_delay(cluster):
    first = cluster.submit(FOREVER, "-n4", "--time=1")
    cluster.wait_state(first, "RUNNING")
    components = submit_het(cluster, ["-n8"], ["-pother", "-n1"])
    behind = submit_vm(cluster, "long", 4, "2:00:00")
    assert stays(cluster, lambda: cluster.job(behind).state == "PENDING")
    cluster.run("scancel", first)
    for component in components:
        cluster.wait_state(component, "RUNNING")
    assert cluster.job(behind).state == "PENDING"
    cluster.run("scancel", components[0])
    cluster.wait_state(behind, "RUNNING")


@pytest.mark.log_errors(TWICE)
def test_jobs_between_the_components_of_a_het_job_do_not_wait_for_it(cluster):
    """Where they go by their places in the queue."""
    with vmall_conf(cluster, QueueDiscipline="easy"):
        first = cluster.submit(FOREVER, "-pother", "-n2", "--time=1")
        cluster.wait_state(first, "RUNNING")
        components = submit_het(cluster, ["-pboth", "-n4"], ["-pother", "-n2"])
        cluster.run("scontrol", "hold", components[1])
        between = submit_vm(cluster, "long", 2, options=["-pother"])
        cluster.run("scontrol", "release", components[1])  # which is the last one of the queue from now on
        cluster.run("scancel", first)
        cluster.wait_state(between, "RUNNING")
        cluster.run("scancel", between)
        for component in components:
            cluster.wait_state(component, "RUNNING")
        cluster.run("scancel", components[0])


@pytest.mark.log_errors(TWICE)
def test_nobody_waits_for_a_het_job_that_is_held(cluster):
    first = cluster.submit(FOREVER, "-n8", "--time=1")
    cluster.wait_state(first, "RUNNING")
    components = submit_het(cluster, ["-n8"], ["-pother", "-n1"])
    cluster.run("scontrol", "hold", components[1])
    behind = submit_vm(cluster, "long", 8)
    cluster.run("scancel", first)
    cluster.wait_state(behind, "RUNNING")
    cluster.run("scancel", components[0], behind)


@pytest.mark.log_errors(TWICE)
def test_job_that_does_not_fit_keeps_no_het_job_from_an_idle_machine(cluster):
    too_large = submit_vm(cluster, "long", 9)
    wait_reason(cluster, too_large, "does not fit this machine")
    components = submit_het(cluster, ["-n4"], ["-pother", "-n1"])
    for component in components:
        cluster.wait_state(component, "RUNNING")
    assert cluster.job(too_large).state == "PENDING"
    cluster.run("scancel", components[0])


@pytest.mark.log_errors(TWICE + "|" + PEER_GONE)
def test_first_het_job_after_a_reconfiguration_is_taken(cluster):
    cluster.restart_slurmctld()
    cluster.reconfigure()
    assert re.search(r"(?m)^SchedulerType += sched/backfill$", cluster.run("scontrol", "show", "config").stdout)
    components = submit_het(cluster, ["-n1"], ["-pother", "-n1"])
    for component in components:
        cluster.wait_state(component, "RUNNING")
    cluster.run("scancel", components[0])
