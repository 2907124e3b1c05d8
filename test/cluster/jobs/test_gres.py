# SPDX-License-Identifier: GPL-2.0-or-later
"""Jobs whose GPUs bring the cores that they hold: they lend cores, and keep their GPUs."""

import re

import pytest
from scenario import (FOREVER, PEER_GONE, WHOLE, stays, submit_whole, vmall_conf, wait_confined, wait_cores, wait_passes,
                      wait_tasks)
from vmcluster import Node
from vmcluster.slurm import id_set

# GPUs without devices: each pair is near one of the sockets.
CLUSTER = {
    "nodes": [Node("g1", 16, sockets=2, options="Gres=gpu:4"), Node("g2", 16, sockets=2, options="Gres=gpu:4")],
    "partitions": {"main": "Nodes=ALL Default=YES", "gpus": "Nodes=ALL DefCpuPerGPU=4"},
    "gres_conf": "".join(f"NodeName={node} Name=gpu File={files} Cores={cores}\n" for node in ("g1", "g2")
                         for files, cores in (("/dev/null,/dev/zero", "0-7"), ("/dev/full,/dev/random", "8-15"))),
    "slurm_conf": {"GresTypes": "gpu"},
    "vmall_conf": {**WHOLE, "FoldGres": "yes"},
}

# Two tasks, two GPUs and eight cores.
WAYS = {
    "GPUs of the job": ["--gpus=2", "--cpus-per-gpu=4"],
    "GPUs of each node": ["-N1", "--gpus-per-node=2", "--cpus-per-gpu=4"],
    "GPUs of each task": ["--gpus-per-task=1", "--cpus-per-gpu=4"],
    "GRES": ["--gres=gpu:2", "--cpus-per-gpu=4"],
    "GPUs of the job, cores by default": ["-p", "gpus", "--gpus=2"],
    "GPUs of each task, cores by default": ["-p", "gpus", "--gpus-per-task=1"],
    "GRES, cores by default": ["-p", "gpus", "--gres=gpu:2"],
    "cores of each task": ["--gpus=2", "-c4"],
}
all_ways = pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)


def some_ways(*names):
    return pytest.mark.parametrize("way", [WAYS[name] for name in names], ids=names)


def detail(cluster, job_id):
    return cluster.run("scontrol", "-d", "show", "job", job_id).stdout


def gpus(cluster, job_id):
    """The numbers of those that the job has on g1."""
    return id_set(re.search(r"GRES=gpu:\S*\(IDX:(\S+)\)", detail(cluster, job_id))[1])


def gpus_used(cluster, node="g1"):
    return int(re.search(r"GresUsed=gpu:(?:\(null\):)?(\d+)", cluster.run("scontrol", "-d", "show", "node", node).stdout)[1])


def fold(cluster, way, script=FOREVER):
    """On g1: a job with GPUs on 8 of the 16 cores that was folded onto 4, and the one that has the other 12."""
    job_id = cluster.submit(script, "--vm-class=long", "-n2", "-w", "g1", *way)
    job = cluster.wait_state(job_id, "RUNNING")
    assert (job.core_count, job.tasks, gpus_used(cluster)) == (8, 2, 2)
    before = gpus(cluster, job_id)
    guest = submit_whole(cluster, 12, "-w", "g1")
    wait_cores(cluster, job_id, 4)
    cluster.wait_state(guest, "RUNNING")
    assert gpus(cluster, job_id) == before
    return guest, job_id


@all_ways
def test_job_lends_cores_and_keeps_its_gpus(cluster, way):
    guest, job_id = fold(cluster, way)
    which = gpus(cluster, job_id)
    assert "TRES=cpu=4," in detail(cluster, job_id)
    assert gpus_used(cluster) == 2
    wait_confined(cluster, job_id)
    cluster.run("scancel", guest)
    wait_cores(cluster, job_id, 8)
    assert gpus(cluster, job_id) == which
    greedy = cluster.submit(FOREVER, "-n1", "-w", "g1", "--gpus=3", "--time=1")
    assert stays(cluster, lambda: cluster.job(greedy).state == "PENDING")
    cluster.run("scancel", job_id)
    cluster.wait_end(job_id)
    cluster.wait_state(greedy, "RUNNING")
    assert gpus_used(cluster) == 3


