# SPDX-License-Identifier: GPL-2.0-or-later
"""What vmctl shows of jobs and of the scheduler."""

import pytest
from scenario import FOREVER, fold, submit_vm, wait_cores


def wait_row(cluster, job_id, **wanted):
    """The job's row once it has these values."""
    def row():
        found = cluster.vmctl_jobs().get(job_id, {})
        return all(found.get(key) == value for key, value in wanted.items()) and found
    return cluster.wait_until(row, f"vmctl to show {wanted} for job {job_id}")


@pytest.mark.core
def test_jobs_shows_what_a_folded_job_has(cluster):
    jobs = fold(cluster)
    row = wait_row(cluster, jobs.folded, processes=4, nodes=[{"node": "n1", "cores": 1}], full_cores=4, mpl=4,
                   backfilled=False, resize_pending=False, folds=1, unfolds=0)
    assert row["class"] == "long" and "window_end" not in row
    assert row["generation_applied"] == row["generation_wanted"] > 0
    wait_row(cluster, jobs.guest, processes=3, mpl=1, backfilled=False, folds=0)
    cluster.run("scancel", jobs.guest)
    wait_cores(cluster, jobs.folded, 4)
    wait_row(cluster, jobs.folded, nodes=[{"node": "n1", "cores": 4}], mpl=1, folds=1, unfolds=1)


def test_jobs_table_has_a_line_per_job(cluster):
    job_id = submit_vm(cluster, "long", 3)
    wait_row(cluster, job_id, processes=3)
    header, line = cluster.vmctl("jobs").stdout.splitlines()
    row = dict(zip(header.split(), line.split()))
    assert (row["JOBID"], row["CLASS"], row["PROCS"], row["CORES"], row["MPL"]) == (str(job_id), "long", "3", "3", "1")


def test_jobs_leaves_out_jobs_that_did_not_ask(cluster):
    ordinary = cluster.submit(FOREVER, "-n2")
    cluster.wait_state(ordinary, "RUNNING")
    asked = submit_vm(cluster, "short", 2)
    wait_row(cluster, asked, processes=2)
    assert ordinary not in cluster.vmctl_jobs()


@pytest.mark.core
def test_stats_count_folds_and_unfolds(cluster):
    before = cluster.vmctl_stats()
    jobs = fold(cluster)
    cluster.run("scancel", jobs.guest)
    wait_cores(cluster, jobs.folded, 4)
    after = cluster.wait_until(lambda: (now := cluster.vmctl_stats())["unfolds"] > before["unfolds"] and now,
                               "the unfold to be counted")
    grown = {name: after[name] - before[name] for name in ("starts", "backfilled", "folds", "unfolds", "windows_expired")}
    assert grown == {"starts": 2, "backfilled": 0, "folds": 1, "unfolds": 1, "windows_expired": 0}


@pytest.mark.parametrize("arguments", [(), ("nonsense",), ("jobs", "--nonsense")])
def test_wrong_usage_is_an_error(cluster, arguments):
    done = cluster.vmctl(*arguments, check=False)
    assert done.returncode == 2 and "vmctl: error:" in done.stderr
