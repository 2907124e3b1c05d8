# SPDX-License-Identifier: GPL-2.0-or-later
"""EASY backfilling (QueueDiscipline=easy of the papers' policy) of jobs that did not ask for anything behind one that did: later
ones go ahead only if it is not delayed."""

from scenario import FOREVER, stays, submit_vm
from vmcluster.conf import PAPERS_POLICY

CLUSTER = {"vmall_conf": PAPERS_POLICY}


def start_and_block(cluster):
    """Half of the node runs for ten minutes at most; the head needs all of it."""
    running = cluster.submit(FOREVER, "-n4", "--time=10")
    cluster.wait_state(running, "RUNNING")
    return running, submit_vm(cluster, "long", 8, options=["--time=10"])


def test_short_job_behind_the_head_starts_at_once(cluster):
    _, head = start_and_block(cluster)
    short = cluster.submit(FOREVER, "-n4", "--time=5")
    cluster.wait_state(short, "RUNNING")
    assert cluster.job(head).state == "PENDING"


def test_job_that_would_delay_the_head_waits(cluster):
    _, head = start_and_block(cluster)
    long = cluster.submit(FOREVER, "-n4", "--time=60")
    assert stays(cluster, lambda: cluster.job(long).state == "PENDING")
    assert cluster.job(head).state == "PENDING"


def test_job_beyond_what_a_malleable_head_needs_may_run_longer(cluster):
    """Slurm's own backfilling counts whole nodes, sched/fjt cores."""
    running = cluster.submit(FOREVER, "-n4", "--time=10")
    cluster.wait_state(running, "RUNNING")
    head = submit_vm(cluster, "short", 6)
    beside = cluster.submit(FOREVER, "-n2", "--time=60")
    cluster.wait_state(beside, "RUNNING")
    cluster.run("scancel", running)
    assert cluster.wait_state(head, "RUNNING").core_count == 6


def test_head_starts_before_jobs_that_came_later(cluster):
    running, head = start_and_block(cluster)
    later = cluster.submit(FOREVER, "-n8", "--time=1")
    cluster.run("scancel", running)
    cluster.wait_state(head, "RUNNING")
    assert cluster.job(later).state == "PENDING"


def test_priorities_dependencies_and_holds_are_slurms_business(cluster):
    running = cluster.submit(FOREVER, "-n8")
    cluster.wait_state(running, "RUNNING")
    plain = cluster.submit(FOREVER, "-n8")
    dependent = cluster.submit(FOREVER, "-n8", f"--dependency=afterok:{plain}")
    held = cluster.submit(FOREVER, "-n8", "--hold")
    favoured = cluster.submit(FOREVER, "-n8")
    cluster.run("scontrol", "top", favoured)
    cluster.run("scancel", running)
    cluster.wait_state(favoured, "RUNNING")
    states = [cluster.job(job).state for job in (plain, dependent, held)]
    assert states == ["PENDING", "PENDING", "PENDING"]


def test_array_tasks_start_as_cores_come_free(cluster):
    array = str(cluster.submit("exec sleep 2", "-n4", "--array=0-3"))

    def states():
        return [job.state for job in cluster.jobs().values() if job.fields.get("ArrayJobId") == array]

    cluster.wait_until(lambda: states() == ["COMPLETED"] * 4, "all four array tasks to end")
