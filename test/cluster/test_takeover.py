# SPDX-License-Identifier: GPL-2.0-or-later
"""A backup controller that takes over while a job is folded, and the primary's return."""

import json
import re

import pytest
from scenario import PEER_GONE, fold, submit_het, submit_vm, wait_confined, wait_cores, wait_tasks
from vmcluster import Cluster
from vmcluster.daemon import Daemon
from vmcluster.ports import Block

PRIMARY, BACKUP = "127.0.0.1", "127.0.0.2"


class TwoControllers(Cluster):
    """slurmctld goes by the name of its host, and listens on the address of that name: the two have host names of
    their own, which are addresses. sched/fjt listens on all of the machine's, and has a port of its own on each: a backup
    of 24.11 goes on for seconds after the primary that returned."""

    def __init__(self, build, keep):
        super().__init__(build, keep=keep, vmall_conf={"WindowRule": "either"}, slurm_conf={
            "SlurmctldHost": f"{PRIMARY}\nSlurmctldHost={BACKUP}",
            "CommunicationParameters": "NoCtldInAddrAny",
            # A slurmd that meets a controller on standby sleeps for half of it, also if it is to end.
            "SlurmctldTimeout": 30,
            "DebugFlags": "NO_CONF_HASH"})
        directory = self.root / "backup"
        directory.mkdir()
        conf = directory / "slurm.conf"
        conf.write_text(self.conf.read_text().replace("slurmctld.pid", "backup.pid").replace("slurmctld.log", "backup.log"))
        self._backups = Block(1)
        self._backup_port = self._backups.first
        port = f"ControlPort={self._backup_port}"
        (directory / "vmall.conf").write_text(re.sub("(?m)^ControlPort=.*", port, self.vmall_conf.read_text()))
        self.slurmctld = self._controller("slurmctld", PRIMARY, self.conf)
        self.backup = self._controller("backup", BACKUP, conf)

    def _controller(self, name, host, conf):
        return Daemon(name, ["unshare", "--uts", "sh", "-c", 'hostname "$0" && exec "$@"', host,
                             "/usr/sbin/slurmctld", "-D", "-f", conf], self.environment, self.root / f"log/{name}.log")

    @property
    def daemons(self):
        return [self.backup, *super().daemons]

    def start(self):
        super().start()
        self.backup.start()

    def take_over(self):
        in_charge = self._times(self.backup, IN_CHARGE)
        self.slurmctld.kill()
        self.run("scontrol", "takeover")
        self._wait_says(self.backup, IN_CHARGE, in_charge + 1)

    def give_back(self):
        in_charge, on_standby = self._times(self.slurmctld, IN_CHARGE), self._times(self.backup, STANDBY)
        self.slurmctld.start()
        self._wait_says(self.slurmctld, IN_CHARGE, in_charge + 1)
        self._wait_says(self.backup, STANDBY, on_standby + 1)

    def return_without_backup(self):
        in_charge = self._times(self.slurmctld, IN_CHARGE)
        self.backup.kill()
        self.slurmctld.start()
        self._wait_says(self.slurmctld, IN_CHARGE, in_charge + 1)

    def restart_backup(self):
        on_standby = self._times(self.backup, STANDBY)
        self.backup.kill()
        self.backup.start()
        self._wait_says(self.backup, STANDBY, on_standby + 1)

    def wait_standby(self):
        self._wait_says(self.backup, STANDBY, 1)

    @staticmethod
    def _times(controller, line):
        return controller.log.read_text().count(line) if controller.log.exists() else 0

    def _wait_says(self, controller, line, count):
        # A backup of 24.11 lets the primary wait for half a minute.
        self.wait_until(lambda: self._times(controller, line) >= count, f"{controller.name} to say {line!r}")

    def jobs_of_backup(self):
        """job → row of `vmctl jobs` while the backup is in charge."""
        rows = json.loads(self.vmctl("jobs", "--json", f"--controller={BACKUP}:{self._backup_port}").stdout)["jobs"]
        return {row["job_id"]: row for row in rows}


@pytest.fixture(scope="module", name="cluster")
def two_controllers(request, build):
    with TwoControllers(build, request.config.getoption("--keep")) as started:
        yield started


STANDBY, IN_CHARGE, LOADED = "running in background mode", "Running as primary controller", "sched/fjt: slurm-vmall"


TAKEN_OVER = PEER_GONE + "|taking over|standby|relinquishing control|agent_init: thread already running"


@pytest.mark.log_errors(TAKEN_OVER)
def test_folded_job_is_kept_by_the_backup_and_by_the_primary_that_returns(cluster):
    jobs = fold(cluster, window="0:30", options=["--time=60"])
    tasks = wait_tasks(cluster, jobs.backfilled, 4)
    before = cluster.job(jobs.backfilled).cores
    cluster.wait_saved()
    cluster.wait_standby()
    assert LOADED not in cluster.backup.log.read_text()

    limit, end = (cluster.job(jobs.backfilled).fields[name] for name in ("TimeLimit", "EndTime"))
    assert limit > "04:00:00"
    cluster.take_over()
    cluster.wait_ready()
    assert cluster.job(jobs.backfilled).cores == before
    assert [cluster.job(jobs.backfilled).fields[name] for name in ("TimeLimit", "EndTime")] == [limit, end]
    assert cluster.violations() == []
    cluster.run("scancel", jobs.head)
    wait_cores(cluster, jobs.backfilled, 4)
    wait_confined(cluster, jobs.backfilled)
    row = cluster.jobs_of_backup()[jobs.backfilled]
    assert (row["folds"], row["unfolds"]) == (1, 1)

    cluster.give_back()
    cluster.wait_ready()
    head = submit_vm(cluster, "short", 7)  # the window of the other has expired long ago
    wait_cores(cluster, jobs.backfilled, 1)
    cluster.wait_state(head, "RUNNING")
    wait_confined(cluster, jobs.backfilled)
    assert cluster.violations() == []
    assert cluster.tasks(jobs.backfilled) == tasks


@pytest.mark.log_errors(TAKEN_OVER + "|Job/step already completing or completed")
def test_het_jobs_are_taken_by_whoever_is_in_charge(cluster):
    leaders = []

    def submit():
        leaders.append(submit_het(cluster, ["-n1"], ["-n1"])[0])
        cluster.wait_saved()

    cluster.wait_saved()
    cluster.restart_backup()
    cluster.take_over()
    submit()
    cluster.give_back()
    submit()
    cluster.take_over()
    submit()
    cluster.return_without_backup()  # Slurm 22.05 can give back once only: then it waits for ever for a thread of its own
    cluster.run("scancel", *leaders)
