# SPDX-License-Identifier: GPL-2.0-or-later
"""Memory that goes by cores, as by Slurm's default since 24.05: a fold moves none of it, and what jobs say that they need is
all that they hold, have for their steps, and are charged for."""

import json
import re

import pytest
from scenario import FOREVER, PEER_GONE, fold, send_guest, stays, submit_vm, unfolded, wait_cores, wait_passes, wait_tasks
from vmcluster import Node, installed_release

CLUSTER = {
    "nodes": [Node("n1", 8), Node("w1", 8), Node("g1", 8, options="Gres=gpu:2")],
    "partitions": {"main": "Nodes=n1 Default=YES TRESBillingWeights=CPU=1,Mem=0.01", "whole": "Nodes=w1 OverSubscribe=EXCLUSIVE",
                   "capped": "Nodes=n1 MaxMemPerCPU=50", "both": "Nodes=n1,g1", "gpus": "Nodes=g1 DefCpuPerGPU=4 DefMemPerGPU=200"},
    "gres_conf": "NodeName=g1 Name=gpu File=/dev/null,/dev/zero\n",
    "slurm_conf": {"SelectTypeParameters": "CR_Core_Memory", "DefMemPerCPU": 100, "GresTypes": "gpu"},
    "vmall_conf": {"LendWholeNodes": "yes", "FoldGres": "yes"},
}

SOME = "--mem=100"

plugins_see_steps = pytest.mark.skipif(installed_release() >= (25, 5), reason="since Slurm 25.05 no plugin gives steps memory")


def tres(text):
    """Slurm's names → values, as text."""
    return dict(pair.split("=") for pair in re.search(r"\b(?:Alloc)?TRES=(\S+)", text)[1].split(","))


def memory(cluster, job_id):
    """What the job holds, by Slurm's books."""
    return tres(cluster.run("scontrol", "show", "job", job_id).stdout)["mem"]


def memory_of_step(cluster, job_id, step):
    return tres(cluster.run("scontrol", "show", "step", f"{job_id}.{step}").stdout)["mem"]


def memory_given_out(cluster, node="n1"):
    return int(re.search(r"AllocMem=(\d+)", cluster.run("scontrol", "show", "node", node).stdout)[1])


def wait_step(cluster, job_id, step):
    cluster.wait_until(lambda: f"StepId={job_id}.{step} " in cluster.run("scontrol", "show", "step", f"{job_id}.{step}").stdout,
                       f"step {step} of job {job_id}")


@plugins_see_steps
@pytest.mark.core
def test_step_that_starts_while_the_job_is_folded_has_the_memory_of_all_its_processes(cluster):
    script = "srun --overlap sleep 600 &\nuntil [ -e go.$SLURM_JOB_ID ]; do sleep 0.1; done\nexec srun --overlap sleep 600"
    jobs = fold(cluster, script, ["--mem-per-cpu=20"], other=("-n4", SOME))
    (cluster.directory / f"go.{jobs.folded}").touch()
    wait_step(cluster, jobs.folded, 1)
    assert [memory_of_step(cluster, jobs.folded, step) for step in (0, 1)] == ["80M", "80M"]
    assert memory(cluster, jobs.folded) == "80M"


def almost_full(cluster):
    """Two cores of n1 are left."""
    other = cluster.submit(FOREVER, "-n6", SOME)
    cluster.wait_state(other, "RUNNING")


@plugins_see_steps
@pytest.mark.core
def test_steps_of_a_job_that_starts_folded_have_the_memory_of_all_its_processes_one_after_the_other(cluster):
    almost_full(cluster)
    job_id = submit_vm(cluster, "long", 4, script=f"srun true\nsrun true\n{FOREVER}", options=["--mem-per-cpu=20"])
    assert cluster.wait_state(job_id, "RUNNING").core_count == 2
    wait_step(cluster, job_id, 2)
    assert memory(cluster, job_id) == memory_of_step(cluster, job_id, 2) == "80M"


@plugins_see_steps
def test_step_on_one_of_two_nodes_has_the_memory_of_all_processes_there(cluster):
    others = [cluster.submit(FOREVER, "-n7", "-p", "both", "-w", node, SOME) for node in ("n1", "g1")]
    for other in others:
        cluster.wait_state(other, "RUNNING")
    script = "srun --overlap sleep 600 &\nuntil [ -e go.$SLURM_JOB_ID ]; do sleep 0.1; done\nexec srun --overlap -N1 -n2 -w g1 sleep 600"
    spread = ["-p", "both", "-N2", "--ntasks-per-node=2", "--mem-per-cpu=20"]
    job_id = submit_vm(cluster, "long", 4, script=script, options=spread)
    assert cluster.wait_state(job_id, "RUNNING").core_count == 2
    wait_step(cluster, job_id, 0)
    (cluster.directory / f"go.{job_id}").touch()
    wait_step(cluster, job_id, 1)
    assert [memory_of_step(cluster, job_id, step) for step in (0, 1)] == ["80M", "40M"]


