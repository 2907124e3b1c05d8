# SPDX-License-Identifier: GPL-2.0-or-later
"""Sizing adaptive with EASY backfilling: starts, folds and grows real jobs."""

from scenario import FOREVER, submit_vm, wait_confined, wait_cores, wait_tasks

CLUSTER = {"vmall_conf": {"QueueDiscipline": "easy", "Sizing": "adaptive", "MaxMpl": 4}}


def start_long(cluster, procs=8):
    job_id = submit_vm(cluster, "long", procs)
    cluster.wait_state(job_id, "RUNNING")
    return job_id


def test_short_job_starts_beside_a_long_one_that_has_the_machine(cluster):
    long_job = start_long(cluster)
    assert cluster.job(long_job).core_count == 8
    tasks = wait_tasks(cluster, long_job, 8)
    short_job = submit_vm(cluster, "short", "1-8")
    started = cluster.wait_state(short_job, "RUNNING")
    assert (started.core_count, started.tasks) == (4, 4), "all that folding has freed"
    assert cluster.job(long_job).core_count == 4
    wait_confined(cluster, long_job)
    cluster.run("scancel", short_job)
    wait_cores(cluster, long_job, 8)
    wait_confined(cluster, long_job)
    assert cluster.tasks(long_job) == tasks


def start_other(cluster, cores):
    """One that did not ask."""
    job_id = cluster.submit(FOREVER, f"-n{cores}")
    cluster.wait_state(job_id, "RUNNING")
    return job_id


def test_long_job_starts_on_half_of_its_cores_and_nobody_is_folded_for_it(cluster):
    other = start_other(cluster, 4)
    first, second = start_long(cluster), submit_vm(cluster, "long", 8)
    wait_cores(cluster, first, 4)
    wait_tasks(cluster, first, 8)
    wait_confined(cluster, first)
    cluster.run("scancel", other)
    assert cluster.wait_state(second, "RUNNING").core_count == 4
    assert cluster.job(first).core_count == 4


def test_folded_job_grows_beside_one_that_cannot_use_the_cores(cluster):
    other, folded = start_other(cluster, 4), start_long(cluster)
    wait_cores(cluster, folded, 4)
    waiting = cluster.submit(FOREVER, "-n8")
    cluster.run("scancel", other)
    wait_cores(cluster, folded, 8)
    assert cluster.job(waiting).state == "PENDING"
