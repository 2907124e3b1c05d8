# SPDX-License-Identifier: GPL-2.0-or-later
"""What an operator allows of one job (how deep it is folded, how often, and how soon again), changes at run time, and
asks for."""

import json
import socket

import pytest
from scenario import stays, submit_vm, submit_whole, wait_cores
from vmcluster.waiting import LIMIT

CLUSTER = {"vmall_conf": {
    "MaxMpl": 4,
    "MaxMplPerJob": "4,account/whole:1,account/half:2",
    "MaxFoldsPerJob": "unlimited,account/once:1",
}}


def run_long(cluster, account):
    """A job that fills the node until it is folded."""
    job = submit_vm(cluster, "long", 8, options=[f"--account={account}"])
    wait_cores(cluster, job, 8)
    return job


def wait_in_vain(cluster, cores):
    """A short job that nobody is folded for."""
    waiting = submit_whole(cluster, cores)
    cluster.wait_until(lambda: f"waits_for_{cores}_cores" in cluster.job(waiting).reason,
                       f"job {waiting} to wait for cores that nobody gives up")
    return waiting


def settings(cluster):
    """key → (value, where it was set)"""
    rows = json.loads(cluster.vmctl("config", "--json").stdout)["config"]
    return {row["key"]: (row["value"], row["from"]) for row in rows}


def queue(cluster):
    """job → row of `vmctl queue`"""
    return {row["job_id"]: row for row in json.loads(cluster.vmctl("queue", "--json").stdout)["queue"]}


def squeue_time(cluster, job, field):
    text = cluster.run("squeue", "-h", "-j", job, "-O", field, SLURM_TIME_FORMAT="%s").stdout.strip()
    return int(text) if text.isdigit() else None


def ask_as(user, cluster, message):
    """What the controller answers to a message that a user has sealed."""
    munge_socket = cluster.root / "munge/socket"
    as_user = ["setpriv", f"--reuid={user}", "--clear-groups"]
    sealed = cluster.run(*as_user, "munge", "-S", munge_socket, "-u", "0", "-s", message).stdout.strip().encode() + b"\0"
    with socket.create_connection(("127.0.0.1", cluster.control_port), timeout=LIMIT) as connection:
        connection.sendall(b"VMAL" + len(sealed).to_bytes(4, "big") + sealed)
        answer = b"".join(iter(lambda: connection.recv(65536), b""))
    file = cluster.directory / "answer"
    file.write_bytes(answer[8:].rstrip(b"\0"))
    return json.loads(cluster.run(*as_user, "unmunge", "-S", munge_socket, "-m", "/dev/null", "-i", file).stdout)


@pytest.mark.core
def test_a_job_that_may_not_be_folded_keeps_its_cores(cluster):
    job = run_long(cluster, "whole")
    wait_in_vain(cluster, 4)
    assert cluster.job(job).core_count == 8


def test_a_job_is_folded_only_so_deep(cluster):
    job = run_long(cluster, "half")
    short = submit_whole(cluster, 4)
    wait_cores(cluster, job, 4)
    cluster.wait_state(short, "RUNNING")
    wait_in_vain(cluster, 2)
    assert cluster.job(job).core_count == 4


def test_a_job_is_folded_only_so_often(cluster):
    job = run_long(cluster, "once")
    short = submit_whole(cluster, 4)
    cluster.wait_state(short, "RUNNING")
    cluster.run("scancel", short)
    wait_cores(cluster, job, 8)
    wait_in_vain(cluster, 4)
    assert cluster.job(job).core_count == 8


def test_settings_change_at_run_time_until_the_file_is_read_again(cluster):
    cluster.vmctl("set", "MaxResizeLoss=0,account/once:100", "ScheduleInterval=2")
    changed = settings(cluster)
    assert changed["MaxResizeLoss"] == ("0,account/once:100", "vmctl")
    assert changed["ScheduleInterval"] == ("2", "vmctl")
    assert changed["MaxMpl"] == ("4", "vmall.conf") and changed["WindowMpl"] == ("4", "default")
    job = run_long(cluster, "any")
    short = submit_whole(cluster, 4)
    assert stays(cluster, lambda: cluster.job(job).core_count == 8), "resizes may cost it nothing"
    cluster.reconfigure()
    cluster.wait_state(short, "RUNNING")
    assert settings(cluster)["MaxResizeLoss"] == ("5", "default")


def test_a_job_is_folded_only_as_often_as_resizes_may_cost(cluster):
    cluster.vmctl("set", "MaxResizeLoss=1")
    job = run_long(cluster, "any")
    while "folds_again_at" not in cluster.vmctl_jobs()[job]:
        short = submit_whole(cluster, 4)
        cluster.wait_state(short, "RUNNING")
        cluster.run("scancel", short)
        wait_cores(cluster, job, 8)  # growing is free
    waiting = wait_in_vain(cluster, 4)
    assert cluster.job(job).core_count == 8
    for one, told in ((job, "It"), (waiting, f"Job {job}")):
        assert f"{told} is not folded any deeper until" in cluster.vmctl("why", one).stdout
    cluster.vmctl("set", "MaxResizeLoss=2")
    cluster.wait_state(waiting, "RUNNING")


@pytest.mark.core
@pytest.mark.parametrize("given, said", [
    (["MaxMpl=1", "MaxMplPerJob=9"], "MaxMplPerJob: \"9\" is not a whole number from 1 to 4"),
    (["MaxMpl=1", "Colour=blue"], "\"Colour\": unknown key"),
    (["MaxMpl=1", "ControlPort=7000"], "ControlPort: is read only when the daemons start"),
])
def test_a_setting_that_is_refused_says_why_and_changes_nothing(cluster, given, said):
    before = settings(cluster)
    done = cluster.vmctl("set", *given, check=False)
    assert done.returncode == 1 and said in done.stderr
    assert settings(cluster) == before


@pytest.mark.core
def test_only_operators_change_settings(cluster):
    before = settings(cluster)
    message = json.dumps({"set": {"settings": [{"key": "MaxMpl", "value": "1"}]}})
    assert "only operators" in ask_as("nobody", cluster, message)["error"]
    assert {"key": "MaxMpl", "value": "4", "from": "vmall.conf"} in ask_as("nobody", cluster, '{"query":{"ask":"config"}}')["config"]
    assert settings(cluster) == before


@pytest.mark.core
def test_a_job_that_waits_is_expected_to_start_when_others_end(cluster):
    running = run_long(cluster, "whole")
    job = submit_whole(cluster, "3-4")
    row = cluster.wait_until(lambda: queue(cluster).get(job, {}).get("expected_start") and queue(cluster).get(job),
                             "the start of the job to be expected")
    end = squeue_time(cluster, running, "StartTime") + 10 * 60
    assert end <= row["expected_start"] <= end + 60, "to the minute"
    cluster.wait_until(lambda: squeue_time(cluster, job, "StartTime") == queue(cluster)[job]["expected_start"],
                       "squeue --start to show the same")
    assert "It would start by " in cluster.vmctl("why", job).stdout


def test_why_a_job_waits(cluster):
    run_long(cluster, "whole")
    job = submit_whole(cluster, "3-4")
    row = cluster.wait_until(lambda: queue(cluster).get(job), "the job to be in the queue")
    assert row["sizes"] == [[3, 4]] and row["position"] == 0 and row["class"] == "short" and row["partition"] == "main"
    assert row["reason"] == "waits for 3 cores"
    cluster.wait_until(lambda: "waits for 3 cores" in cluster.run("squeue", "-h", "-j", job, "-o", "%R").stdout,
                       "squeue to say why")
