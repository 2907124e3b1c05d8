# SPDX-License-Identifier: GPL-2.0-or-later
"""What vmctl shows of other people's jobs where slurm.conf has PrivateData=jobs: what squeue shows."""

import json
import pwd

import pytest
from scenario import submit_vm

pytestmark = pytest.mark.core

OWNER, COORDINATOR, OPERATOR, STRANGER = "daemon", "bin", "sys", "games"

CLUSTER = {"accounting": True, "slurm_conf": {"PrivateData": "jobs"}, "vmall_conf": {"MaxMpl": 1}}


@pytest.fixture(scope="module")
def accounts(cluster):
    for account in ("physics", "chemistry"):
        cluster.run("sacctmgr", "-i", "add", "account", account)
        for user in (OWNER, COORDINATOR, OPERATOR, STRANGER):
            cluster.run("sacctmgr", "-i", "add", "user", user, f"account={account}")
    cluster.run("sacctmgr", "-i", "modify", "user", OPERATOR, "set", "AdminLevel=Operator")
    cluster.run("sacctmgr", "-i", "add", "coordinator", "account=physics", f"names={COORDINATOR}")


def submit_as(cluster, user, account, procs):
    """Jobs that nobody folds."""
    return submit_vm(cluster, "long", procs, options=[f"--uid={user}", f"--account={account}"])


def as_user(cluster, user, *command):
    entry = pwd.getpwnam(user)
    return cluster.run("setpriv", f"--reuid={entry.pw_uid}", f"--regid={entry.pw_gid}", "--clear-groups", *command).stdout


def shown_by_vmctl(cluster, user, what):
    rows = json.loads(as_user(cluster, user, cluster.build.vmctl, what, "--json"))[what]
    return {row["job_id"] for row in rows}


def shown_by_squeue(cluster, user, state):
    return {int(job) for job in as_user(cluster, user, "squeue", "-h", "-t", state, "-o", "%A").split()}


@pytest.mark.parametrize("user, sees", [
    ("root", {"physics", "chemistry", "of the coordinator"}),
    (OPERATOR, {"physics", "chemistry", "of the coordinator"}),
    (COORDINATOR, {"physics", "of the coordinator"}),
    (OWNER, {"physics", "chemistry"}),
    (STRANGER, set()),
])
@pytest.mark.usefixtures("accounts")
def test_vmctl_shows_the_jobs_that_squeue_shows(cluster, user, sees):
    jobs = [("physics", OWNER, "physics"), ("chemistry", OWNER, "chemistry"), ("of the coordinator", COORDINATOR, "chemistry")]
    running = {name: submit_as(cluster, owner, account, "2") for name, owner, account in jobs}
    for job_id in running.values():
        cluster.wait_state(job_id, "RUNNING")
    waiting = {name: submit_as(cluster, owner, account, "8") for name, owner, account in jobs}
    for what, ids, state in [("jobs", running, "RUNNING"), ("queue", waiting, "PENDING")]:
        cluster.wait_until(lambda: shown_by_vmctl(cluster, "root", what) == set(ids.values()), f"vmctl to know the {what}")
        shown = shown_by_vmctl(cluster, user, what)
        assert shown == {ids[name] for name in sees}
        assert shown == shown_by_squeue(cluster, user, state)
    told = shown_by_vmctl(cluster, user, "history") & set(running.values())
    assert told == {running[name] for name in sees}
