# SPDX-License-Identifier: GPL-2.0-or-later
"""scontrol suspend and resume of a folded job."""

import pytest
from scenario import fold, stays, wait_confined, wait_cores, wait_tasks


@pytest.mark.core
def test_suspended_folded_job_resumes_folded_and_unfolds_later(cluster):
    jobs = fold(cluster)
    tasks = wait_tasks(cluster, jobs.folded, 4)
    cluster.run("scontrol", "suspend", jobs.folded)
    suspended = cluster.wait_state(jobs.folded, "SUSPENDED")
    assert suspended.core_count == 1
    cluster.run("scontrol", "resume", jobs.folded)
    assert cluster.wait_state(jobs.folded, "RUNNING").core_count == 1
    assert cluster.violations() == []
    cluster.run("scancel", jobs.guest)
    wait_cores(cluster, jobs.folded, 4)
    wait_confined(cluster, jobs.folded)
    assert cluster.tasks(jobs.folded) == tasks


def test_suspended_job_is_not_resized(cluster):
    jobs = fold(cluster)
    cluster.run("scontrol", "suspend", jobs.folded)
    cluster.wait_state(jobs.folded, "SUSPENDED")
    cluster.run("scancel", jobs.guest)
    cluster.wait_state(jobs.guest, "CANCELLED")
    assert stays(cluster, lambda: cluster.job(jobs.folded).core_count == 1)
    cluster.run("scontrol", "resume", jobs.folded)
    wait_cores(cluster, jobs.folded, 4)
