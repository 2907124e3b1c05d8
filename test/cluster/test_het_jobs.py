# SPDX-License-Identifier: GPL-2.0-or-later
"""Heterogeneous jobs, for which SchedulerType stays sched/backfill: slurmctld/fjt starts sched/fjt beside it."""

import json

import pytest
from scenario import FOREVER, fold, submit_vm, vmall_conf, wait_confined, wait_cores
from vmcluster import Node, installed_release

pytestmark = pytest.mark.skipif(installed_release() >= (23, 2), reason="this release has no SlurmctldPlugstack")

CLUSTER = {
    "nodes": [Node("n1"), Node("n2", cpus=2)],
    "partitions": {"main": "Nodes=n1 Default=YES", "other": "Nodes=n2"},
    "slurm_conf": {"SchedulerType": "sched/backfill", "SlurmctldPlugstack": "fjt"},
}

# Of Slurm's own, when it cancels the components of a job.
TWICE = r"Job/step already completing or completed"


def submit_het(cluster, first, second):
    """A job of two components with these options on the two nodes; their ids."""
    leader = cluster.submit(FOREVER.replace("srun", "srun --het-group=0,1"), "-pmain", "--time=10", *first,
                            ":", "-pother", "--time=10", *second)
    return leader, leader + 1


@pytest.mark.log_errors(TWICE)
def test_het_job_is_an_ordinary_one_although_it_asked_beside_a_folded_job_after_a_restart(cluster):
    jobs = fold(cluster, options=["--time=30"])
    cluster.restart_slurmctld()
    components = submit_het(cluster, ["-n7", "--vm-class=short", "--vm-procs=7,4"], ["-n2"])
    cluster.run("scancel", jobs.head)
    for component, cores in zip(components, (7, 2)):
        assert cluster.wait_state(component, "RUNNING").core_count == cores
    assert cluster.job(jobs.backfilled).core_count == 1
    assert not cluster.vmctl_jobs().keys() & set(components)
    cluster.run("scancel", components[0])
    wait_cores(cluster, jobs.backfilled, 4)
    wait_confined(cluster, jobs.backfilled)


@pytest.mark.log_errors(TWICE)
def test_malleable_job_does_not_overtake_a_het_job_that_it_would_delay(cluster):
    first = cluster.submit("exec srun sleep 3", "-n4", "--time=1")
    cluster.wait_state(first, "RUNNING")
    components = submit_het(cluster, ["-n8"], ["-n1"])
    behind = submit_vm(cluster, "short", 4)
    for component in components:
        cluster.wait_state(component, "RUNNING")
    assert cluster.job(behind).state == "PENDING"
    cluster.run("scancel", components[0])
    cluster.wait_state(behind, "RUNNING")


def test_reconfiguration_reaches_the_scheduler_beside_sched_backfill(cluster):
    def window_mpl():
        rows = json.loads(cluster.vmctl("config", "--json").stdout)["config"]
        return next(row["value"] for row in rows if row["key"] == "WindowMpl")

    with vmall_conf(cluster, WindowMpl=2):
        cluster.wait_until(lambda: window_mpl() == "2", 10, "vmall.conf to be read again")
    cluster.wait_until(lambda: window_mpl() == "4", 10, "vmall.conf to be read again")
