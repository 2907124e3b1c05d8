# SPDX-License-Identifier: GPL-2.0-or-later
"""Since Slurm 23.11 slurmd starts another slurmd to reconfigure itself, and goes on if that does not start. At any time one of
their agents has the jobs of the node."""

import os
import signal
import socket
import threading
from contextlib import contextmanager

import pytest
from scenario import PEER_GONE, fold, send_guest, unfolded, wait_confined, wait_cores
from vmcluster import installed_release, processes, slurm_daemon
from vmcluster.daemon import Daemon

pytestmark = pytest.mark.skipif(installed_release() < (23, 11), reason="slurmd reads its configuration again as it runs")


def slurmds(cluster):
    return [pid for pid in cluster.processes() if processes.command(pid).startswith(f"{slurm_daemon('slurmd')} ")]


def read_all(notices):
    message = None
    while message != b"END":
        message, descriptors, _, _ = socket.recv_fds(notices, 4096, 4)
        for descriptor in descriptors:
            os.close(descriptor)


@contextmanager
def systemd(path):
    """What stands for it reads what it is told: since 25.11 slurmd waits for that (BARRIER=1 of sd_notify(3))."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as notices:
        notices.bind(str(path))
        reader = threading.Thread(target=read_all, args=[notices])
        reader.start()
        try:
            yield path
        finally:
            notices.sendto(b"END", str(path))
            reader.join()
            path.unlink()


@contextmanager
def slurmd_started(cluster, how):
    """For a while, the node's slurmd is another one, started as distributions do."""
    cluster.slurmd["n1"].stop()
    command = [slurm_daemon("slurmd"), "-N", "n1"]
    with systemd(cluster.root / "systemd") as path:
        environment = {**cluster.environment, "NOTIFY_SOCKET": str(path)}
        options = {"in the background": [], "in the foreground": ["-D"], "by systemd": ["--systemd"]}[how]
        Daemon("slurmd", command + options, environment, cluster.root / "log/slurmd-n1.log").start()
        try:
            cluster.wait_ready()
            yield
        finally:
            cluster.cancel_all()
            for pid in slurmds(cluster):
                os.kill(pid, signal.SIGTERM)
            cluster.wait_until(lambda: not slurmds(cluster), "slurmd to end")
            cluster.slurmd["n1"].start()
            cluster.wait_ready()


class Log:
    """What the node's slurmds log from now on."""

    def __init__(self, cluster):
        self._cluster = cluster
        self._file = cluster.root / "log/slurmd-n1.log"
        self._before = len(self._file.read_text())

    def wait_for(self, text):
        self._cluster.wait_until(lambda: text in self._file.read_text()[self._before:], text)


class Starting:
    """As systemctl reload does it, slurmd starts its successor. From here on this has an agent and waits: for a file that
    acct_gather.conf includes, which slurmd reads after it has loaded SPANK plugins."""

    def __init__(self, cluster):
        self._conf = cluster.root / "acct_gather.conf"
        self._gate = cluster.root / "gate"
        self._log = Log(cluster)
        self._conf.write_text(f"Include {self._gate}\n")
        reconfigure_slurmd(cluster)
        self._log.wait_for(f"cannot stat file {self._gate}")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._conf.unlink()
        self._gate.unlink(missing_ok=True)

    def go_on(self):
        self._gate.write_text("")
        self._log.wait_for("Relinquishing control")
        self._log.wait_for("the node agent listens on port")

    def fail(self):
        self._gate.write_text("NoSuchKey=1\n")
        self._log.wait_for("Resuming operation, reconfigure failed")


STARTING = "cannot stat file .*/gate"


def reconfigure_slurmd(cluster):
    """As systemctl reload does: slurmctld is not asked."""
    for pid in slurmds(cluster):
        os.kill(pid, signal.SIGHUP)


def run_another_step(cluster, job_id):
    """The agent looks after it."""
    step = cluster.run("srun", f"--jobid={job_id}", "--overlap", "--ntasks=1", "printenv", "VMALL_ALLOTMENT")
    assert step.stdout.strip().endswith(f"/{job_id}/allotment"), step.stderr


def unfold(cluster, jobs):
    cluster.run("scancel", jobs.guest)
    wait_cores(cluster, jobs.folded, 4)
    wait_confined(cluster, jobs.folded)


# slurmctld may find nobody at the agent's port for a moment.
@pytest.mark.log_errors(PEER_GONE)
@pytest.mark.parametrize("how", ["in the background", "in the foreground", "by systemd"])
def test_the_next_agent_takes_over_without_an_error_from_a_slurmd_started(cluster, how):
    with slurmd_started(cluster, how):
        jobs = fold(cluster)
        log = Log(cluster)
        cluster.reconfigure()
        log.wait_for("the node agent listens on port")
        run_another_step(cluster, jobs.folded)
        wait_confined(cluster, jobs.folded)
        unfold(cluster, jobs)


@pytest.mark.log_errors(f"{STARTING}|acct_gather|NoSuchKey")
@pytest.mark.parametrize("how", ["in the background", "by systemd"])
def test_the_agent_goes_on_if_the_successor_does_not_start_of_a_slurmd_started(cluster, how):
    with slurmd_started(cluster, how):
        jobs = unfolded(cluster)
        with Starting(cluster) as successor:
            successor.fail()
        run_another_step(cluster, jobs.folded)
        send_guest(cluster, jobs)
        wait_cores(cluster, jobs.folded, 1)
        wait_confined(cluster, jobs.folded)
        unfold(cluster, jobs)


@pytest.mark.log_errors(STARTING)
def test_a_fold_while_the_successor_starts_is_not_lost(cluster):
    with slurmd_started(cluster, "in the background"):
        cluster.vmctl("set", "WindowPolicy=keep")
        jobs = unfolded(cluster)
        send_guest(cluster, jobs)
        with Starting(cluster) as successor:
            cluster.vmctl("set", "WindowPolicy=shrink")
            wait_cores(cluster, jobs.folded, 1)
            successor.go_on()
        run_another_step(cluster, jobs.folded)
        wait_confined(cluster, jobs.folded)
        unfold(cluster, jobs)


@contextmanager
def bad_vmall_conf(cluster):
    cluster.write_vmall_conf(NextRank="never")
    try:
        yield
    finally:
        cluster.write_vmall_conf()


@pytest.mark.log_errors(r"vmall\.conf|spank|slurmd initialization failed")
def test_an_error_in_vmall_conf_leaves_the_node_its_agent(cluster):
    with slurmd_started(cluster, "in the background"):
        jobs = fold(cluster)
        log = Log(cluster)
        with bad_vmall_conf(cluster):
            reconfigure_slurmd(cluster)
            log.wait_for("Resuming operation, reconfigure failed")
        run_another_step(cluster, jobs.folded)
        unfold(cluster, jobs)
