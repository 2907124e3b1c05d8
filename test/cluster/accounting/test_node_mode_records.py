# SPDX-License-Identifier: GPL-2.0-or-later
"""What accounting has of jobs that shared their cores by their agents alone (mode=node): AdminComment."""

import re

import pytest
from scenario import FOREVER
from vmcluster import Node

CLUSTER = {"scheduler": "node", "accounting": True, "nodes": [Node("n1", 8)],
           "partitions": {"claimed": "Nodes=n1 Default=YES OverSubscribe=FORCE:4"}}

NOTE = r"vmall: on n1 this job had (\d+) of the (\d+) core-seconds that Slurm gave it, and has lost (\d+) s by sharing.*"
SITE = "ticket 17"


def submit_until(cluster, file, *options):
    job_id = cluster.submit(f"until [ -e {file} ]; do sleep 0.1; done", "--vm-class=long", "-n8", *options)
    cluster.wait_state(job_id, "RUNNING")
    return job_id


def wait_lost(cluster, *jobs):
    for job_id in jobs:
        cluster.wait_until(lambda job=job_id: cluster.vmctl_jobs().get(job, {}).get("lost_seconds", 0) > 0,
                           f"job {job_id} to lose a second by sharing")


def in_slurmctld(cluster, job_id):
    return re.search(r"AdminComment=(.*?) *$", cluster.run("scontrol", "show", "job", job_id).stdout, re.MULTILINE)


def in_slurmdbd(cluster, job_id):
    """Once its record has ended."""
    def found():
        rows = cluster.run("sacct", "-n", "-P", "-X", "-j", job_id, "-o", "End,AdminComment").stdout.splitlines()
        return rows and not rows[0].startswith("Unknown") and rows
    [row] = cluster.wait_until(found, f"the record of job {job_id} to end")
    return row.split("|", 1)[1]


@pytest.mark.core
def test_job_that_shared_has_in_its_record_what_it_had_and_lost(cluster):
    end = cluster.directory / "end_of_noted"
    jobs = [submit_until(cluster, end) for _ in range(2)]
    wait_lost(cluster, *jobs)
    cluster.run("scontrol", "update", f"JobId={jobs[1]}", f"AdminComment={SITE}")
    end.touch()
    for job_id in jobs:
        assert cluster.wait_end(job_id).state == "COMPLETED"
    had, given, lost = map(int, re.fullmatch(NOTE, in_slurmdbd(cluster, jobs[0])).groups())
    assert 0 < lost < had < given
    assert in_slurmdbd(cluster, jobs[1]) == SITE
    for job_id in jobs:
        assert cluster.output(job_id).splitlines()[-1].startswith("slurm-vmall: on n1 this job had ")


def test_task_of_an_array_has_a_note_of_its_own(cluster):
    end = cluster.directory / "end_of_array"
    array = submit_until(cluster, end, "--array=1-2")
    tasks = cluster.wait_until(
        lambda: len(found := cluster.run("squeue", "-h", "-t", "RUNNING", "-j", array, "-o", "%A").stdout.split()) == 2
        and [int(task) for task in found], "both tasks to run")
    wait_lost(cluster, *tasks)
    end.touch()
    notes = []
    for job_id in tasks:
        assert cluster.wait_end(job_id).state == "COMPLETED"
        raw = cluster.run("sacct", "-n", "-P", "-X", "-j", array, "-o", "JobIDRaw,AdminComment").stdout
        notes.append(dict(line.split("|", 1) for line in raw.splitlines())[str(job_id)])
    assert all(re.fullmatch(NOTE, note) for note in notes)


def test_cancelled_job_has_no_note(cluster):
    """Slurm changes nothing of a job that is on its way out."""
    gone = cluster.directory / "gone"
    first = submit_until(cluster, gone)
    other = cluster.submit(FOREVER, "--vm-class=long", "-n8")
    cluster.wait_state(other, "RUNNING")
    wait_lost(cluster, first, other)
    cluster.run("scancel", first)
    assert cluster.wait_end(first).state == "CANCELLED"
    refused = cluster.run("scontrol", "update", f"JobId={first}", "AdminComment=late", check=False)
    assert refused.returncode != 0 and "Job has already finished" in refused.stdout + refused.stderr
    assert in_slurmdbd(cluster, first) == ""
    assert in_slurmctld(cluster, first) is None


def test_site_can_keep_the_field_to_itself(cluster):
    cluster.write_vmall_conf(JobNote="no")
    cluster.restart_slurmd("n1")
    end = cluster.directory / "end_of_not_noted"
    jobs = [submit_until(cluster, end) for _ in range(2)]
    wait_lost(cluster, *jobs)
    end.touch()
    for job_id in jobs:
        assert cluster.wait_end(job_id).state == "COMPLETED"
        assert in_slurmdbd(cluster, job_id) == ""
        assert "core-seconds that Slurm gave it" in cluster.output(job_id)
