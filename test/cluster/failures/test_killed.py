# SPDX-License-Identifier: GPL-2.0-or-later
"""slurmctld killed before it has saved that a job was folded and who got its cores: its records are older than the nodes."""

import time
from pathlib import Path

import pytest
from scenario import FOREVER, PEER_GONE, Silenced, outside_allotment, submit_vm, wait_cores, wait_tasks
from vmcluster import Node, control_block
from vmcluster.waiting import LIMIT

CLUSTER = {
    "nodes": [Node("n1"), Node("n2", cpus=2)],
    "partitions": {"main": "Nodes=n1 Default=YES", "other": "Nodes=n2"},
}

# What an agent says that is still answering a slurmctld that is killed.
KILLED = PEER_GONE + "|gives up a connection"

# What slurmctld says of runs that it has lost, and slurmd of their end.
LOST = KILLED + r"|Orphan|Registered PENDING|_rpc_|[Ii]nvalid [Jj]ob|not running|already completing|\*\*\* JOB|\*\*\* STEP"


def start_long(cluster):
    """One that has all of n1."""
    job_id = submit_vm(cluster, "long", 8)
    assert cluster.wait_state(job_id, "RUNNING").core_count == 8
    wait_tasks(cluster, job_id, 8)
    return job_id


def lives(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


class Forgetful:
    """slurmctld as it is when this is made, killed later, and then started as if it had not saved a job since."""

    def __init__(self, cluster):
        cluster.wait_saved()
        self._cluster = cluster
        self._file = cluster.root / "state/job_state"
        self._saved = self._file.read_bytes()

    def killed_and_started(self):
        self._cluster.slurmctld.kill()
        self._file.write_bytes(self._saved)
        self._cluster.slurmctld.start()


def watch_until(predicate, is_wrong):
    """What was seen to be wrong until the predicate became true."""
    wrong = set()
    deadline = time.monotonic() + LIMIT
    while True:
        is_over = predicate()
        wrong.update(filter(None, [is_wrong()]))
        if is_over:
            return wrong
        assert time.monotonic() < deadline, "nothing came of it"
        time.sleep(0.02)


def cores_told(cluster, job_id):
    return control_block.read(cluster.root / "run/n1" / str(job_id) / "control").core_count


def fold_for(cluster, long_job, short_job):
    """The processes of the short job, which runs on what the long one gave away."""
    cluster.wait_state(short_job, "RUNNING")
    processes = wait_tasks(cluster, short_job, 4).values()
    assert cores_told(cluster, long_job) == 4
    return processes


@pytest.mark.core
@pytest.mark.log_errors(LOST)
def test_job_does_not_grow_over_one_that_got_its_cores_and_is_unknown_after_a_kill(cluster):
    long_job = start_long(cluster)
    slurmctld = Forgetful(cluster)
    short_job = submit_vm(cluster, "short", 4, "1:00")
    processes = fold_for(cluster, long_job, short_job)
    slurmctld.killed_and_started()

    def is_wrong():
        told = cores_told(cluster, long_job)
        return told > 4 and any(map(lives, processes)) and f"{told} cores while the other lives"

    assert not watch_until(lambda: cores_told(cluster, long_job) == 8, is_wrong)
    cluster.wait_ready()
    wait_cores(cluster, long_job, 8)
    cluster.wait_until(lambda: not outside_allotment(cluster, long_job), "the job to be where Slurm has it")


@pytest.mark.log_errors(LOST)
def test_job_does_not_start_again_while_its_lost_run_lives(cluster):
    long_job = start_long(cluster)
    cluster.run("scontrol", "update", "PartitionName=main", "State=DOWN")
    short_job = submit_vm(cluster, "short", 4, "1:00")
    slurmctld = Forgetful(cluster)
    cluster.run("scontrol", "update", "PartitionName=main", "State=UP")
    processes = set(fold_for(cluster, long_job, short_job))
    slurmctld.killed_and_started()

    def is_wrong():
        told, running = cores_told(cluster, long_job), set(cluster.tasks(short_job).values())
        if not any(map(lives, processes)):
            return None
        return (told > 4 and f"{told} cores while the other lives") or (running - processes and "two runs at a time")

    assert not watch_until(lambda: len(set(cluster.tasks(short_job).values()) - processes) == 4, is_wrong)
    cluster.wait_ready()
    assert cluster.job(short_job).core_count == 4
    wait_cores(cluster, long_job, 4)


@pytest.mark.log_errors(LOST)
def test_job_does_not_start_again_beside_its_lost_run_where_no_other_is_recorded(cluster):
    cluster.run("scontrol", "update", "PartitionName=main", "State=DOWN")
    job_id = submit_vm(cluster, "short", 4, "1:00")
    slurmctld = Forgetful(cluster)
    cluster.run("scontrol", "update", "PartitionName=main", "State=UP")
    cluster.wait_state(job_id, "RUNNING")
    lost = set(wait_tasks(cluster, job_id, 4).values())
    slurmctld.killed_and_started()

    def is_wrong():
        return any(map(lives, lost)) and set(cluster.tasks(job_id).values()) - lost and "two runs at a time"

    assert not watch_until(lambda: len(set(cluster.tasks(job_id).values()) - lost) == 4, is_wrong)
    cluster.wait_ready()


@pytest.mark.log_errors(KILLED)
def test_ordinary_job_does_not_start_where_a_job_lives_that_had_grown(cluster):
    long_job = start_long(cluster)
    short_job = submit_vm(cluster, "short", 4, "1:00")
    fold_for(cluster, long_job, short_job)
    cluster.run("scancel", short_job)
    cluster.wait_end(short_job)
    slurmctld = Forgetful(cluster)
    wait_cores(cluster, long_job, 8)
    cluster.wait_until(lambda: cores_told(cluster, long_job) == 8, "the node to be told")
    slurmctld.killed_and_started()
    ordinary = cluster.submit(FOREVER, "-n4", "--time=1")

    def is_wrong():
        return cluster.job(ordinary).state == "RUNNING" and cores_told(cluster, long_job) > 4 and "8 cores and 4 of 8"

    assert not watch_until(lambda: cluster.job(ordinary).state == "RUNNING", is_wrong)
    wait_tasks(cluster, ordinary, 4)
    cluster.wait_ready()


@pytest.mark.log_errors(KILLED + "|not responding")
def test_node_that_hangs_does_not_keep_jobs_of_others_waiting(cluster):
    there = submit_vm(cluster, "short", 1, options=["-pother"])
    wait_tasks(cluster, there, 1)
    with Silenced(cluster, "n2", "hangs"):
        cluster.restart_slurmctld()
        job_id = submit_vm(cluster, "short", 4)
        cluster.wait_state(job_id, "RUNNING")
        assert cluster.node_states()["n2"] == "mixed", "nobody knows yet that it hangs"
        wait_tasks(cluster, job_id, 4)
