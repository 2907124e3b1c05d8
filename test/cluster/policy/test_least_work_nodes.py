# SPDX-License-Identifier: GPL-2.0-or-later
"""Queue discipline least-work (doc/policy.md) on two nodes: over how many of them jobs go."""

import json
import time

import pytest
from scenario import FOREVER, stays, submit_vm, vmall_conf, wait_confined, wait_cores, wait_passes, wait_tasks
from vmcluster import Node

CLUSTER = {
    "nodes": (Node("n1"), Node("n2")),
}


@pytest.fixture
def halves(cluster):
    """Half of each node is somebody else's."""
    others = [cluster.submit(FOREVER, "-n4", "-w", node) for node in ("n1", "n2")]
    for other in others:
        cluster.wait_state(other, "RUNNING")
        wait_tasks(cluster, other, 4)
    return others


def cores_by_node(cluster, job_id):
    return {node: len(cores) for node, cores in cluster.job(job_id).cores.items()}


@pytest.mark.core
def test_job_is_spread_over_two_nodes_rather_than_folded_and_folds_and_grows_there(cluster, halves):
    wide = submit_vm(cluster, "long", 8)
    cluster.wait_state(wide, "RUNNING")
    assert cores_by_node(cluster, wide) == {"n1": 4, "n2": 4}
    tasks = wait_tasks(cluster, wide, 8)
    wait_confined(cluster, wide)
    short_job = submit_vm(cluster, "short", 2, "1:00")
    assert cluster.wait_state(short_job, "RUNNING").core_count == 2
    assert cores_by_node(cluster, wide) == {"n1": 2, "n2": 2}
    wait_confined(cluster, wide)
    wait_tasks(cluster, short_job, 2)
    cluster.run("scancel", short_job)
    wait_cores(cluster, wide, 8)
    wait_confined(cluster, wide)
    assert cluster.tasks(wide) == tasks


@pytest.mark.core
def test_job_that_asks_for_one_node_is_folded_there(cluster, halves):
    close = submit_vm(cluster, "long", 8, options=["-N1"])
    cluster.wait_state(close, "RUNNING")
    assert list(cores_by_node(cluster, close).values()) == [4]
    wait_tasks(cluster, close, 8)


def test_job_whose_user_says_how_many_tasks_go_on_a_node_is_folded_there(cluster, halves):
    close = submit_vm(cluster, "long", 8, options=["--ntasks-per-node=8"])
    cluster.wait_state(close, "RUNNING")
    assert list(cores_by_node(cluster, close).values()) == [4]
    wait_tasks(cluster, close, 8)


def test_two_jobs_that_fit_on_a_node_each_are_put_there(cluster):
    first, second = submit_vm(cluster, "long", 8), submit_vm(cluster, "long", 8)
    for job_id in (first, second):
        cluster.wait_state(job_id, "RUNNING")
        wait_tasks(cluster, job_id, 8)
    assert sorted(map(str, (cores_by_node(cluster, first), cores_by_node(cluster, second)))) == ["{'n1': 8}", "{'n2': 8}"]


@pytest.mark.parametrize("procs, options, first, second", [
    ("12", [], 8, 4), ("40,12", [], 8, 4), ("8", ["--ntasks-per-node=4"], 4, 4)])
def test_job_has_as_many_nodes_as_its_tasks_take_though_it_does_not_say(cluster, procs, options, first, second):
    job_id = submit_vm(cluster, "long", procs, options=options)
    job = cluster.wait_state(job_id, "RUNNING")
    assert cores_by_node(cluster, job_id) == {"n1": first, "n2": second}
    wait_tasks(cluster, job_id, job.tasks)


def test_job_that_says_how_many_cpus_it_wants_of_each_node_has_those_of_stock_slurm(cluster):
    job_id = submit_vm(cluster, "long", 2, options=["--mincpus=6"])
    assert cluster.wait_state(job_id, "RUNNING").core_count == 6
    submit_vm(cluster, "short", 12, "1:00")
    wait_passes(cluster)
    assert job_id not in cluster.vmctl_jobs()
    assert cluster.job(job_id).core_count == 6
    assert f"JobId={job_id} asked for virtual malleability and is scheduled like the others: it asks for CPUs of each node" \
        in cluster.slurmctld.log.read_text()


@pytest.mark.parametrize("options", [["--mincpus=1"], ["-c2", "--mincpus=2"], ["--ntasks-per-node=4", "--mincpus=4"]])
def test_job_whose_tasks_have_the_cpus_that_it_wants_of_each_node_is_folded(cluster, options):
    job_id = submit_vm(cluster, "long", 4, options=[*options, "-w", "n1"])
    cores = cluster.wait_state(job_id, "RUNNING").core_count
    wait_tasks(cluster, job_id, 4)
    submit_vm(cluster, "short", 8 - cores // 2, "1:00", options=["-N1", "-w", "n1"])
    wait_cores(cluster, job_id, cores // 2)


@pytest.mark.parametrize("tasks, options, takes_part", [
    (12, [], True), (13, [], False), (8, ["--ntasks-per-node=4"], True), (8, ["--mincpus=8"], False)])
def test_job_that_did_not_ask_starts_over_nodes_as_well(cluster, tasks, options, takes_part):
    """It takes part if it has equally many tasks on each, and no other wish about nodes."""
    with vmall_conf(cluster, TakePart="yes"):
        job_id = cluster.submit(FOREVER, f"-n{tasks}", "--time=5", *options)
        assert cluster.wait_state(job_id, "RUNNING").core_count == tasks
        assert (job_id in cluster.vmctl_jobs()) == takes_part


def learn(cluster, percent):
    """slurmctld starts again as if 31 jobs had just shown that folding costs so much."""
    cluster.slurmctld.stop()
    file = cluster.root / "state/vmall_jobs"
    state = json.loads(file.read_text())
    state["folding_costs"] = [{"job": job, "percent": percent, "seen": int(time.time())} for job in range(31)]
    file.write_text(json.dumps(state))
    cluster.start_slurmctld()
    cluster.wait_ready()
    assert cluster.vmctl_stats()["folding_cost_percent"] == percent


@pytest.mark.core
def test_nobody_is_folded_where_that_costs_more_than_a_third(cluster):
    wide = submit_vm(cluster, "long", 16)
    cluster.wait_state(wide, "RUNNING")
    wait_tasks(cluster, wide, 16)
    learn(cluster, 150)
    try:
        short_job = submit_vm(cluster, "short", 2, "1:00")
        assert stays(cluster, lambda: cluster.job(short_job).state == "PENDING")
        assert cluster.job(wide).core_count == 16
        assert "folding costs more than it brings" in cluster.vmctl("why", short_job).stdout
    finally:
        learn(cluster, 110)
    assert cluster.wait_state(short_job, "RUNNING").core_count == 2
    assert cluster.job(wide).core_count == 8
    cluster.wait_until(lambda: cluster.vmctl_jobs()[wide]["restraint"] == "nodes", "the reason why it is folded no deeper")
