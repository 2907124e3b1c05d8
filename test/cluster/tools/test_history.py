# SPDX-License-Identifier: GPL-2.0-or-later
"""The history of a real cluster: what vmctl tells and draws of it, and that slurmctld may be killed meanwhile."""

import json
import os
import stat
import time
import xml.etree.ElementTree as xml

import pytest
from papers import fold
from scenario import FOREVER, PEER_GONE, submit_vm, vmall_conf, wait_cores, wait_reason, wait_tasks


def history(cluster, *arguments):
    return json.loads(cluster.vmctl("history", "--json", *arguments).stdout)["history"]


def wait_events(cluster, job_id, *wanted):
    """The rows of the job once these are its events."""
    def told():
        rows = [row for row in history(cluster, job_id) if row["job_id"] == job_id]
        return [row["event"] for row in rows] == list(wanted) and rows
    return cluster.wait_until(told, f"the history of job {job_id} to be {wanted}")


def fold_for_a_short_job(cluster):
    """A long job that has the whole machine, and the short one that half of it was freed for."""
    long_job = submit_vm(cluster, "long", 8)
    assert cluster.wait_state(long_job, "RUNNING").core_count == 8
    wait_tasks(cluster, long_job, 8)
    short_job = submit_vm(cluster, "short", 4, "1:00")
    assert cluster.wait_state(short_job, "RUNNING").core_count == 4
    wait_tasks(cluster, short_job, 4)
    return long_job, short_job


def changes(row):
    return row["cores_before"], row["cores_after"], row["mpl"], row.get("cause"), row.get("for_job")


@pytest.mark.core
def test_fold_and_unfold_are_told_with_why_and_for_whom(cluster):
    long_job, short_job = fold_for_a_short_job(cluster)
    assert [changes(row) for row in wait_events(cluster, long_job, "started", "folded")] == [
        (0, 8, 1, "turn", None), (8, 4, 2, "room", short_job)]
    assert [row["job_id"] for row in history(cluster, short_job)] == [long_job, short_job]
    cluster.run("scancel", short_job)
    wait_cores(cluster, long_job, 8)
    assert changes(wait_events(cluster, long_job, "started", "folded", "unfolded")[-1]) == (4, 8, 1, "free-cores", None)
    cluster.run("scancel", long_job)
    ended = wait_events(cluster, long_job, "started", "folded", "unfolded", "ended")[-1]
    assert (ended["cores_before"], ended["cores_after"]) == (8, 0)
    assert (ended["balance"]["folds"], ended["balance"]["unfolds"]) == (1, 1)
    assert ended["user_id"] == 0 and ended["class"] == "long" and ended["processes"] == 8
    lines = cluster.vmctl("history", long_job).stdout.splitlines()
    assert lines[0].split()[:3] == ["TIME", "JOBID", "NAME"] and len(lines) == 5
    assert f"to make room for job {short_job}" in lines[2]
    assert cluster.vmctl("history", "-n", "--since=now-0seconds", long_job).stdout.count("\n") <= 4


@pytest.mark.core
def test_why_says_it_in_sentences(cluster):
    long_job, short_job = fold_for_a_short_job(cluster)
    waiting = submit_vm(cluster, "long", 8, "30:00")
    wait_reason(cluster, waiting, "waits for")
    wait_events(cluster, long_job, "started", "folded")
    folded = cluster.vmctl("why", long_job).stdout
    assert "runs with 8 processes on 4 of its 8 cores" in folded
    assert f"to make room for job {short_job}." in folded
    assert f"Job {long_job} was folded from 8 to 4 cores" in cluster.vmctl("why", short_job).stdout
    assert "has not been folded" in cluster.vmctl("why", short_job).stdout
    cluster.wait_until(lambda: " of root waits for " in cluster.vmctl("why", waiting).stdout, "why it waits")
    assert json.loads(cluster.vmctl("why", "--json", waiting).stdout)["job_id"] == waiting
    cluster.run("scancel", long_job)
    wait_events(cluster, long_job, "started", "folded", "ended")
    assert "It held " in cluster.vmctl("why", long_job).stdout


@pytest.mark.parametrize("settings, words", [
    ({"MaxMplPerJob": 1}, "MaxMplPerJob allows no more of this job"), ({"MaxFoldsPerJob": 0}, "as often as MaxFoldsPerJob allows"),
    ({"MaxMpl": 1}, "MaxMpl allows no more"), ({"LimitExtension": 0}, "its work would end after its limit")],
    ids=lambda value: next(iter(value)) if isinstance(value, dict) else None)
