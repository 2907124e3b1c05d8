# SPDX-License-Identifier: GPL-2.0-or-later
"""Queue disciplines that share a node's cores among running jobs (doc/policy.md), which fold and unfold for it."""

import pytest
from scenario import stays, submit_vm, vmall_conf, wait_confined, wait_cores, wait_in_mpi, wait_tasks
from vmcluster.programs import Kernel

CLUSTER = {
    "slurm_conf": {"SelectTypeParameters": "CR_Core_Memory", "DefMemPerNode": 100},  # nodes have 1000
    "vmall_conf": {"QueueDiscipline": "equipartition", "MaxMpl": 4, "SurveyInterval": 1},
}


@pytest.mark.core
def test_each_job_has_the_same_part_of_a_node_and_all_of_it_once_alone(cluster):
    first = submit_vm(cluster, "long", 8)
    assert cluster.wait_state(first, "RUNNING").core_count == 8
    tasks = wait_tasks(cluster, first, 8)
    second = submit_vm(cluster, "long", 8)
    cluster.wait_state(second, "RUNNING")
    for job_id in first, second:
        wait_cores(cluster, job_id, 4)
        wait_confined(cluster, job_id)
    others = [submit_vm(cluster, "long", 8) for _ in range(2)]
    for job_id in first, second, *others:
        wait_cores(cluster, job_id, 2)
        wait_confined(cluster, job_id)
    for job_id in second, *others:
        cluster.run("scancel", job_id)
    wait_cores(cluster, first, 8)
    wait_confined(cluster, first)
    assert cluster.tasks(first) == tasks


def test_job_is_not_folded_deeper_than_it_may_be(cluster):
    with vmall_conf(cluster, MaxMplPerJob="1"):
        first = submit_vm(cluster, "long", 8)
        cluster.wait_state(first, "RUNNING")
        second = submit_vm(cluster, "long", 8)
        cluster.wait_until(lambda: str(second) in cluster.vmctl("queue", "--noheader").stdout, "why it waits")
        assert cluster.job(first).core_count == 8
        cluster.run("scancel", second)


@pytest.mark.core
def test_nobody_is_folded_for_a_job_that_lacks_memory_and_nobody_waits_behind_it(cluster):
    first = submit_vm(cluster, "long", 8, options=["--mem=800"])
    cluster.wait_state(first, "RUNNING")
    wait_tasks(cluster, first, 8)
    greedy = submit_vm(cluster, "long", 8, options=["--mem=500"])
    assert stays(cluster, lambda: cluster.job(first).core_count == 8 and cluster.job(greedy).state == "PENDING")
    assert "waits for memory" in cluster.vmctl("queue").stdout
    behind = submit_vm(cluster, "long", 8)
    assert cluster.wait_state(behind, "RUNNING").core_count == 4
    wait_tasks(cluster, behind, 8)
    assert cluster.job(first).core_count == 4
    assert cluster.job(greedy).state == "PENDING"


@pytest.mark.core
def test_ranks_that_sleep_for_half_of_their_time_make_use_of_half_of_their_cores(cluster, build):
    job_id = submit_vm(cluster, "long", 2, script=Kernel("naps", "srun --mpi=pmi2", before="10000").script(build, 10**8))
    cluster.wait_state(job_id, "RUNNING")
    cluster.wait_until(lambda: 25 <= cluster.vmctl_jobs()[job_id].get("useful_percent", 100) <= 75, "half of its time to be of use")
    cluster.run("scancel", job_id)


@pytest.mark.parametrize("discipline", ["equip++", "equal-eff++"])
def test_job_that_does_not_reach_the_target_gives_up_cores(cluster, build, discipline):
    with vmall_conf(cluster, QueueDiscipline=discipline, TargetEfficiency=100):
        script = Kernel("cg", "srun --mpi=pmi2", before="1000").script(build, 10**8)
        job_id = submit_vm(cluster, "long", 4, script=script)
        cluster.wait_state(job_id, "RUNNING")
        wait_in_mpi(cluster, job_id, 4)
        cluster.wait_until(lambda: cluster.job(job_id).core_count < 4, "fewer cores")
        wait_confined(cluster, job_id)
        assert cluster.job(job_id).state == "RUNNING"