def test_job_that_has_all_of_a_node_lends_cores_and_keeps_all_gpus(cluster):
    """Where nodes are shared and jobs ask for the GPUs that they need, as vmall.conf(5) advises."""
    job_id = cluster.submit(FOREVER, "--vm-class=long", "-N1", "-n16", "-w", "g1", "--gpus-per-node=4")
    assert cluster.wait_state(job_id, "RUNNING").core_count == 16
    guest = submit_whole(cluster, 8, "-w", "g1")
    wait_cores(cluster, job_id, 8)
    cluster.wait_state(guest, "RUNNING")
    assert gpus(cluster, job_id) == {0, 1, 2, 3}
    assert gpus_used(cluster) == 4
    cluster.run("scancel", guest)
    wait_cores(cluster, job_id, 16)
    assert gpus(cluster, job_id) == {0, 1, 2, 3}


@some_ways("GPUs of the job", "GPUs of each task, cores by default")
def test_job_starts_folded_with_all_its_gpus(cluster, way):
    other = cluster.submit(FOREVER, "-n12", "-w", "g1")
    cluster.wait_state(other, "RUNNING")
    job_id = cluster.submit(FOREVER, "--vm-class=long", "-n2", "-w", "g1", *way)
    job = cluster.wait_state(job_id, "RUNNING")
    assert (job.core_count, job.tasks, gpus_used(cluster)) == (4, 2, 2)
    wait_tasks(cluster, job_id, 2)
    cluster.run("scancel", other)
    wait_cores(cluster, job_id, 8)
    assert gpus_used(cluster) == 2


@some_ways("GPUs of the job", "GPUs of each task", "GRES, cores by default")
def test_step_starts_while_the_job_is_folded(cluster, way):
    go = cluster.directory / "go"
    go.unlink(missing_ok=True)
    script = f"until [ -e {go} ]; do sleep 0.2; done\nsrun sh -c 'echo task $SLURM_PROCID of $SLURM_NTASKS'"
    _, job_id = fold(cluster, way, script)
    go.touch()
    assert cluster.wait_end(job_id).state == "COMPLETED", cluster.output(job_id)
    assert sorted(re.findall("task . of .", cluster.output(job_id))) == ["task 0 of 2", "task 1 of 2"]


@some_ways("GPUs of the job", "GPUs of each task", "GPUs of the job, cores by default")
def test_start_of_an_array_element_leaves_the_request_of_the_others_alone(cluster, way):
    array = cluster.submit(FOREVER, "--vm-class=short", "-n2", "-w", "g1", "--array=0-1%1", *way)
    cluster.wait_until(lambda: any(job.state == "RUNNING" for job in cluster.jobs().values()), "an element to run")
    records = [record for record in detail(cluster, array).split("\n\n") if record.strip()]
    shown = [re.findall(r"(?:CpusPerTres|TresPer\w+)=\S+", record) for record in records]
    assert len(shown) == 2
    assert shown[0] == shown[1]


@pytest.mark.core
def test_job_of_two_nodes_lends_cores_on_both(cluster):
    options = ["-N2", "--ntasks-per-node=2", "--gpus-per-node=2", "--cpus-per-gpu=4"]
    job_id = cluster.submit(FOREVER, "--vm-class=long", "-n4", *options)
    assert cluster.wait_state(job_id, "RUNNING").core_count == 16
    guest = submit_whole(cluster, 24, "-N2")
    wait_cores(cluster, job_id, 8)
    cluster.wait_state(guest, "RUNNING")
    assert [gpus_used(cluster, node) for node in ("g1", "g2")] == [2, 2]


@pytest.mark.parametrize("options, cores, used", [
    (["-n8", "--gpus-per-task=1"], 4, 4), (["-n6", "--gpus-per-task=1"], 3, 3), (["-n8", "--gpus=8"], 4, 4),
    (["-n2", "--gpus-per-task=3"], 3, 3)], ids=["a GPU for each task", "not all of them", "in all", "several for each task"])
def test_job_takes_as_many_nodes_as_have_its_gpus(cluster, options, cores, used):
    """Fewer would have its cores."""
    job_id = cluster.submit(FOREVER, "--vm-class=long", "--cpus-per-gpu=1", *options)
    job = cluster.wait_state(job_id, "RUNNING")
    assert {node: len(held) for node, held in job.cores.items()} == {"g1": cores, "g2": cores}
    assert [gpus_used(cluster, node) for node in ("g1", "g2")] == [used, used]


