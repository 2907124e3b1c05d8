# SPDX-License-Identifier: GPL-2.0-or-later
"""Limits of associations and QOS count the cores that a folded job has now, and hold its growth back. A QOS may say, too,
whose jobs take part."""

import re
import time

import pytest
from scenario import FOREVER, PEER_GONE, go_on, submit_vm, unfolded, vmall_conf, wait_cores, wait_tasks

CLUSTER = {
    "accounting": True,
    "slurm_conf": {"AccountingStorageEnforce": "limits,qos", "PriorityType": "priority/multifactor",
                   "DebugFlags": "Priority"},
    "vmall_conf": {"ResizeRetryInterval": 1},
}


@pytest.fixture(scope="module", autouse=True)
def accounts(cluster):
    """root's jobs go to `open`, those with -A limited to an account that the tests limit."""
    for account in ("open", "limited"):
        cluster.run("sacctmgr", "-i", "add", "account", account)
    cluster.run("sacctmgr", "-i", "add", "user", "root", "account=open,limited", "DefaultAccount=open")
    cluster.run("sacctmgr", "-i", "add", "qos", "capped")
    cluster.run("sacctmgr", "-i", "modify", "account", "limited", "set", "QosLevel+=capped")


def set_limit(cluster, kind, name, what, cpus):
    """-1 lifts it."""
    cluster.run("sacctmgr", "-i", "modify", kind, name, "set", f"{what}=cpu={cpus}")


def wait_refused(cluster):
    """Until a limit has held an unfold back that began after now."""
    count = cluster.vmctl_stats()["refusals_by_limits"]
    cluster.wait_until(lambda: cluster.vmctl_stats()["refusals_by_limits"] > count + 1, "an unfold to be refused")


def fold_limited(cluster):
    """Two jobs on six of the eight cores, one of four processes in `limited` folded onto one, and one of a core that waited for the
    limit of `limited` until then."""
    other = cluster.submit(FOREVER, "-n4")
    wait_tasks(cluster, other, 4)
    folded = submit_vm(cluster, "long", 4, options=["-A", "limited", "--qos=capped", "--time=60"])
    assert cluster.wait_state(folded, "RUNNING").core_count == 4
    waited = cluster.submit(FOREVER, "-n1", "-A", "limited", "--time=1")
    guest = submit_vm(cluster, "short", 2, "1:00")
    wait_cores(cluster, folded, 1)
    for job_id in (guest, waited):
        cluster.wait_state(job_id, "RUNNING")
    return [other, guest], folded, waited


@pytest.mark.core
def test_limits_count_present_cores_and_hold_growth_back(cluster):
    set_limit(cluster, "account", "limited", "GrpTRES", 4)
    others, folded, waited = fold_limited(cluster)
    cluster.run("scancel", *others)
    wait_refused(cluster)
    assert cluster.job(folded).core_count == 1
    kinds = [("account", "limited", "GrpTRES", 3), ("qos", "capped", "MaxTRESPerUser", 3),
             ("account", "limited", "GrpTRESRunMins", 200), ("user", "root", "MaxTRESMinsPerJob", 200)]
    set_limit(cluster, *kinds[0])
    cluster.run("scancel", waited)
    for lifted, limit in zip(kinds, kinds[1:]):
        set_limit(cluster, *limit)
        set_limit(cluster, *lifted[:3], -1)
        wait_refused(cluster)
        assert cluster.job(folded).core_count == 1, limit
    set_limit(cluster, *kinds[-1][:3], -1)
    wait_cores(cluster, folded, 4)


def test_jobs_of_a_qos_take_part(cluster):
    with vmall_conf(cluster, TakePart="none,qos/capped:yes"):
        jobs = [cluster.submit(FOREVER, "-n2", "-A", "limited", *qos) for qos in (["--qos=capped"], [])]
        for job_id in jobs:
            cluster.wait_state(job_id, "RUNNING")
        assert [job_id in cluster.vmctl_jobs() for job_id in jobs] == [True, False]


def usage_of_open(cluster):
    """(billed seconds, CPU seconds reserved until time limits) of root's jobs in `open`, as the priority plugin logs them."""
    log = cluster.slurmctld.log.read_text()
    number, billed = re.findall(r"new usage to assoc (\d+) \(open/root/.* raw usage is now (\d+\.\d+)", log)[-1]
    reserved = re.findall(rf"from assoc {number} TRES cpu grp_used_tres_run_secs = (\d+)", log)[-1]
    return float(billed), int(reserved)


def recorded_cpu_seconds(cluster, job_ids):
    """What the accounting database says once all the jobs have ended there."""
    def ended():
        out = cluster.run("sacct", "-n", "-X", "-D", "-P", "-o", "State,CPUTimeRAW", "-j", ",".join(map(str, job_ids))).stdout
        rows = [line.split("|") for line in out.splitlines()]
        return "RUNNING" not in (state for state, _ in rows) and sum(int(seconds) for _, seconds in rows)
    return cluster.wait_until(ended, "the database to have the end of every job")


@pytest.mark.log_errors(PEER_GONE)
def test_resizes_charge_fair_share_for_what_was_held_and_reserve_nothing_for_ever(cluster):
    cluster.wait_end(cluster.submit("sleep 1", "-n1", "--time=1"))
    billed_before, _ = usage_of_open(cluster)
    jobs = unfolded(cluster, options=["--time=60"], other=["-n4", "--time=60"])
    time.sleep(3)
    cluster.restart_slurmctld()  # the priority plugin looks when it starts, in the middle of the job
    go_on(cluster, jobs)
    time.sleep(3)
    cluster.run("scancel", jobs.guest)
    wait_cores(cluster, jobs.folded, 4)
    cluster.cancel_all()
    held = recorded_cpu_seconds(cluster, [jobs.other, jobs.guest, jobs.folded])
    billed, reserved = usage_of_open(cluster)
    assert reserved == 0
    assert abs(billed - billed_before - held) <= 16, "more than a second of difference at each start, resize and end"
