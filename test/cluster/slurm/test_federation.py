# SPDX-License-Identifier: GPL-2.0-or-later
"""Two clusters of a federation: a job waits on both, and one of them starts it. As there is a database, preemption
by QOS is tested here, too."""

import evidence
import pytest
from scenario import FOREVER, fold, stays, submit_vm, wait_cores, wait_passes, wait_tasks
from vmcluster import Cluster, Node

WITH_A_CARD = {
    "nodes": [Node("n1", options="Gres=card:1")],
    "gres_conf": "NodeName=n1 Name=card Count=1\n",
    "vmall_conf": {"FoldGres": "yes"},
}
CLUSTER = {
    **WITH_A_CARD,
    "accounting": True,
    "slurm_conf": {"ClusterName": "one", "GresTypes": "card", "PreemptType": "preempt/qos", "PreemptMode": "CANCEL"},
}


@pytest.fixture(scope="module")
def two(cluster, build, request):
    """A second cluster with the slurmdbd and the munged of `cluster`, and in a federation with it."""
    settings = {**cluster.accounting.slurm_conf(), "ClusterName": "two",
                "AuthInfo": f"socket={cluster.root}/munge/socket,cred_expire=15",
                "GresTypes": "card"}
    with evidence.watched(request, Cluster(build, slurm_conf=settings, keep=True, **WITH_A_CARD)) as started:
        cluster.run("sacctmgr", "-i", "add", "federation", "both", "clusters=one,two")
        for side in (cluster, started):
            side.wait_until(lambda: "PersistConnSend/Recv:Yes/Yes Synced:Yes" in
                            side.run("scontrol", "show", "federation").stdout, "the federation to form")
        yield started
        cluster.cancel_all()
        cluster.run("sacctmgr", "-i", "delete", "federation", "both")


def runs_on(cluster, job_id):
    return job_id in cluster.squeue_cpus()


def starts(*clusters):
    return sum(cluster.vmctl_stats()["starts"] for cluster in clusters)


@pytest.mark.core
def test_federated_job_starts_once(cluster, two):
    before = starts(cluster, two)
    job_id = submit_vm(cluster, "long", "8,4")
    cluster.wait_until(lambda: runs_on(cluster, job_id) or runs_on(two, job_id), "the job to start")
    here, there = (cluster, two) if runs_on(cluster, job_id) else (two, cluster)
    wait_tasks(here, job_id, 8)
    assert stays(there, lambda: not runs_on(there, job_id))
    assert starts(cluster, two) == before + 1
    cluster.run("scancel", job_id)  # wherever it runs


def test_federated_job_that_one_cluster_refuses_is_left_to_the_other(cluster, two):
    """The try has the job's lock, and gives it back."""
    full = cluster.submit("exec sleep 600", "-n8", "--clusters=one", "--time=10")
    hoarder = cluster.submit("exec sleep 600", "-n1", "--gres=card:1", "--clusters=two", "--time=10")
    cluster.wait_until(lambda: runs_on(cluster, full) and runs_on(two, hoarder), "one to be full, and two without its card")
    refusals = two.vmctl_stats()["refusals_by_slurm"]
    job_id = submit_vm(cluster, "long", "8,4", options=["--gres=card:1"])
    two.wait_until(lambda: two.vmctl_stats()["refusals_by_slurm"] > refusals, "the job to be refused")
    cluster.run("scancel", full)
    wait_tasks(cluster, job_id, 8)
    cluster.run("scancel", hoarder)


def set_federation_state(cluster, name, state):
    cluster.run("sacctmgr", "-i", "modify", "cluster", name, "set", f"fedstate={state}")


def test_cluster_that_schedules_nothing_starts_nothing(cluster, two):
    """As a backup controller with no_backup_scheduling."""
    full = cluster.submit("exec sleep 600", "-n8", "--clusters=two", "--time=10")
    two.wait_until(lambda: runs_on(two, full), "the cluster to be full")
    waiting = submit_vm(cluster, "long", 8, options=["--clusters=two"])
    set_federation_state(cluster, "two", "INACTIVE")
    probe = ["sbatch", "--clusters=two", "--hold", "--wrap=true"]
    two.wait_until(lambda: two.run(*probe, check=False).returncode, "the cluster to be inactive")
    cluster.run("scancel", full)
    two.wait_until(lambda: two.node_cpus()["n1"][0] == 0, "the cluster to be empty")
    wait_passes(two)
    assert not runs_on(two, waiting)
    set_federation_state(cluster, "two", "ACTIVE")
    two.wait_until(lambda: runs_on(two, waiting), "the job to start")
    cluster.run("scancel", waiting)


def test_job_of_a_federation_folds_unfolds_and_is_preempted_by_qos(cluster, two):
    cluster.run("sacctmgr", "-i", "add", "qos", "urgent", "preempt=normal")
    blocking = cluster.submit(FOREVER, "-n8", "--clusters=two", "--time=10")
    two.wait_until(lambda: runs_on(two, blocking), "the other cluster to be full")
    jobs = fold(cluster, options=["--time=60"])
    cluster.run("scancel", jobs.guest)
    wait_cores(cluster, jobs.folded, 4)
    urgent = cluster.submit(FOREVER, "-n8", "--qos=urgent")
    assert cluster.wait_state(urgent, "RUNNING").core_count == 8
    cluster.wait_state(jobs.folded, "PREEMPTED")
    cluster.run("scancel", blocking)
