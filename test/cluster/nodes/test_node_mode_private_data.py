# SPDX-License-Identifier: GPL-2.0-or-later
"""What vmctl shows of other people's jobs with PrivateData=jobs where agents deal cores themselves (mode=node)."""

import json
import pwd

import pytest
from scenario import FOREVER, wait_tasks
from vmcluster import Node

pytestmark = pytest.mark.core

OWNER, OTHER, STRANGER = "daemon", "bin", "games"

CLUSTER = {"scheduler": "node", "nodes": [Node("n1", 8)], "slurm_conf": {"PrivateData": "jobs"},
           "partitions": {"claimed": "Nodes=n1 Default=YES OverSubscribe=FORCE:4"}}


def as_user(cluster, user, *command, check=True):
    entry = pwd.getpwnam(user)
    return cluster.run("setpriv", f"--reuid={entry.pw_uid}", f"--regid={entry.pw_gid}", "--clear-groups", *command, check=check)


def shown(cluster, user):
    """job → the jobs that it is said to share with."""
    rows = json.loads(as_user(cluster, user, cluster.build.vmctl, "jobs", "--json").stdout)["jobs"]
    return {row["job_id"]: row["nodes"][0]["deal"]["with"] for row in rows}


@pytest.fixture
def jobs(cluster):
    """A job of each, and one of a third user that did not ask, all on the same cores."""
    started = {}
    for user, options in [(OWNER, ["--vm-class=long"]), (OTHER, ["--vm-class=long"]), ("sys", [])]:
        job_id = started[user] = cluster.submit(FOREVER, "-n8", f"--uid={user}", *options)
        cluster.wait_state(job_id, "RUNNING")
        wait_tasks(cluster, job_id, 8)
    seen = {started[OWNER]: [started[OTHER], started["sys"]], started[OTHER]: [started[OWNER], started["sys"]]}
    cluster.wait_until(lambda: shown(cluster, "root") == seen, f"root to be shown {seen}")
    return started


def test_ordinary_users_are_shown_their_own_jobs(cluster, jobs):
    for user in OWNER, OTHER:
        assert shown(cluster, user) == {jobs[user]: []}
    assert shown(cluster, STRANGER) == {}


def test_nothing_else_tells_of_jobs_of_others(cluster, jobs):
    top = as_user(cluster, OWNER, cluster.build.vmctl, "top", "--json").stdout
    assert [row["job_id"] for row in json.loads(top)["jobs"]] == [jobs[OWNER]]
    why = as_user(cluster, OWNER, cluster.build.vmctl, "why", jobs[OWNER]).stdout
    assert "Those that it shares with are not yours to see." in why or "No other job that is yours to see" in why
    for hidden in OTHER, "sys":
        said = as_user(cluster, OWNER, cluster.build.vmctl, "why", jobs[hidden], check=False)
        assert said.returncode == 1 and OTHER not in said.stdout
    if cluster.build.exporter.exists():
        text = as_user(cluster, OWNER, cluster.build.vmctl, "metrics").stdout
        states = {line for line in text.splitlines() if line.startswith("slurm_vm_jobs{")}
        assert sum(float(line.rsplit(" ", 1)[1]) for line in states) == 1
