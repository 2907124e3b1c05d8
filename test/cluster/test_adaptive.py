# SPDX-License-Identifier: GPL-2.0-or-later
"""The policy of our own, which is the default (doc/policy.md): starts, folds and grows real jobs."""

from scenario import FOREVER, submit_vm, wait_confined, wait_cores, wait_tasks

CLUSTER = {"vmall_conf": {"QueueDiscipline": "short-first", "Sizing": "adaptive", "MaxMpl": 4}}


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


def test_two_long_jobs_have_half_of_the_machine_each(cluster):
    first, second = start_long(cluster), start_long(cluster)
    for job_id in (first, second):
        wait_cores(cluster, job_id, 4)
        wait_tasks(cluster, job_id, 8)
        wait_confined(cluster, job_id)
    cluster.run("scancel", first)
    wait_cores(cluster, second, 8)


def test_short_job_passes_a_long_one_that_waits(cluster):
    other = cluster.submit(FOREVER, "-n6")
    cluster.wait_state(other, "RUNNING")
    waiting = submit_vm(cluster, "long", 8)
    passing = submit_vm(cluster, "short", "1-8")
    assert cluster.wait_state(passing, "RUNNING").core_count == 2
    assert cluster.job(waiting).state == "PENDING"
    cluster.run("scancel", other)
    assert cluster.wait_state(waiting, "RUNNING").tasks == 8


def test_folded_job_grows_beside_one_that_cannot_use_the_cores(cluster):
    first, second = start_long(cluster), start_long(cluster)
    waiting = submit_vm(cluster, "long", 8)
    cluster.run("scancel", first)
    # Half of the machine is enough for the one that waits; then nothing is left to grow into.
    assert cluster.wait_state(waiting, "RUNNING").core_count == 4
    last = cluster.submit(FOREVER, "-n8")
    cluster.run("scancel", waiting)
    wait_cores(cluster, second, 8)
    assert cluster.job(last).state == "PENDING"
