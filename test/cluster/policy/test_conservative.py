# SPDX-License-Identifier: GPL-2.0-or-later
"""Conservative backfilling of jobs that did not ask for anything, on cores that a virtually malleable head does not need:
Slurm's own backfilling counts whole nodes, and starts nothing here."""

from scenario import FOREVER, stays, submit_vm, vmall_conf
from vmcluster.conf import PAPERS_POLICY

CLUSTER = {"vmall_conf": PAPERS_POLICY}


def two_waiting_jobs(cluster):
    """The head can start in ten minutes and leaves two cores; the second one needs all after it."""
    cluster.wait_state(cluster.submit(FOREVER, "-n4", "--time=10"), "RUNNING")
    return submit_vm(cluster, "long", 6, options=["--time=10"]), cluster.submit(FOREVER, "-n8", "--time=30")


def test_not_even_the_second_job_is_delayed(cluster):
    with vmall_conf(cluster, QueueDiscipline="conservative"):
        waiting = two_waiting_jobs(cluster)
        beside_the_head = cluster.submit(FOREVER, "-n2", "--time=60")
        assert stays(cluster, lambda: cluster.job(beside_the_head).state == "PENDING")
        assert [cluster.job(job).state for job in waiting] == ["PENDING", "PENDING"]


def test_holes_are_filled(cluster):
    with vmall_conf(cluster, QueueDiscipline="conservative"):
        two_waiting_jobs(cluster)
        cluster.wait_state(cluster.submit(FOREVER, "-n2", "--time=15"), "RUNNING")
