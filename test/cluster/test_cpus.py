# SPDX-License-Identifier: GPL-2.0-or-later
"""Where Slurm gives out CPUs (CR_CPU) rather than cores, on nodes with and without several threads per core."""

import pytest
from scenario import backfill, end_first, wait_cores, wait_tasks
from vmcluster import Node, control_block

CLUSTER = {"nodes": [Node("one", 8), Node("two", 16, threads=2)], "slurm_conf": {"SelectTypeParameters": "CR_CPU"}}


@pytest.mark.parametrize("node, threads", [("one", 1), ("two", 2)], ids=["a thread per core", "two threads per core"])
def test_job_folds_and_unfolds_by_cores(cluster, node, threads):
    def wait_told(job, cores):
        wait_cores(cluster, job, cores * threads)
        control = cluster.root / "run" / node / str(job) / "control"
        cluster.wait_until(lambda: control_block.read(control).core_count == cores, 20, f"the agent to know of {cores} cores")

    jobs = backfill(cluster, where=["-w", node])
    tasks = wait_tasks(cluster, jobs.backfilled, 4)
    wait_told(jobs.backfilled, 4)
    end_first(cluster, jobs)
    wait_told(jobs.backfilled, 1)
    wait_tasks(cluster, jobs.head, 7)
    wait_told(jobs.head, 7)
    assert cluster.violations() == []
    cluster.run("scancel", jobs.head)
    wait_told(jobs.backfilled, 4)
    assert cluster.tasks(jobs.backfilled) == tasks
