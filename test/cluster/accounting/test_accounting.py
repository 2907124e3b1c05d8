# SPDX-License-Identifier: GPL-2.0-or-later
"""sacct, sshare, sreport and the ledger of sched/fjt agree about jobs whose cores change (doc/accounting.md).

What they say is printed: `pytest -s` shows it.
"""

import re
import time
from dataclasses import dataclass
from datetime import datetime

import pytest
from scenario import PEER_GONE, core_seconds_held, go_on, stays, submit_vm, unfolded, vmall_conf, wait_cores, wait_tasks
from vmcluster import ClusterError, Node

CLUSTER = {
    "accounting": True,
    "nodes": [Node("n1"), Node("w1")],
    "partitions": {"main": "Nodes=n1 Default=YES", "whole": "Nodes=w1 OverSubscribe=EXCLUSIVE"},
    "vmall_conf": {"LendWholeNodes": "yes"},
    "slurm_conf": {"AccountingStorageEnforce": "limits", "PriorityType": "priority/multifactor", "PriorityWeightQOS": 1000},
}

HOUR = 3600
SITE = "ticket 17"

# While it is, and of the jobs that were recorded before; the last is said by the thread that sends to it.
SLURMDBD_AWAY = rf"{PEER_GONE}|slurmdbd|DBD|persist|Failure sending message: "


@dataclass
class Record:
    """A line of sacct."""

    job: int
    state: str
    cores: int
    start: int
    end: int
    comment: str

    @property
    def core_seconds(self):
        return self.cores * (self.end - self.start)


def sacct(cluster, *options):
    """All records of cores that were held and given back, in the order in which they began. Of a requeued run that is cancelled
    before it begins there may be one, too; it has AllocCPUS, but no AllocTRES."""
    out = cluster.run("sacct", "-a", "-n", "-P", "-X", "-D", *options, "-o", "JobIDRaw,State,AllocCPUS,AllocTRES,Start,End,AdminComment",
                      SLURM_TIME_FORMAT="%s").stdout
    rows = [line.split("|", 6) for line in out.splitlines()]
    return sorted((Record(int(job), state.split()[0], int(cores), int(start), int(end), comment)
                   for job, state, cores, tres, start, end, comment in rows if tres and start.isdigit() and end.isdigit()),
                  key=lambda record: (record.start, record.job))


def wait_records(cluster, job_id, count):
    """The job's records, once there are so many and all have ended."""
    found = []

    def are_complete():
        found[:] = sacct(cluster, "-j", job_id)
        return len(found) == count

    try:
        cluster.wait_until(are_complete, f"job {job_id} to have {count} records")
    except ClusterError as error:
        raise ClusterError(f"it has {found}\n{error}") from error
    return found


def wait_recorded(cluster):
    cluster.wait_until(lambda: cluster.vmctl_stats()["jobs_unrecorded"] == 0, "slurmdbd to have numbered all records")


def raw_usage(cluster):
    out = cluster.run("sshare", "-A", "root", "-n", "-P", "-o", "RawUsage").stdout
    return int(out.split()[0])


def admin_comment(cluster, job_id):
    return re.search(r"AdminComment=(.*)", cluster.run("scontrol", "show", "job", job_id).stdout)[1].strip()


def show(title, rows):
    print(f"\n{title}", *rows, sep="\n    ")


def assert_stretches(cluster, records, cores):
    """One record for each stretch, without gaps, and what they add up to is what the ledger says."""
    assert [record.cores for record in records] == cores
    assert [record.state for record in records[:-1]] == ["RESIZING"] * (len(records) - 1)
    assert all(before.end == after.start and before.start < before.end for before, after in zip(records, records[1:]))
    held = core_seconds_held(cluster, records[0].job)
    show(f"job {records[0].job}: the ledger says {held} core-seconds, sacct", records)
    assert abs(sum(record.core_seconds for record in records) - held) <= sum(cores), "more than a second at each change"


def fold_recorded(cluster):
    """Slurm may not record a stretch of less than two seconds."""
    jobs = unfolded(cluster)
    time.sleep(2)
    go_on(cluster, jobs)
    return jobs


@pytest.mark.core
def test_records_ledger_and_fair_share_agree_when_a_resized_job_is_requeued(cluster):
    ordinary = cluster.submit("sleep 3", "-n8")
    cluster.wait_end(ordinary)
    usage, held = raw_usage(cluster), cluster.vmctl_stats()["core_seconds"]
    first = max(cluster.jobs())
    jobs = fold_recorded(cluster)
    cluster.run("scontrol", "update", f"JobId={jobs.folded}", f"AdminComment={SITE}")
    cluster.run("scancel", jobs.guest)
    wait_cores(cluster, jobs.folded, 4)
    row = cluster.vmctl_jobs()[jobs.folded]
    assert row["core_seconds"] > 0
    comment = cluster.wait_until(lambda: "vmall" in (text := admin_comment(cluster, jobs.folded)) and text, "the note")
    assert comment == f"{SITE}; vmall: class=long mpl=1 folds=1"
    wait_recorded(cluster)
    cluster.run("scontrol", "requeue", jobs.folded)
    cluster.wait_state(jobs.folded, "PENDING")
    cluster.run("scancel", jobs.folded, jobs.other)
    cluster.wait_until(lambda: not cluster.squeue_cpus(), "the cores to be free")

    records = wait_records(cluster, jobs.folded, 3)
    assert_stretches(cluster, records, [4, 1, 4])
    assert records[-1].state == "REQUEUED"
    assert [record.comment for record in records] == [
        "vmall: class=long mpl=1 folds=0", SITE, f"{SITE}; vmall: class=long mpl=1 folds=1"]

    of_all = [record for record in sacct(cluster) if record.job > first]
    recorded, tolerance = (sum(values) for values in zip(*((record.core_seconds, record.cores) for record in of_all)))
    of_ours = sum(record.core_seconds for record in of_all if record.job != jobs.other)
    held, usage = cluster.vmctl_stats()["core_seconds"] - held, raw_usage(cluster) - usage
    show("core-seconds", [f"sacct {recorded}, of ours {of_ours}, ledger {held}, fair-share {usage}"])
    assert abs(of_ours - held) <= tolerance
    assert abs(recorded - usage) <= tolerance


