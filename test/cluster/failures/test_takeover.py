# SPDX-License-Identifier: GPL-2.0-or-later
"""A backup controller that takes over while a job is folded, and the primary's return."""

import json

import evidence
import pytest
from scenario import PEER_GONE, fold, go_on, submit_het, wait_confined, wait_cores, wait_tasks
from vmcluster import Cluster, controllers
from vmcluster.controllers import IN_CHARGE, STANDBY, times
from vmcluster.release import installed_release


class TwoControllers(Cluster):
    def __init__(self, build):
        super().__init__(build, keep=True, vmall_conf={"WindowRule": "either"}, slurm_conf=controllers.SLURM_CONF)
        self._controllers = controllers.Controllers(self, self.conf)
        self.slurmctld, self.backup = self._controllers.primary, self._controllers.backup

    @property
    def daemons(self):
        return [self.backup, *super().daemons]

    def start(self):
        super().start()
        self.backup.start()

    def take_over(self):
        in_charge = times(self.backup, IN_CHARGE)
        self.slurmctld.kill()
        self.run("scontrol", "takeover")
        self._wait_says(self.backup, IN_CHARGE, in_charge + 1)

    def give_back(self):
        """A backup of 24.05.8 does not, under stock Slurm either: it sends the signal to end to a thread that blocks it."""
        if installed_release() == (24, 5):
            self.return_without_backup()
            self.backup.start()
            return
        in_charge, on_standby = times(self.slurmctld, IN_CHARGE), times(self.backup, STANDBY)
        self.slurmctld.start()
        self._wait_says(self.slurmctld, IN_CHARGE, in_charge + 1)
        self._wait_says(self.backup, STANDBY, on_standby + 1)

    def return_without_backup(self):
        in_charge = times(self.slurmctld, IN_CHARGE)
        self.backup.kill()
        self.slurmctld.start()
        self._wait_says(self.slurmctld, IN_CHARGE, in_charge + 1)

    def restart_backup(self):
        on_standby = times(self.backup, STANDBY)
        self.backup.kill()
        self.backup.start()
        self._wait_says(self.backup, STANDBY, on_standby + 1)

    def wait_standby(self):
        self._wait_says(self.backup, STANDBY, 1)

    def _wait_says(self, controller, line, count):
        # A backup of 24.11 lets the primary wait for half a minute.
        self.wait_until(lambda: times(controller, line) >= count, f"{controller.name} to say {line!r}")

    def jobs_of_backup(self):
        """job → row of `vmctl jobs` while the backup is in charge."""
        rows = json.loads(self.vmctl("jobs", "--json", f"--controller={controllers.BACKUP}:{self._controllers.backup_port}").stdout)["jobs"]
        return {row["job_id"]: row for row in rows}


@pytest.fixture(scope="module", name="cluster")
def two_controllers(request, build):
    with evidence.watched(request, TwoControllers(build)) as started:
        yield started


LOADED = "sched/fjt: slurm-vmall"


TAKEN_OVER = PEER_GONE + "|taking over|standby|relinquishing control|agent_init: thread already running"


@pytest.mark.core
@pytest.mark.log_errors(TAKEN_OVER)
def test_folded_job_is_kept_by_the_backup_and_by_the_primary_that_returns(cluster):
    jobs = fold(cluster, options=["--time=60"])
    tasks = wait_tasks(cluster, jobs.folded, 4)
    before = cluster.job(jobs.folded).cores
    cluster.wait_saved()
    cluster.wait_standby()
    assert LOADED not in cluster.backup.log.read_text()

    limit, end = (cluster.job(jobs.folded).fields[name] for name in ("TimeLimit", "EndTime"))
    assert limit > "04:00:00"
    cluster.take_over()
    cluster.wait_ready()
    assert cluster.job(jobs.folded).cores == before
    assert [cluster.job(jobs.folded).fields[name] for name in ("TimeLimit", "EndTime")] == [limit, end]
    assert cluster.violations() == []
    cluster.run("scancel", jobs.guest)
    wait_cores(cluster, jobs.folded, 4)
    wait_confined(cluster, jobs.folded)
    row = cluster.jobs_of_backup()[jobs.folded]
    assert (row["folds"], row["unfolds"]) == (1, 1)

    cluster.give_back()
    cluster.wait_ready()
    go_on(cluster, jobs)
    wait_confined(cluster, jobs.folded)
    assert cluster.violations() == []
    assert cluster.tasks(jobs.folded) == tasks


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
