# SPDX-License-Identifier: GPL-2.0-or-later
"""Folding where Slurm confines tasks with cgroups, as most sites do."""

import os
from pathlib import Path

import pytest
from scenario import fold, wait_confined, wait_cores, wait_tasks
from vmcluster import Node

# Not a name that somebody else's node has: cgroups are the machine's.
NODE = f"cg{os.getpid()}"
CLUSTER = {"nodes": [Node(NODE, 8)], "cgroup": True}

# With version 2, Slurm wants systemd to own the tree, which a machine for tests need not have.
pytestmark = pytest.mark.skipif(not os.access("/sys/fs/cgroup/cpuset", os.W_OK), reason="no cpuset cgroup (version 1)")


def cpuset_of(pid):
    return next(line for line in Path(f"/proc/{pid}/cgroup").read_text().splitlines() if "cpuset" in line)


def test_folding_narrows_the_cpuset_and_unfolding_widens_it(cluster):
    jobs = fold(cluster)
    tasks = wait_tasks(cluster, jobs.backfilled, 4)
    wait_confined(cluster, jobs.backfilled)
    assert all(f"job_{jobs.backfilled}" in cpuset_of(pid) for pid in tasks.values())
    cluster.run("scancel", jobs.head)
    wait_cores(cluster, jobs.backfilled, 4)
    wait_confined(cluster, jobs.backfilled)
    assert cluster.tasks(jobs.backfilled) == tasks


def test_new_step_starts_in_a_narrowed_job(cluster):
    jobs = fold(cluster, "srun sleep 600 &\nuntil [ -e next ]; do sleep 0.2; done\n"
                         "srun --overlap bash -c 'echo rank $SLURM_PROCID'\necho second step: $?\nwait")
    (cluster.directory / "next").touch()
    cluster.wait_until(lambda: "second step: 0" in cluster.output(jobs.backfilled), 20, "the second step")
    assert cluster.output(jobs.backfilled).count("rank ") == 4
