# SPDX-License-Identifier: GPL-2.0-or-later
"""scontrol suspend and resume of a folded job."""

import pytest
from scenario import fold, stays, wait_confined, wait_cores, wait_tasks


@pytest.mark.core
def test_suspended_folded_job_resumes_folded_and_unfolds_later(cluster):
    jobs = fold(cluster)
    tasks = wait_tasks(cluster, jobs.backfilled, 4)
    cluster.run("scontrol", "suspend", jobs.backfilled)
    suspended = cluster.wait_state(jobs.backfilled, "SUSPENDED")
    assert suspended.core_count == 1
    cluster.run("scontrol", "resume", jobs.backfilled)
    assert cluster.wait_state(jobs.backfilled, "RUNNING").core_count == 1
    assert cluster.violations() == []
    cluster.run("scancel", jobs.head)
    wait_cores(cluster, jobs.backfilled, 4)
    wait_confined(cluster, jobs.backfilled)
    assert cluster.tasks(jobs.backfilled) == tasks


def test_suspended_job_is_not_resized(cluster):
    jobs = fold(cluster)
    cluster.run("scontrol", "suspend", jobs.backfilled)
    cluster.wait_state(jobs.backfilled, "SUSPENDED")
    cluster.run("scancel", jobs.head)
    cluster.wait_state(jobs.head, "CANCELLED")
    assert stays(cluster, lambda: cluster.job(jobs.backfilled).core_count == 1)
    cluster.run("scontrol", "resume", jobs.backfilled)
    wait_cores(cluster, jobs.backfilled, 4)