def test_jobs_pay_for_the_cores_that_each_of_them_holds_of_a_whole_node(cluster):
    lender = submit_vm(cluster, "long", 8, options=["-p", "whole"])
    wait_tasks(cluster, lender, cluster.wait_state(lender, "RUNNING").tasks)
    time.sleep(2)
    guest = submit_vm(cluster, "short", 8, "1:00", options=["-p", "whole"])
    assert cluster.wait_state(guest, "RUNNING").core_count == wait_cores(cluster, lender, 4).core_count
    time.sleep(2)
    cluster.run("scancel", guest)
    wait_cores(cluster, lender, 8)
    time.sleep(2)
    cluster.run("scancel", lender)
    assert_stretches(cluster, wait_records(cluster, lender, 3), [8, 4, 8])
    assert wait_records(cluster, guest, 1)[0].cores == 4


def test_qos_that_takes_part_is_rewarded(cluster):
    """By Slurm, as vmall.conf(5) says of TakePart; what its jobs cost is nothing here, so that no times are compared."""
    cluster.run("sacctmgr", "-i", "add", "qos", "shared", "set", "UsageFactor=0", "Priority=100")
    cluster.run("sacctmgr", "-i", "modify", "account", "root", "set", "QosLevel+=shared")
    with vmall_conf(cluster, TakePart="none,qos/shared:yes"):
        before = raw_usage(cluster)
        rewarded = cluster.submit("sleep 3", "-n8", "--qos=shared", "--time=5")
        cluster.wait_state(rewarded, "RUNNING")
        assert rewarded in cluster.vmctl_jobs()
        cluster.wait_end(rewarded)
        assert raw_usage(cluster) <= before
        ordinary = cluster.submit("sleep 3", "-n8", "--time=5")
        shared = cluster.submit("true", "-n8", "--qos=shared", f"--dependency=afterany:{ordinary}")
        assert int(cluster.job(shared).fields["Priority"]) == 1000 > int(cluster.job(ordinary).fields["Priority"])
        cluster.wait_end(ordinary)
        assert raw_usage(cluster) > before


@pytest.mark.log_errors(SLURMDBD_AWAY)
def test_job_keeps_its_cores_while_slurmdbd_is_away(cluster):
    jobs = fold_recorded(cluster)
    cluster.accounting.slurmdbd.stop()
    waiting = cluster.submit("true", "-n8")  # slurmctld notices when it has something to tell
    cluster.wait_until(lambda: cluster.vmctl_stats()["jobs_unrecorded"] == 2, "slurmdbd to be missed")
    cluster.run("scancel", jobs.guest)
    cluster.wait_state(jobs.guest, "CANCELLED")
    assert stays(cluster, lambda: cluster.job(jobs.folded).core_count == 1)
    cluster.accounting.slurmdbd.start()
    cluster.run("scancel", waiting)
    wait_cores(cluster, jobs.folded, 4)
    cluster.run("scancel", jobs.folded, jobs.other)
    assert_stretches(cluster, wait_records(cluster, jobs.folded, 3), [4, 1, 4])


def sreport(cluster, report, begin, *options):
    """The columns of its only line about CPUs in the two hours from `begin` on, in seconds."""
    out = cluster.run("sreport", "-n", "-P", "-t", "Seconds", "-T", "cpu", "cluster", report, *options,
                      *(f"{key}={datetime.fromtimestamp(time):%Y-%m-%dT%H:%M:%S}" for key, time in (("start", begin), ("end", begin + 2 * HOUR))))
    return [int(cell) for cell in out.stdout.splitlines()[0].split("|") if cell.isdigit()]


@pytest.mark.log_errors(SLURMDBD_AWAY)
def test_utilization_is_what_was_held_and_at_most_everything(cluster):
    """sreport knows full hours only, so what happened is moved two hours back."""
    cluster.wait_until(lambda: "RUNNING" not in cluster.run("sacct", "-a", "-n", "-X", "-D", "-o", "State").stdout, "all to be recorded")
    records = sacct(cluster)
    begin = (records[0].start - 2 * HOUR) // HOUR * HOUR
    times = {"job": ("submit", "eligible", "start", "end"), "step": ("start", "end"), "event": ("start", "end")}
    cluster.accounting.rewrite(cluster.wait_until, [
        *(f"update throwaway_{table}_table set time_{time}=time_{time}-{2 * HOUR} where time_{time}>0 order by time_{time};"
          for table, columns in times.items() for time in columns),
        f"update throwaway_last_ran_table set hourly_rollup={begin}, daily_rollup={begin}, monthly_rollup={begin};"])

    def rolled_up():
        # By default 24.11 shows the planned twice, and not what was down as planned.
        report = sreport(cluster, "Utilization", begin, "format=Allocated,Down,PlannedDown,Idle,Reserved,Reported")
        return any(report) and report
    allocated, *rest, reported = cluster.wait_until(rolled_up, "slurmdbd to roll up")
    held = sum(record.core_seconds for record in records)
    used = sreport(cluster, "AccountUtilizationByUser", begin)[0]
    show("CPU seconds", [f"sacct {held}, sreport: allocated {allocated} of {reported}, account root {used}"])
    assert allocated == used == held
    assert allocated <= reported and allocated + sum(rest) == reported
