# SPDX-License-Identifier: GPL-2.0-or-later
"""What a hand-over takes on a node: measured by its agent, shown, and weighed before a job with messages is folded."""

import json
import time
from pathlib import Path

import pytest
from scenario import go_on, send_guest, stays, unfolded, wait_in_mpi
from vmcluster.programs import Kernel

pytestmark = pytest.mark.core

CLUSTER = {"vmall_conf": {"SurveyInterval": 1}}
CHEAP, DEAR = 1, 10**7
BOOT = Path("/proc/sys/kernel/random/boot_id").read_text().strip()
HISTOGRAM = "slurm_vm_hand_over_seconds"


def saved_price(cluster):
    return cluster.root / "run/n1/hand_over"


@pytest.fixture
def price(cluster):
    """Sets what the agent has found out after this boot."""
    before = saved_price(cluster).read_text() if saved_price(cluster).exists() else None

    def set_price(nanoseconds):
        content = {"ns": nanoseconds, "measured_at": int(time.time()), "boot": BOOT}
        saved_price(cluster).write_text(json.dumps({"hand_over": content}))
        cluster.restart_slurmd("n1")

    yield set_price
    cluster.cancel_all()
    saved_price(cluster).unlink()
    if before is not None:
        saved_price(cluster).write_text(before)
    cluster.restart_slurmd("n1")


def told_by_doctor(cluster):
    checks = json.loads(cluster.vmctl("doctor", "--json", check=False).stdout)["checks"]
    return [check["what"] for check in checks if check["check"] == "hand-over"]


def told_by_metrics(cluster):
    """How many nodes, and what they take in all, in seconds."""
    families = json.loads(cluster.vmctl("metrics", "--json").stdout)["metrics"]
    [sample] = next(family["samples"] for family in families if family["name"] == HISTOGRAM)
    return sample["count"], sample["value"]


def begin(cluster, build):
    """Jobs of a story whose ranks send ahead what others wait for: on a busy machine, too, these are many messages."""
    jobs = unfolded(cluster, Kernel("wavefront", "srun --mpi=pmi2", before="1000").script(build, 10**8))
    wait_in_mpi(cluster, jobs.folded, 4)
    return jobs


def wait_told(cluster, job_id, key, value=None):
    """Until `vmctl jobs` has the key, or that value of it."""
    def told():
        row = cluster.vmctl_jobs()[job_id]
        return key in row and value in (None, row[key])
    cluster.wait_until(told, f"{key} of job {job_id}")


def test_the_agent_measures_it_or_says_that_it_has_not(cluster):
    """A machine that is busy all the time leaves no CPU time for it."""
    cluster.wait_until(lambda: told_by_doctor(cluster), "the agent to answer")
    [told] = told_by_doctor(cluster)
    assert told.endswith(" us, measured in the last 24 h") or told == "not measured yet: no CPU has had time for it"


def test_a_job_of_fine_grain_is_not_folded_where_it_is_dear(cluster, build, price):
    price(DEAR)
    jobs = begin(cluster, build)
    assert told_by_doctor(cluster) == ["more than 100 us, measured in the last 24 h"]
    cluster.wait_until(lambda: told_by_metrics(cluster) == (1, DEAR / 1e9), "metrics to have it")
    wait_told(cluster, jobs.folded, "restraint", "hand_overs")
    send_guest(cluster, jobs)
    assert stays(cluster, lambda: cluster.job(jobs.folded).core_count == 4)
    assert cluster.job(jobs.guest).state == "PENDING"
    assert "more than twice its core-seconds" in cluster.vmctl("why", jobs.folded).stdout


def test_it_is_folded_where_it_is_cheap(cluster, build, price):
    price(CHEAP)
    jobs = begin(cluster, build)
    wait_told(cluster, jobs.folded, "useful_percent")
    go_on(cluster, jobs)
