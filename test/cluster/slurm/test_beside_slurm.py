# SPDX-License-Identifier: GPL-2.0-or-later
"""Slurm's own schedulers go on beside sched/fjt: ordinary jobs are theirs, and find nothing of ours."""

import pytest
from scenario import FOREVER, WHOLE, submit_vm, submit_whole, wait_tasks

CLUSTER = {"vmall_conf": WHOLE}


def half_full_with_a_blocked_head(cluster):
    running = cluster.submit(FOREVER, "-n4", "--time=10")
    cluster.wait_state(running, "RUNNING")
    return cluster.submit(FOREVER, "-n8", "--time=10")


@pytest.mark.core
def test_without_malleable_jobs_slurm_alone_schedules(cluster):
    starts = cluster.vmctl_stats()["starts"]
    head = half_full_with_a_blocked_head(cluster)
    behind = cluster.submit(FOREVER, "-n4", "--time=5")
    assert cluster.wait_state(behind, "RUNNING").fields["Scheduler"] == "Backfill"
    assert cluster.job(head).state == "PENDING"
    assert cluster.vmctl_stats()["starts"] == starts


@pytest.mark.core
def test_neither_scheduler_of_slurm_starts_a_malleable_job(cluster):
    """It starts in the shape that sched/fjt chose, however long the others have looked at it."""
    blocking = cluster.submit(FOREVER, "-n8", "--time=10")
    cluster.wait_state(blocking, "RUNNING")
    cycles = cluster.backfill_cycles()
    waiting = submit_vm(cluster, "long", "16,8")
    cluster.wait_until(lambda: cluster.backfill_cycles() > cycles, "sched/backfill to look at the job")
    assert cluster.job(waiting).state == "PENDING"
    starts = cluster.vmctl_stats()["starts"]
    cluster.run("scancel", blocking)
    wait_tasks(cluster, waiting, cluster.wait_state(waiting, "RUNNING").tasks)
    assert cluster.vmctl_stats()["starts"] == starts + 1


@pytest.mark.core
def test_job_that_cannot_be_malleable_is_slurms_although_it_asked(cluster):
    starts = cluster.vmctl_stats()["starts"]
    asked = submit_vm(cluster, "long", 4, options=("-n4", "--exclusive"))
    assert cluster.wait_state(asked, "RUNNING").core_count == 8
    assert cluster.vmctl_stats()["starts"] == starts


def test_slurms_backfilling_keeps_the_cores_that_a_malleable_job_waits_for(cluster):
    """It gave no --ntasks: its smallest size counts."""
    running = cluster.submit(FOREVER, "-n4", "--time=10")
    cluster.wait_state(running, "RUNNING")
    head = submit_whole(cluster, "16,8")
    cluster.wait_until(lambda: cluster.job(head).cpus == 8, "the job to request 8 CPUs")
    cycles = cluster.backfill_cycles()
    behind = cluster.submit(FOREVER, "-n4", "--time=60")
    cluster.wait_until(lambda: cluster.backfill_cycles() > cycles, "sched/backfill to look at the job")
    assert cluster.job(behind).state == "PENDING"
    cluster.run("scancel", running)
    assert cluster.wait_state(head, "RUNNING").core_count == 8
    assert cluster.job(behind).state == "PENDING"


@pytest.mark.core
def test_job_with_no_vm_is_an_ordinary_job(cluster):
    job_id = cluster.submit(FOREVER, "--no-vm", "-n2")
    assert cluster.wait_state(job_id, "RUNNING").core_count == 2
    assert job_id not in cluster.vmctl_jobs()


def test_no_vm_takes_back_what_the_script_asks_for(cluster):
    script = f"#SBATCH --vm-class=short --vm-procs=4\n{FOREVER}"
    asked = cluster.submit(script)
    assert cluster.wait_state(asked, "RUNNING").core_count == 4
    plain = cluster.submit(script, "--no-vm", "-n2")
    assert cluster.wait_state(plain, "RUNNING").core_count == 2
    assert plain not in cluster.vmctl_jobs()


@pytest.mark.core
def test_ordinary_job_finds_nothing_of_ours_in_its_environment(cluster):
    job_id = cluster.submit("env; srun env", "-n1")
    assert cluster.wait_end(job_id).state == "COMPLETED"
    ours = [line for line in cluster.output(job_id).splitlines() if "VMALL" in line or "libvmrt" in line]
    assert ours == []
