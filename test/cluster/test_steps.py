# SPDX-License-Identifier: GPL-2.0-or-later
"""Steps of a job that is folded while they run, and steps that start in a folded job."""

from scenario import fold, wait_confined, wait_cores, wait_tasks

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


def test_step_that_started_before_the_fold_ends_after_it_and_a_new_one_starts(cluster):
    jobs = fold(cluster, TWO_STEPS)
    touch(cluster, "next", jobs.backfilled)
    cluster.wait_until(lambda: cluster.output(jobs.backfilled).count("rank ") == 4, 20, "four tasks on one core")
    assert "first step: 0" in cluster.output(jobs.backfilled)
    wait_confined(cluster, jobs.backfilled)
    touch(cluster, "done", jobs.backfilled)
    assert cluster.wait_end(jobs.backfilled).state == "COMPLETED"
    assert "second step: 0" in cluster.output(jobs.backfilled)


def test_new_step_starts_beside_an_older_one_in_a_folded_job(cluster):
    jobs = fold(cluster, OVERLAPPING_STEPS)
    wait_tasks(cluster, jobs.backfilled, 4)
    touch(cluster, "next", jobs.backfilled)
    cluster.wait_until(lambda: "second step: 0" in cluster.output(jobs.backfilled), 20, "the second step")
    assert cluster.output(jobs.backfilled).count("rank ") == 4


def test_step_that_started_folded_unfolds(cluster):
    jobs = fold(cluster, TWO_STEPS)
    touch(cluster, "next", jobs.backfilled)
    cluster.wait_until(lambda: cluster.output(jobs.backfilled).count("rank ") == 4, 20, "four tasks on one core")
    cluster.run("scancel", jobs.head)
    wait_cores(cluster, jobs.backfilled, 4)
    wait_confined(cluster, jobs.backfilled)
    touch(cluster, "done", jobs.backfilled)
    assert cluster.wait_end(jobs.backfilled).state == "COMPLETED"


def test_new_step_after_unfolding_gets_all_cores_back(cluster):
    jobs = fold(cluster, TWO_STEPS)
    cluster.run("scancel", jobs.head)
    wait_cores(cluster, jobs.backfilled, 4)
    touch(cluster, "next", jobs.backfilled)
    cluster.wait_until(lambda: cluster.output(jobs.backfilled).count("rank ") == 4, 20, "the second step")
    wait_confined(cluster, jobs.backfilled)
    touch(cluster, "done", jobs.backfilled)
    assert cluster.wait_end(jobs.backfilled).state == "COMPLETED"