def test_folded_job_grows_back_where_its_kind_is_not_folded_any_more(cluster):
    guest, job_id = fold(cluster, WAYS["GPUs of the job"])
    with vmall_conf(cluster, FoldGres="no"):
        wait_passes(cluster)
        assert cluster.job(job_id).core_count == 4
        cluster.run("scancel", guest)
        wait_cores(cluster, job_id, 8)
        wait_confined(cluster, job_id)


def test_smaller_size_has_as_many_cores_for_each_process(cluster):
    """--gpus and --cpus-per-gpu say how many cores the largest has."""
    other = cluster.submit(FOREVER, "-n12", "-w", "g1")
    cluster.wait_state(other, "RUNNING")
    job_id = submit_whole(cluster, "2,4", "-w", "g1", "--gpus=2", "--cpus-per-gpu=4")
    job = cluster.wait_state(job_id, "RUNNING")
    assert (job.core_count, job.tasks, gpus_used(cluster)) == (4, 2, 2)


@pytest.mark.core
def test_same_request_is_slurms_own_where_nobody_asked(cluster):
    way = WAYS["GPUs of the job"]
    ordinary = cluster.submit(FOREVER, "-n2", "-w", "g1", *way)
    assert cluster.wait_state(ordinary, "RUNNING").core_count == 8
    waiting = submit_whole(cluster, 12, "-w", "g1")
    assert stays(cluster, lambda: cluster.job(ordinary).core_count == 8 and cluster.job(waiting).state == "PENDING")
    assert re.search(r"CpusPerTres=\S*gpu:4", detail(cluster, ordinary))
    assert len(gpus(cluster, ordinary)) == 2


@pytest.mark.log_errors(PEER_GONE)
def test_slurmctld_that_restarts_knows_which_cores_and_gpus_a_folded_job_has(cluster):
    guest, job_id = fold(cluster, WAYS["GPUs of each task"])
    before = cluster.job(job_id).cores, gpus(cluster, job_id)
    cluster.wait_saved()
    cluster.restart_slurmctld(kill=True)
    assert (cluster.job(job_id).cores, gpus(cluster, job_id)) == before
    cluster.run("scancel", guest)
    wait_cores(cluster, job_id, 8)
    other = cluster.submit(FOREVER, "-n1", "-w", "g1", "--gpus=2")
    cluster.wait_state(other, "RUNNING")
    assert gpus(cluster, job_id) == before[1]
    assert gpus(cluster, other) == {0, 1, 2, 3} - before[1]


@some_ways("GPUs of each task", "GPUs of the job, cores by default")
def test_requeued_folded_job_starts_again_with_what_it_asked_for(cluster, way):
    guest, job_id = fold(cluster, way)
    cluster.run("scontrol", "requeue", job_id)
    cluster.wait_state(job_id, "PENDING")
    cluster.run("scancel", guest)
    job = wait_cores(cluster, job_id, 8)
    assert (job.state, job.tasks, len(gpus(cluster, job_id)), gpus_used(cluster)) == ("RUNNING", 2, 2, 2)


def test_job_goes_where_gpus_are_left_though_the_other_node_is_the_fuller_one(cluster):
    cluster.wait_state(cluster.submit(FOREVER, "-n4", "-w", "g1", "--gpus=4"), "RUNNING")
    job_id = cluster.submit(FOREVER, "--vm-class=long", "-n2", "--gpus=2", "--cpus-per-gpu=4")
    assert cluster.wait_state(job_id, "RUNNING").fields["NodeList"] == "g2"


def test_job_that_did_not_ask_still_takes_part_when_it_has_waited(cluster):
    with vmall_conf(cluster, TakePart="yes"):
        others = [cluster.submit(FOREVER, "-n16", "-w", node, "--no-vm") for node in ("g1", "g2")]
        for other in others:
            cluster.wait_state(other, "RUNNING")
        job_id = cluster.submit(FOREVER, "-n2", "--gpus=2", "--cpus-per-gpu=4", "--time=5")
        wait_passes(cluster)
        wait_passes(cluster)
        cluster.run("scancel", *others)
        assert cluster.wait_state(job_id, "RUNNING").core_count == 8
        assert job_id in cluster.vmctl_jobs()