def test_memory_that_gpus_bring_stays_with_them(cluster):
    on_g1 = ["-p", "gpus"]
    script = "srun --overlap sleep 600 &\nuntil [ -e go.$SLURM_JOB_ID ]; do sleep 0.1; done\nexec srun --overlap sleep 600"
    job_id = submit_vm(cluster, "long", 2, script=script, options=[*on_g1, "--gpus=2"])
    assert cluster.wait_state(job_id, "RUNNING").core_count == 8
    wait_step(cluster, job_id, 0)
    guest = submit_vm(cluster, "short", 4, "1:00", options=[*on_g1, SOME])
    wait_cores(cluster, job_id, 4)
    cluster.wait_state(guest, "RUNNING")
    (cluster.directory / f"go.{job_id}").touch()
    wait_step(cluster, job_id, 1)
    assert memory(cluster, job_id) == memory_of_step(cluster, job_id, 0) == memory_of_step(cluster, job_id, 1) == "400M"
    assert memory_given_out(cluster, "g1") == 500


def test_job_that_says_what_it_needs_leaves_the_rest_to_others(cluster):
    jobs = fold(cluster, other=("-n4",), where=[SOME])
    assert [memory(cluster, job_id) for job_id in (jobs.other, jobs.folded, jobs.guest)] == ["100M"] * 3
    assert memory_given_out(cluster) == 300
    cluster.run("scancel", jobs.guest)
    wait_cores(cluster, jobs.folded, 4)
    assert memory(cluster, jobs.folded) == "100M"
    assert memory_given_out(cluster) == 200


def test_folded_job_is_charged_for_all_of_its_memory_and_the_cores_that_it_has(cluster):
    def billing(job_id):
        return int(tres(cluster.run("scontrol", "show", "job", job_id).stdout)["billing"])

    jobs = unfolded(cluster, options=["--mem=400"], other=("-n4", SOME))
    assert billing(jobs.folded) == 4 + 4
    jobs.where = (SOME,)
    send_guest(cluster, jobs)
    wait_cores(cluster, jobs.folded, 1)
    assert billing(jobs.folded) == 1 + 4


@pytest.mark.core
def test_guest_of_jobs_that_do_not_say_waits_for_memory_until_it_says_how_little_it_needs(cluster):
    jobs = unfolded(cluster)
    assert memory_given_out(cluster) == 800
    jobs.where = ("--mem=300",)
    send_guest(cluster, jobs)

    def reason():
        queue = json.loads(cluster.vmctl("queue", "--json").stdout)["queue"]
        return next((row["reason"] for row in queue if row["job_id"] == jobs.guest), None)

    cluster.wait_until(lambda: reason() == "waits for memory", "the guest to say that it waits for memory")
    assert stays(cluster, lambda: cluster.job(jobs.folded).core_count == 4)
    cluster.run("scontrol", "update", f"JobId={jobs.guest}", "MinMemoryNode=200")
    wait_cores(cluster, jobs.folded, 1)
    cluster.wait_state(jobs.guest, "RUNNING")
    assert memory_given_out(cluster) == 1000


@pytest.mark.core
def test_memory_that_a_job_waits_for_is_not_given_to_one_that_would_keep_it_for_longer(cluster):
    holder = submit_vm(cluster, "long", 1, "10:00", options=["--mem=600"])
    cluster.wait_state(holder, "RUNNING")
    first = submit_vm(cluster, "long", 1, "10:00", options=["--mem=700"])
    would_delay_it = submit_vm(cluster, "long", 1, "60:00", options=["--mem=400"])
    leaves_it_enough = submit_vm(cluster, "long", 1, "60:00", options=["--mem=300"])
    cluster.wait_state(leaves_it_enough, "RUNNING")
    assert stays(cluster, lambda: cluster.job(would_delay_it).state == cluster.job(first).state == "PENDING")
    cluster.run("scancel", leaves_it_enough)
    assert stays(cluster, lambda: cluster.job(would_delay_it).state == "PENDING")
    assert f"would delay job {first}" in cluster.vmctl("queue").stdout
    cluster.run("scancel", holder)
    cluster.wait_state(first, "RUNNING")
    wait_passes(cluster)
    assert cluster.job(would_delay_it).state == "PENDING"


