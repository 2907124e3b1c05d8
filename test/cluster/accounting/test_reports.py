# SPDX-License-Identifier: GPL-2.0-or-later
"""What doc/reports.md says of reports that read sacct, on a job whose cores have changed, and what vmsim advise makes of them."""

import json
import re
import shutil
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

import pytest
from scenario import TOP, core_seconds_held, fold, fold_and_unfold, submit_vm, vmall_conf, wait_passes
from vmcluster.programs import Kernel

CLUSTER = {"accounting": True}

PAGE = TOP / "doc/reports.md"
CORES = [4, 1, 4]  # of fold_and_unfold
ENDED = "CANCELLED,COMPLETED,FAILED,NODE_FAIL,PREEMPTED,TIMEOUT"
COLUMNS = "jobidraw,start,end,state,ncpus,jobname"


@dataclass(frozen=True)
class Tool:
    """How it asks sacct, and which states it counts of what it gets."""

    options: str
    counts: str


_OF_ALL = "--clusters throwaway --allusers --parsable2 --noheader --allocations --duplicates"
XDMOD = {"its helper": Tool(_OF_ALL, ENDED), "a file for its shredder": Tool(f"{_OF_ALL} --state {ENDED}", ENDED)}
CEEMS = Tool(f"-D -X --noheader --allusers --parsable2 --state {ENDED},RUNNING", f"{ENDED},RESIZING")


def blocks():
    """The page's commands."""
    return re.findall(r"```(?:sh|bash)\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)


def day(distance):
    return f"{datetime.now() + timedelta(distance):%Y-%m-%d}"


@dataclass(frozen=True)
class Record:
    """A line of sacct about a job that has ended, or was resized."""

    cores: int
    core_seconds: int
    comment: str


def records(cluster, job_id, *options):
    """In their order."""
    out = cluster.run("sacct", "-X", "-n", "-P", "-j", job_id, *options, "-o", "End,AllocCPUS,CPUTimeRAW,AdminComment").stdout
    rows = [line.split("|", 3) for line in out.splitlines()]
    return [Record(int(cores), int(held), comment) for end, cores, held, comment in rows if end != "Unknown"]


@dataclass(frozen=True)
class Job:
    id: int
    stretches: list  # core-seconds of its records


@pytest.fixture(name="job", scope="module")
def job_that_was_resized(cluster):
    job_id = fold_and_unfold(cluster)
    cluster.wait_until(lambda: [record.cores for record in records(cluster, job_id, "-D")] == CORES, "all to be recorded")
    return Job(job_id, [record.core_seconds for record in records(cluster, job_id, "-D")])


@pytest.fixture(name="wrapper", scope="module")
def script_of_the_page(cluster):
    [text] = [block for block in blocks() if block.startswith("#!/bin/bash")]
    file = cluster.directory / "sacct-for-reports"
    file.write_text(text.replace("/usr/bin/sacct", shutil.which("sacct", path=cluster.environment["PATH"])))
    file.chmod(0o755)
    return file


def core_seconds(cluster, program, tool, job):
    """What the tool counts of the job."""
    out = cluster.run(program, *tool.options.split(), "--format", COLUMNS, "--starttime", day(-1), "--endtime", day(1),
                      SLURM_TIME_FORMAT="%s").stdout
    rows = [line.split("|") for line in out.splitlines()]
    return sum((int(end) - int(start)) * int(cores) for job_id, start, end, state, cores, _ in rows
               if job_id == str(job.id) and state.split()[0] in tool.counts.split(","))


def test_the_line_of_the_page_says_what_the_ledger_says(cluster, job):
    [line] = [block for block in blocks() if block.startswith("sacct ")]
    line = re.sub(r"(?<=-S )\S+", day(-1), re.sub(r"(?<=-E )\S+", day(1), line))
    sums = dict(map(int, row.split()) for row in cluster.run("sh", "-c", line).stdout.splitlines())
    assert sums[job.id] == sum(job.stretches)
    assert abs(sums[job.id] - core_seconds_held(cluster, job.id)) <= sum(CORES), "more than a second at each change"


@pytest.mark.parametrize("tool", XDMOD.values(), ids=XDMOD)
def test_xdmod_misses_what_was_held_before_the_last_resize(cluster, job, tool):
    assert core_seconds(cluster, "sacct", tool, job) == job.stretches[-1]


@pytest.mark.parametrize("tool", XDMOD.values(), ids=XDMOD)
def test_with_the_script_of_the_page_xdmod_counts_all(cluster, job, wrapper, tool):
    asked = replace(tool, options=tool.options.replace(ENDED, f"{ENDED},RESIZING"))
    assert core_seconds(cluster, wrapper, asked, job) == sum(job.stretches)


def test_ceems_counts_all(cluster, job):
    assert core_seconds(cluster, "sacct", CEEMS, job) == sum(job.stretches)


def test_sacct_of_one_job_has_a_line_for_each_record(cluster, job):
    assert [record.core_seconds for record in records(cluster, job.id)] == job.stretches


def test_where_the_site_says_so_nothing_is_noted(cluster):
    def shown(job_id):
        return cluster.run("scontrol", "show", "job", job_id).stdout

    with vmall_conf(cluster, JobNote="no"):
        job_id = fold(cluster).folded
        wait_passes(cluster)
        assert cluster.vmctl_jobs()[job_id]["folds"] == 1
        assert "AdminComment" not in shown(job_id)
    cluster.wait_until(lambda: "AdminComment=vmall: class=long mpl=4 folds=1" in shown(job_id), "the note")


def test_what_jobstats_writes_takes_the_place_of_the_note_in_all_records(cluster, job):
    cluster.run("sacctmgr", "-i", "update", "job", "where", f"jobid={job.id}", "set", "AdminComment=JS1:Short")
    assert [record.comment.lower() for record in records(cluster, job.id, "-D")] == ["js1:short"] * 3  # 22.05 makes it lower


def test_what_jobs_made_use_of_is_recorded_and_vmsim_advises_by_it(cluster, build):
    with vmall_conf(cluster, SurveyInterval=1):
        sleeps_half_of_its_time = Kernel("naps", "srun --mpi=pmi2", before="10000").script(build, 10**8)
        job_id = submit_vm(cluster, "long", 2, script=sleeps_half_of_its_time)
        cluster.wait_until(lambda: " useful=" in cluster.run("scontrol", "show", "job", job_id).stdout, "its useful share to be noted")
        cluster.run("scancel", job_id)
    assert re.search(rf"JobId={job_id} has ended, .* useful=\d+%", cluster.slurmctld.log.read_text())
    columns = "JobIDRaw,User,Account,Partition,Submit,Start,ElapsedRaw,TimelimitRaw,AllocCPUS,State,AdminComment"
    dump = cluster.directory / "dump"

    def is_recorded():  # Slurm tells slurmdbd of the end of so short a job first, and of its partition some seconds later
        dump.write_text(cluster.run("sacct", "-X", "-P", "-D", "-j", job_id, "-o", columns, SLURM_TIME_FORMAT="%s").stdout)
        return "|main|" in dump.read_text() and " useful=" in dump.read_text()

    cluster.wait_until(is_recorded, "it to be recorded")
    [advice] = json.loads(cluster.run(build.vmsim, "advise", "--json", dump).stdout)["advice"]
    assert (advice["group"]["partition"], advice["jobs"], advice["known_jobs"]) == ("main", 1, 1)
    assert 25 <= advice["useful_percent"] <= 75
