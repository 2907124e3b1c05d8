# SPDX-License-Identifier: GPL-2.0-or-later
"""Steps of a job that is folded while they run, and steps that start in a folded job."""

import subprocess

import pytest
from scenario import allocated, fold, submit_vm, vm_options, vmall_conf, wait_confined, wait_cores, wait_tasks

CLUSTER = {"slurm_conf": {"LaunchParameters": "use_interactive_step",
                          "InteractiveStepOptions": '"--interactive --preserve-env bash"'}}  # no terminal

TWO_STEPS = """
srun bash -c 'until [ -e next.$SLURM_JOB_ID ]; do sleep 0.2; done'
echo first step: $?
srun bash -c 'echo rank $SLURM_PROCID of $SLURM_NTASKS; until [ -e done.$SLURM_JOB_ID ]; do sleep 0.2; done'
echo second step: $?
"""

OVERLAPPING_STEPS = """
srun sleep 600 &
until [ -e next.$SLURM_JOB_ID ]; do sleep 0.2; done
srun --overlap bash -c 'echo rank $SLURM_PROCID of $SLURM_NTASKS'
echo second step: $?
"""


def touch(cluster, what, job_id):
    (cluster.directory / f"{what}.{job_id}").touch()


@pytest.mark.core
def test_step_that_started_before_the_fold_ends_after_it_and_a_new_one_starts(cluster):
    jobs = fold(cluster, TWO_STEPS)
    touch(cluster, "next", jobs.folded)
    cluster.wait_until(lambda: cluster.output(jobs.folded).count("rank ") == 4, "four tasks on one core")
    assert "first step: 0" in cluster.output(jobs.folded)
    wait_confined(cluster, jobs.folded)
    touch(cluster, "done", jobs.folded)
    assert cluster.wait_end(jobs.folded).state == "COMPLETED"
    assert "second step: 0" in cluster.output(jobs.folded)


def test_new_step_starts_beside_an_older_one_in_a_folded_job(cluster):
    jobs = fold(cluster, OVERLAPPING_STEPS)
    wait_tasks(cluster, jobs.folded, 4)
    touch(cluster, "next", jobs.folded)
    cluster.wait_until(lambda: "second step: 0" in cluster.output(jobs.folded), "the second step")
    assert cluster.output(jobs.folded).count("rank ") == 4


@pytest.mark.core
def test_step_that_started_folded_unfolds(cluster):
    jobs = fold(cluster, TWO_STEPS)
    touch(cluster, "next", jobs.folded)
    cluster.wait_until(lambda: cluster.output(jobs.folded).count("rank ") == 4, "four tasks on one core")
    cluster.run("scancel", jobs.guest)
    wait_cores(cluster, jobs.folded, 4)
    wait_confined(cluster, jobs.folded)
    touch(cluster, "done", jobs.folded)
    assert cluster.wait_end(jobs.folded).state == "COMPLETED"


def test_new_step_after_unfolding_gets_all_cores_back(cluster):
    jobs = fold(cluster, TWO_STEPS)
    cluster.run("scancel", jobs.guest)
    wait_cores(cluster, jobs.folded, 4)
    touch(cluster, "next", jobs.folded)
    cluster.wait_until(lambda: cluster.output(jobs.folded).count("rank ") == 4, "the second step")
    wait_confined(cluster, jobs.folded)
    touch(cluster, "done", jobs.folded)
    assert cluster.wait_end(jobs.folded).state == "COMPLETED"


def test_shell_on_the_node_starts_steps_of_a_job_that_folds_and_unfolds(cluster):
    said = cluster.directory / "said"
    with vmall_conf(cluster, MaxMpl=4), open(said, "w", encoding="utf-8") as out, \
            allocated(cluster, *vm_options("long", 8), stdin=subprocess.PIPE, stdout=out) as (job, shell):
        def type_in(line):
            shell.stdin.write(line + "\n")
            shell.stdin.flush()

        type_in("srun bash -c 'echo rank $SLURM_PROCID; exec sleep 600' </dev/null &")
        cluster.wait_until(lambda: said.read_text().count("rank ") == 8, "eight tasks on eight cores")
        short = submit_vm(cluster, "short", 4)
        wait_cores(cluster, job, 4)
        cluster.wait_state(short, "RUNNING")
        wait_confined(cluster, job)
        type_in("srun --overlap bash -c 'echo folded $SLURM_PROCID' </dev/null")
        cluster.wait_until(lambda: said.read_text().count("folded ") == 8, "eight tasks on four cores")
        cluster.run("scancel", short)
        wait_cores(cluster, job, 8)
        wait_confined(cluster, job)
