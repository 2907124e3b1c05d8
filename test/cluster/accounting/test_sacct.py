# SPDX-License-Identifier: GPL-2.0-or-later
"""The commands of doc/suits.md for a site's own jobs, with real jobs in a real accounting database."""

import csv
import math
import os
import re
from datetime import datetime, timedelta

import pytest
from scenario import TOP, fold_and_unfold

# That the time has come which --begin gives is no event for slurmctld.
CLUSTER = {"accounting": True, "slurm_conf": {"SchedulerParameters": "bf_interval=1,sched_interval=2"}}

PAGE = TOP / "doc/suits.md"


def commands():
    """What the page tells to type, but for the jobs of yesterday and today: sacct, vmsim study, vmsim import, vmsim run."""
    text = "".join(re.findall(r"```sh\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)).replace("\\\n", "")
    for option, days in (("starttime", -1), ("endtime", 1)):
        day = (datetime.now() + timedelta(days)).strftime("%Y-%m-%d")
        text = re.sub(rf"--{option}=\S+", f"--{option}={day}", text)
    return [line for line in text.splitlines() if "jobs.txt" in line or "jobs.swf" in line]


def seconds(job, key):
    return datetime.fromisoformat(job.fields[key]).timestamp()


def arrival(job):
    return max(seconds(job, "SubmitTime"), seconds(job, "EligibleTime"))


class Site:
    """Jobs that ran, and what the commands made of them."""

    def __init__(self, cluster, build):
        self._cluster = cluster
        self._path = f"{build.vmsim.parent}:{os.environ['PATH']}"
        self._run_jobs()
        sacct, study, into_swf, simulate = commands()
        cluster.wait_until(lambda: self._recorded(sacct), "the database to have the end of every job")
        self.messages = self._shell(into_swf).stderr
        self._shell(simulate)
        self._shell(study)
        assert not cluster.log_errors()

    def _run_jobs(self):
        cluster = self._cluster
        short = [
            cluster.submit("srun sleep 1; srun -n1 sleep 1", "-n3", "--time=5", "--job-name=a|b c"),
            cluster.submit("exit 3", "-n2", "--comment=é|è"),
            cluster.submit("sleep 1", "-n1", "--array=1-2", "--time=1-0"),
            cluster.submit("sleep 1", "-n2", "--begin=now+4", "--time=1:00"),
        ]
        cancelled = cluster.submit("exec srun sleep 600", "-n1", "--time=10")
        cluster.wait_state(cancelled, "RUNNING")
        for job_id in short:
            cluster.wait_end(job_id)
        self.never_started = cluster.submit("true", "-n8")
        cluster.wait_state(self.never_started, "PENDING")
        cluster.run("scancel", self.never_started, cancelled)
        cluster.wait_end(cancelled)
        self.folded = fold_and_unfold(cluster)
        cluster.wait_until(lambda: not cluster.squeue_cpus(), "all jobs to end")
        self.jobs = {job_id: job for job_id, job in cluster.jobs().items() if job_id != self.never_started}

    def _recorded(self, sacct):
        """Slurm tells its database with some delay. The records of the dump, once it has all."""
        self._shell(sacct)
        self.records = self._rows("jobs.txt", delimiter="|")
        ended = {int(record["JobIDRaw"]) for record in self.records if record["State"] not in ("RUNNING", "RESIZING")}
        return ended == {*self.jobs, self.never_started}

    def _shell(self, command):
        return self._cluster.run("sh", "-c", command, PATH=self._path)

    def _rows(self, name, **form):
        with open(self._cluster.directory / name, encoding="utf-8", newline="") as file:
            return list(csv.DictReader(file, **form))

    def outcome(self, policy):
        """job → row of what vmsim wrote."""
        return {int(row["job"]): row for row in self._rows(f"result/{policy}/jobs.csv")}


@pytest.fixture(scope="module")
def site(cluster, build):
    return Site(cluster, build)


def test_recorded_schedule_is_what_happened(site):
    recorded = site.outcome("recorded")
    begin = min(map(arrival, site.jobs.values()))
    told = {job_id: [float(row[key]) for key in ("submit", "start", "processes")] for job_id, row in recorded.items()}
    happened = {job_id: [arrival(job) - begin, seconds(job, "StartTime") - begin, job.cpus]
                for job_id, job in site.jobs.items()}
    assert told == happened


def test_jobs_ran_as_long_as_they_did(site):
    told = {job_id: float(row["run_time"]) for job_id, row in site.outcome("recorded").items() if job_id != site.folded}
    happened = {job_id: seconds(job, "EndTime") - seconds(job, "StartTime")
                for job_id, job in site.jobs.items() if job_id != site.folded}
    assert told == happened


def test_folded_job_is_one_job_with_the_work_of_all_its_records(site):
    parts = [(int(record["ElapsedRaw"]), int(record["AllocCPUS"])) for record in site.records
             if int(record["JobIDRaw"]) == site.folded]
    assert [cpus for _, cpus in parts] == [4, 1, 4]
    job = site.jobs[site.folded]
    assert sum(elapsed for elapsed, _ in parts) == seconds(job, "EndTime") - seconds(job, "StartTime")
    work = sum(elapsed * cpus for elapsed, cpus in parts)
    assert float(site.outcome("recorded")[site.folded]["run_time"]) == math.ceil(work / 4)


def test_job_that_never_started_is_counted(site):
    assert site.messages == "vmsim: jobs.txt: left out: 1 jobs cancelled before they started\n"


def test_study_puts_the_default_policy_beside_easy(site, cluster):
    [row] = [line for line in (cluster.directory / "study/study.md").read_text().splitlines() if line.startswith("| default, ") and ":" not in line]
    assert f"| {len(site.jobs)} |" in row


def test_pictures_compare_the_policies(site, cluster):
    assert set(site.outcome("easy")) == set(site.outcome("least-work")) == set(site.jobs)
    pictures = list((cluster.directory / "result").rglob("*.svg"))
    assert pictures and all(picture.stat().st_size > 1000 for picture in pictures)