def wide_and_guest(cluster, memory):
    """A job that has both nodes, so many MiB of each, and one for which there is room and memory if it is folded."""
    wide = submit_vm(cluster, "long", 16, options=["-p", "both", "-N2", "--ntasks-per-node=8", f"--mem={memory}"])
    cluster.wait_state(wide, "RUNNING")
    wait_tasks(cluster, wide, 16)
    return wide, submit_vm(cluster, "short", 2, "1:00", options=["-p", "both", "--mem=150"])


def test_job_on_two_nodes_with_little_memory_is_folded(cluster):
    wide, guest = wide_and_guest(cluster, 300)
    cluster.wait_state(guest, "RUNNING")
    assert cluster.job(wide).core_count == 8


@pytest.mark.core
def test_job_on_two_nodes_is_not_folded_if_most_others_would_have_no_memory_beside_it(cluster):
    wide, guest = wide_and_guest(cluster, 800)
    cluster.wait_until(lambda: cluster.vmctl_jobs()[wide].get("restraint") == "memory", "the reason why it is not folded")
    assert stays(cluster, lambda: cluster.job(wide).core_count == 16)
    assert cluster.job(guest).state == "PENDING"
    assert "most jobs would find too little memory beside it" in cluster.vmctl("why", wide).stdout


@pytest.mark.log_errors(PEER_GONE)
def test_books_of_memory_are_right_after_a_restart_and_a_requeue(cluster):
    jobs = fold(cluster, options=["--mem-per-cpu=20"], other=("-n4", SOME))
    before = memory_given_out(cluster)
    cluster.wait_saved()
    cluster.restart_slurmctld(kill=True)
    assert memory(cluster, jobs.folded) == "80M"
    assert memory_given_out(cluster) == before
    cluster.run("scontrol", "requeue", jobs.folded)
    cluster.run("scancel", jobs.guest)
    wait_cores(cluster, jobs.folded, 4)
    assert memory(cluster, jobs.folded) == "80M"
    assert memory_given_out(cluster) == 180


def test_job_that_says_more_than_its_cores_may_have_has_the_cores_of_stock_slurm(cluster):
    """MaxMemPerCPU."""
    enough = submit_vm(cluster, "long", 2, options=["-p", "capped", "--mem=100"])
    assert cluster.wait_state(enough, "RUNNING").core_count == 2
    more = submit_vm(cluster, "long", 2, options=["-p", "capped", "--mem=300"])
    assert cluster.wait_state(more, "RUNNING").core_count == 6
    wait_passes(cluster)
    assert cluster.vmctl_jobs().keys() == {enough}
    assert f"JobId={more} asked for virtual malleability and is scheduled like the others: it asks for more memory" \
        in cluster.slurmctld.log.read_text()


def test_cpus_that_memory_brings_each_task_are_folded_as_its_place(cluster):
    """Slurm halves the memory of a CPU and doubles the CPUs of a task, by MaxMemPerCPU."""
    other = cluster.submit(FOREVER, "-n4", SOME)
    cluster.wait_state(other, "RUNNING")
    job_id = submit_vm(cluster, "long", 2, options=["-p", "capped", "--mem-per-cpu=100"])
    assert cluster.wait_state(job_id, "RUNNING").core_count == 4
    wait_tasks(cluster, job_id, 2)
    guest = submit_vm(cluster, "short", 2, "1:00", options=[SOME])
    wait_cores(cluster, job_id, 2)
    cluster.wait_state(guest, "RUNNING")
    assert memory(cluster, job_id) == memory_of_step(cluster, job_id, 0) == "200M"


def test_whole_nodes_are_lent_with_the_memory_that_is_left(cluster):
    lender = submit_vm(cluster, "long", 8, options=["-p", "whole", "--mem=600"])
    assert cluster.wait_state(lender, "RUNNING").core_count == 8
    wait_tasks(cluster, lender, 8)
    greedy = submit_vm(cluster, "short", 8, "1:00", options=["-p", "whole", "--mem=500"])
    assert stays(cluster, lambda: cluster.job(lender).core_count == 8)
    cluster.run("scontrol", "update", f"JobId={greedy}", "MinMemoryNode=400")
    assert cluster.wait_state(greedy, "RUNNING").core_count == 4
    assert cluster.job(lender).core_count == 4
    assert memory_given_out(cluster, "w1") == 1000


def test_whole_node_whose_job_has_all_of_its_memory_is_not_lent(cluster):
    lender = submit_vm(cluster, "long", 8, options=["-p", "whole", "--mem=0"])
    assert cluster.wait_state(lender, "RUNNING").core_count == 8
    wait_tasks(cluster, lender, 8)
    guest = submit_vm(cluster, "short", 8, "1:00", options=["-p", "whole", SOME])
    assert stays(cluster, lambda: cluster.job(lender).core_count == 8)
    assert cluster.job(guest).state == "PENDING"
    assert "waits for memory" in cluster.vmctl("queue").stdout