def test_why_says_what_keeps_a_job_from_being_folded(cluster, settings, words):
    with vmall_conf(cluster, **settings):
        job_id = submit_vm(cluster, "long", 8, options=["--time=60"])
        cluster.wait_state(job_id, "RUNNING")
        said = cluster.wait_until(lambda: "It is not folded: " in (text := cluster.vmctl("why", job_id).stdout) and text,
                                  "what keeps it from being folded")
        assert words in said


def test_task_of_an_array_is_asked_for_as_squeue_names_it(cluster):
    array = submit_vm(cluster, "short", 2, options=["--array=0-1"])

    def numbers():
        rows = cluster.run("squeue", "-h", "-r", "-t", "R", "-o", "%K %A", "-j", array).stdout.splitlines()
        return dict(row.split() for row in rows)

    for task, number in cluster.wait_until(lambda: len(found := numbers()) == 2 and found, "both tasks to run").items():
        cluster.wait_until(lambda number=int(number): number in cluster.vmctl_jobs(), "vmctl to show it")
        assert cluster.vmctl("why", f"{array}_{task}").stdout.startswith(f"Job {number} (")
        assert {row["job_id"] for row in history(cluster, f"{array}_{task}")} == {int(number)}
    done = cluster.vmctl("why", f"{array}_7", check=False)
    assert (done.returncode, done.stdout) == (1, "")
    assert f"job {array}_7 has no number of its own" in done.stderr and f"sacct -X -j {array}_7" in done.stderr


def test_why_of_a_job_that_takes_no_part_says_where_to_ask(cluster):
    ordinary = cluster.submit(FOREVER, "-n2")
    cluster.wait_state(ordinary, "RUNNING")
    for job in (ordinary, 4000000):
        done = cluster.vmctl("why", job, check=False)
        assert (done.returncode, done.stdout) == (1, "")
        assert f"vmctl: error: nothing is known of job {job}: it is not virtually malleable" in done.stderr
        assert f"squeue -j {job}" in done.stderr
    assert cluster.vmctl("why", "x", check=False).returncode == 2
    assert history(cluster, ordinary) == []


def test_job_that_loses_its_place_is_told(cluster):
    with vmall_conf(cluster, QueueDiscipline="easy", Sizing="fjt", MaxMpl=1):
        jobs = fold(cluster)
        row = wait_events(cluster, jobs.backfilled, "started", "folded")
        assert [changes(one) for one in row] == [(0, 4, 1, "backfill", None), (4, 1, 4, "window", jobs.head)]


@pytest.mark.core
@pytest.mark.log_errors(PEER_GONE)
def test_history_outlives_slurmctld(cluster):
    long_job, short_job = fold_for_a_short_job(cluster)
    before = wait_events(cluster, long_job, "started", "folded")
    cluster.wait_saved()
    cluster.restart_slurmctld(kill=True)
    cluster.wait_until(lambda: cluster.vmctl_stats().get("passes"), "a pass of sched/fjt")
    assert [row for row in history(cluster, long_job) if row["job_id"] == long_job] == before
    cluster.run("scancel", short_job)
    wait_cores(cluster, long_job, 8)
    assert wait_events(cluster, long_job, "started", "folded", "unfolded")[:2] == before
    wait_events(cluster, short_job, "started", "ended")
    mode = (cluster.root / "state" / "vmall_history").stat().st_mode
    assert stat.S_IMODE(mode) == 0o600


def timeline(cluster, *arguments, check=True):
    """vmctl with what draws on the PATH, where it looks if that is not beside it."""
    return cluster.run(cluster.build.vmctl, "timeline", *arguments, check=check,
                       PATH=f"{cluster.build.pictures.parent}:{os.environ['PATH']}")


@pytest.mark.core
def test_timeline_is_a_picture_that_names_the_jobs(cluster):
    long_job, short_job = fold_for_a_short_job(cluster)
    begin = wait_events(cluster, long_job, "started", "folded")[0]["time"]
    picture = cluster.root / "timeline.svg"

    def texts():
        since = time.strftime("%Y-%m-%dT%H:%M:%S", time.localtime(begin))
        timeline(cluster, "--out", picture, f"--since={since}")
        return {element.text for element in xml.parse(picture).iter("{http://www.w3.org/2000/svg}text")}

    wanted = {str(long_job), str(short_job), "folded, 2 processes on a core"}  # after a moment they have room
    cluster.wait_until(lambda: wanted <= texts(), "a picture with both jobs and the fold")
    refused = timeline(cluster, "--out", cluster.root / "missing" / "timeline.svg", check=False)
    assert refused.returncode == 1 and "missing" in refused.stderr
    assert cluster.vmctl("timeline", check=False).returncode == 2
