# SPDX-License-Identifier: GPL-2.0-or-later
"""The harness finds what it is there to find: with stock Slurm, where nothing of ours can be at fault."""

import mmap
import os
import signal
import subprocess
from pathlib import Path
from tempfile import NamedTemporaryFile

import pytest

from vmcluster import Cluster, ClusterError, Node, invariants, ports, processes
from vmcluster.slurm import expand_hosts, fields, id_set, parse_job

CONTRIB = Path(__file__).resolve().parents[2] / "contrib"
CLUSTER = {"build": None, "scheduler": "stock", "nodes": [Node("s1", 4), Node("s2", 4)]}


@pytest.mark.parametrize("text, ids", [("", set()), ("3", {3}), ("0-2", {0, 1, 2}), ("0-1,6", {0, 1, 6})])
def test_id_lists_are_read(text, ids):
    assert id_set(text) == ids


@pytest.mark.parametrize("text, names", [("n1", ["n1"]), ("n[1-2],m", ["n1", "n2", "m"]),
                                         ("n[08-10]", ["n08", "n09", "n10"]), ("n[1,3]", ["n1", "n3"])])
def test_host_lists_are_read(text, names):
    assert expand_hosts(text) == names


def test_values_with_blanks_and_equals_signs_are_read():
    assert fields("JobName=a b=c Command=/bin/x --y=z") == [("JobName", "a"), ("b", "c"), ("Command", "/bin/x --y=z")]


def job_line(job, nodes, cpus, state="RUNNING"):
    return (f"JobId={job} JobName=x JobState={state} Reason=None NumCPUs={cpus} NumTasks={cpus} "
            f"TRES=cpu={cpus},node=1 ExitCode=0:0 {nodes}")


class Claims:
    """What a Slurm would say that hands out cores twice or loses count of them."""

    def __init__(self, lines, allocated):
        self._jobs = {job.id: job for job in map(parse_job, lines)}
        self._allocated = allocated

    def jobs(self):
        return self._jobs

    def squeue_cpus(self):
        return {job.id: job.cpus for job in self._jobs.values() if job.state == "RUNNING"}

    def sinfo_allocated(self):
        return {"n1": self._allocated}

    def node_cpus(self):
        return {"n1": (self._allocated, 8)}


@pytest.mark.parametrize("lines, allocated, complaint", [
    ([job_line(1, "Nodes=n1 CPU_IDs=0-3 Mem=0", 4), job_line(2, "Nodes=n1 CPU_IDs=3-4 Mem=0", 2)], 6, "belongs to jobs"),
    ([job_line(1, "Nodes=n1 CPU_IDs=0-3 Mem=0", 4)], 8, "CPUAlloc=8"),
    ([job_line(1, "Nodes=n1 CPU_IDs=0 Mem=0", 4)], 1, "but NumCPUs=4"),
])
def test_cores_that_do_not_add_up_are_found(lines, allocated, complaint):
    assert any(complaint in wrong for wrong in invariants.violations(Claims(lines, allocated), interval=0))


def test_disjoint_cores_that_add_up_are_accepted():
    lines = [job_line(1, "Nodes=n1 CPU_IDs=0-3 Mem=0", 4), job_line(2, "Nodes=n1 CPU_IDs=4-5 Mem=0", 2)]
    assert invariants.violations(Claims(lines, 6)) == []


def test_cores_of_a_job_that_is_completing_are_free():
    lines = [job_line(1, "Nodes=n1 CPU_IDs=0-3 Mem=0", 4, "COMPLETING"), job_line(2, "Nodes=n1 CPU_IDs=2-3 Mem=0", 2)]
    assert invariants.violations(Claims(lines, 2)) == []


def test_multi_node_job_holds_cores_on_every_node(cluster):
    job_id = cluster.submit("exec srun sleep 600", "-N2", "-n4", "--ntasks-per-node=2")
    job = cluster.wait_state(job_id, "RUNNING")
    assert {node: len(cores) for node, cores in job.cores.items()} == {"s1": 2, "s2": 2}
    cluster.wait_until(lambda: len(cluster.tasks(job_id)) == 4, "four tasks")


