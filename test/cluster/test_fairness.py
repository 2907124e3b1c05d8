# SPDX-License-Identifier: GPL-2.0-or-later
"""What an operator allows of one job: how deep it is folded, how often, and how soon again."""

from scenario import submit_vm, wait_cores

CLUSTER = {"vmall_conf": {
    "MaxMpl": 4,
    "MaxMplPerJob": "4,account/whole:1,account/half:2",
    "MaxFoldsPerJob": "unlimited,account/once:1",
}}


def run_long(cluster, account):
    """A job that fills the node until it is folded."""
    job = submit_vm(cluster, "long", 8, options=[f"--account={account}"])
    wait_cores(cluster, job, 8)
    return job


def wait_in_vain(cluster, cores):
    """A short job that nobody is folded for."""
    waiting = submit_vm(cluster, "short", cores)
    cluster.wait_until(lambda: f"waits_for_{cores}_cores" in cluster.job(waiting).reason, 20,
                       f"job {waiting} to wait for cores that nobody gives up")
    return waiting


def test_a_job_that_may_not_be_folded_keeps_its_cores(cluster):
    job = run_long(cluster, "whole")
    wait_in_vain(cluster, 4)
    assert cluster.job(job).core_count == 8


def test_a_job_is_folded_only_so_deep(cluster):
    job = run_long(cluster, "half")
    short = submit_vm(cluster, "short", 4)
    wait_cores(cluster, job, 4)
    cluster.wait_state(short, "RUNNING")
    wait_in_vain(cluster, 2)
    assert cluster.job(job).core_count == 4


def test_a_job_is_folded_only_so_often(cluster):
    job = run_long(cluster, "once")
    short = submit_vm(cluster, "short", 4)
    cluster.wait_state(short, "RUNNING")
    cluster.run("scancel", short)
    wait_cores(cluster, job, 8)
    wait_in_vain(cluster, 4)
    assert cluster.job(job).core_count == 8
