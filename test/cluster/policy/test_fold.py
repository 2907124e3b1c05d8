# SPDX-License-Identifier: GPL-2.0-or-later
"""Backfilling with malleability, the papers' policy, on one node, as users see it in squeue, scontrol and /proc."""

import re

import pytest
import schemas
from papers import backfill, go_on, fold
from scenario import outside_allotment, stays, submit_vm, wait_confined, wait_cores, wait_tasks
from vmcluster.conf import PAPERS_POLICY

CLUSTER = {"vmall_conf": PAPERS_POLICY}


@pytest.mark.core
def test_expired_window_folds_the_backfilled_job_and_starts_the_head(cluster):
    before = cluster.vmctl_stats()
    jobs = fold(cluster)
    grown = {name: value - before[name] for name, value in cluster.vmctl_stats().items() if name in before}
    assert [grown[name] for name in ("starts", "backfilled", "folds", "windows_expired")] == [3, 1, 1, 1]
    folded = cluster.job(jobs.backfilled)
    head = cluster.job(jobs.head)
    assert folded.state == "RUNNING" and folded.tasks == 4 and folded.core_count == 1
    assert head.core_count == 7 and head.tasks == 7
    assert cluster.squeue_cpus() == {jobs.backfilled: 1, jobs.head: 7}
    row = cluster.vmctl_jobs()[jobs.backfilled]
    assert row["backfilled"] and "window_end" in row
    schemas.check("vmctl-jobs", cluster.vmctl("jobs", "--json").stdout)
    assert cluster.sinfo_allocated() == {"n1": 8}
    wait_confined(cluster, jobs.backfilled)


@pytest.mark.core
def test_folded_job_keeps_its_processes_and_unfolds_when_nobody_waits_for_the_free_cores(cluster):
    jobs = backfill(cluster)
    before = wait_tasks(cluster, jobs.backfilled, 4)
    assert outside_allotment(cluster, jobs.backfilled) == []
    go_on(cluster, jobs)
    wait_confined(cluster, jobs.backfilled)
    assert cluster.tasks(jobs.backfilled) == before
    cluster.run("scancel", jobs.head)
    wait_cores(cluster, jobs.backfilled, 4)
    wait_confined(cluster, jobs.backfilled)
    assert cluster.tasks(jobs.backfilled) == before


def test_folded_job_stays_folded_while_somebody_waits(cluster):
    jobs = fold(cluster)
    next_in_line = submit_vm(cluster, "long", 8)
    cluster.run("scancel", jobs.head)
    cluster.wait_state(jobs.head, "CANCELLED")
    assert stays(cluster, lambda: cluster.job(jobs.backfilled).core_count == 1)
    cluster.run("scancel", next_in_line)
    wait_cores(cluster, jobs.backfilled, 4)


def test_two_folds_overlap_when_the_head_needs_both(cluster):
    first = submit_vm(cluster, "short", 2)
    wait_tasks(cluster, first, 2)
    head = submit_vm(cluster, "long", "6-8")
    folded = [submit_vm(cluster, "short", 3, "0:02") for _ in range(2)]
    for job in folded:
        assert cluster.wait_state(job, "RUNNING").core_count == 3
    cluster.run("scancel", first)
    for job in folded:
        wait_cores(cluster, job, 1)
    assert cluster.wait_state(head, "RUNNING").core_count == 6
    for job in folded:
        wait_confined(cluster, job)


def test_no_more_jobs_are_folded_than_the_head_needs(cluster):
    first = submit_vm(cluster, "short", 2)
    wait_tasks(cluster, first, 2)
    head = submit_vm(cluster, "long", "3-4")
    oldest, youngest = [submit_vm(cluster, "short", 3, "0:02") for _ in range(2)]
    cluster.wait_state(youngest, "RUNNING")
    cluster.run("scancel", first)
    cluster.wait_state(head, "RUNNING")
    assert cluster.job(oldest).core_count == 1, "the oldest is folded first"
    assert cluster.job(youngest).core_count == 3


@pytest.mark.core
@pytest.mark.parametrize("signal", ["TERM", "KILL"])
def test_signals_reach_every_process_of_a_folded_job(cluster, signal):
    jobs = fold(cluster)
    wait_tasks(cluster, jobs.backfilled, 4)
    cluster.run("scancel", "--signal", signal, jobs.backfilled)
    cluster.wait_end(jobs.backfilled)
    assert cluster.tasks(jobs.backfilled) == {}


def test_log_says_how_long_after_its_decision_a_resize_was_applied(cluster):
    jobs = fold(cluster)

    def applied():
        return re.findall(rf"resize of JobId={jobs.backfilled} applied after \d+ microseconds", cluster.slurmctld.log.read_text())

    cluster.wait_until(lambda: len(applied()) == 1, "the fold to be applied")
    cluster.run("scancel", jobs.head)
    wait_cores(cluster, jobs.backfilled, 4)
    cluster.wait_until(lambda: len(applied()) == 2, "the unfold to be applied")