def test_jobs_survive_killed_daemons(cluster):
    job_id = cluster.submit("exec srun sleep 600", "-n3")
    cores = cluster.wait_state(job_id, "RUNNING").cores
    cluster.wait_saved()
    cluster.restart_slurmctld(kill=True)
    for node in cores:
        cluster.restart_slurmd(node, kill=True)
    assert cluster.job(job_id).state == "RUNNING"
    assert cluster.job(job_id).cores == cores


def test_waiting_for_what_never_happens_shows_the_logs(cluster):
    with pytest.raises(ClusterError, match=r"waited 1 s for a miracle(.|\n)*slurmctld\.log"):
        cluster.wait_until(lambda: False, "a miracle", limit=1)


def test_a_command_that_fails_is_not_yet_wrong_and_told_in_the_end(cluster):
    answers = iter(["scontrol nonsense", "true"])
    assert cluster.wait_until(lambda: cluster.run(*next(answers).split()), "a command")
    with pytest.raises(ClusterError) as failed:
        cluster.wait_until(lambda: cluster.run("scontrol", "nonsense"), "a miracle", limit=1)
    assert "invalid keyword: nonsense" in str(failed.value.__cause__)


def test_ports_of_a_block_are_nobody_elses_until_it_is_given_up(monkeypatch):
    block = ports.Block(3)
    monkeypatch.setattr(ports.random, "randrange", lambda *_: block.first + 2)
    with pytest.raises(OSError):
        ports.Block(1)
    block.give_up()
    ports.Block(1).give_up()


def test_an_error_in_a_log_is_found(cluster):
    with open(cluster.root / "log/extra.log", "w", encoding="utf-8") as log:
        log.write("[2026-01-01T00:00:00.000] error: made up\n")
    assert any("made up" in line for line in cluster.log_errors())
    assert not any("made up" in line for line in cluster.log_errors(expected="made up"))
    (cluster.root / "log/extra.log").unlink()


def test_shared_memory_of_an_mpi_job_that_nobody_maps_is_found():
    with NamedTemporaryFile(prefix="ucx_shm_", dir="/dev/shm") as segment, \
            NamedTemporaryFile(prefix="other", dir="/dev/shm") as file:
        for its in (segment, file):
            its.truncate(mmap.PAGESIZE)
        with mmap.mmap(segment.fileno(), 0), mmap.mmap(file.fileno(), 0):
            seen = processes.shared_memory([os.getpid()])
            assert not processes.orphaned_shared_memory(seen)
        assert seen == processes.orphaned_shared_memory(seen) == {Path(segment.name).name}
    assert not processes.orphaned_shared_memory(seen)


def test_a_daemon_that_crashed_is_reported_at_the_end():
    with pytest.raises(ClusterError, match="slurmd s9 died of SIGKILL"):
        with Cluster(None, "stock", [Node("s9", 1)]) as broken:
            broken.slurmd["s9"].signal(signal.SIGKILL)
            broken.wait_until(lambda: not broken.slurmd["s9"].running(), "the crash")
    assert not broken.root.exists()
    assert not broken.processes()


@pytest.mark.skipif(not os.access("/sys/fs/cgroup/cpu/cgroup.procs", os.W_OK), reason="no cpu cgroups of version 1 on this machine")
def test_scripts_leave_autogroups_for_a_cgroup_that_is_gone_afterwards():
    script = """
        set -eu
        program=test
        . ./autogroups.sh
        cgroup() { sed -n 's/^[0-9]*:[^:]*\\bcpu\\b[^:]*://p' /proc/self/cgroup; }
        leave_autogroups; cgroup; echo "$own_cpu"
        rejoin_autogroups; cgroup"""
    done = subprocess.run(["sh", "-c", script], cwd=CONTRIB, capture_output=True, text=True, check=True)
    inside, directory, afterwards = done.stdout.split()
    assert inside.startswith("/slurm-vmall-test.") and directory.endswith(inside)
    assert afterwards == "/" and not Path(directory).exists()
