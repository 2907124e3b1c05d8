# SPDX-License-Identifier: GPL-2.0-or-later
"""The harness finds what it is there to find: with stock Slurm, where nothing of ours can be at fault."""

import ast
import mmap
import os
import re
import signal
import subprocess
import sys
import tempfile
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from tempfile import NamedTemporaryFile, TemporaryDirectory

import evidence
import pytest
from scenario import MODULES, TOP
from vmcluster import Cluster, ClusterError, Node, SlurmError, invariants, logs, ports, processes
from vmcluster.slurm import expand_hosts, fields, id_set, parse_job
from vmcluster.waiting import LIMIT, until

pytestmark = pytest.mark.core

TEST = TOP / "test"
CONTRIB = TOP / "contrib"
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


@pytest.mark.parametrize("line, is_suspect", [
    ("error: sched/fjt: cannot save state: No space left on device", True),
    ("error: select/cons_tres_vmall: SchedulerType is not sched/fjt", True),
    ("[4.0] error: virtual malleability: not attached to the agent of node n1", True),
    ("error: job 4: has left its allotment: Operation not permitted", True),
    ("error: _step_dealloc_lps: CPU underflow for JobId=4 StepId=4.0", True),
    ("error: valid_job_resources: n1 sockets:1,1, cores 6,8", True),
    ("fatal: Unable to process configuration file", True),
    ("error: Invalid job credential from 0@127.0.0.1: Job credential revoked", False),
    ("error: _remove_accrue_time_internal: QOS normal user 0 accrue_cnt underflow", False),
    ("error: Nodes n1 not responding", False),
    ("error: slurm_receive_msg [127.0.0.1:4]: Zero Bytes were transmitted or received", False),
    ("[4.batch] error: *** REASON: waits for 1 core ***", False)])
def test_error_lines_of_ours_and_of_cores_are_told_from_slurms_own(line, is_suspect):
    assert logs.suspect(f"[2026-01-01T00:00:00.000] {line}", release=(22, 5)) == is_suspect


def test_a_line_is_innocent_until_the_release_that_was_seen_to_say_it():
    assert logs.suspect("error: Invalid job credential from 0@127.0.0.1: Job credential revoked", release=(23, 11))


def test_an_error_in_a_log_is_found_and_others_are_news(cluster):
    log = cluster.root / "log/extra-n1.log"
    log.write_text("[2026-01-01T00:00:00.000] error: sched/fjt: made up\n"
                   "[2026-01-01T00:00:01.000] error: busy for 12 s\n[2026-01-01T00:00:02.000] error: busy for 3 s\n")
    assert any("made up" in line for line in cluster.log_errors())
    assert not any("made up" in line for line in cluster.log_errors(expected="made up"))
    assert logs.news(cluster.root / "log")["extra: error: busy for N s"] == 2
    log.unlink()


def test_of_a_cluster_whose_test_failed_the_newest_folders_are_kept(tmp_path):
    for number in range(12):
        root = tmp_path / f"vmcluster.{number}"
        root.mkdir()
        evidence.keep(root)
        os.utime(root / "kept", (number, number))
    assert {folder.name for folder in tmp_path.iterdir()} == {f"vmcluster.{number}" for number in range(2, 12)}


@pytest.mark.parametrize("fails", [True, False])
def test_the_folder_of_a_cluster_that_a_test_made_stays_if_the_test_failed(request, tmp_path, fails):
    made = ExitStack()
    made.root = tmp_path / "vmcluster.made"
    (made.root / "log").mkdir(parents=True)
    with suppress(SlurmError), evidence.watched(request, made):
        if fails:
            raise SlurmError
    assert made.root.exists() == (fails or request.config.getoption("--keep"))


@pytest.mark.parametrize("fails", [True, False])
def test_a_folder_stays_if_what_is_done_with_it_fails(monkeypatch, tmp_path, fails):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    with suppress(ZeroDivisionError), evidence.folder() as folder:
        (folder / "log").touch()
        assert not fails or 1 / 0
    assert [file.name for file in tmp_path.glob("*/log")] == (["log"] if fails else [])


# Of a pytest that is none of this one's workers.
NO_WORKER = {key: value for key, value in os.environ.items() if "PYTEST" not in key}

FLAKY = """
import pathlib

def test_that_passes():
    pass

def test_that_fails_once():
    seen = pathlib.Path(__file__).with_suffix(".seen")
    before = seen.exists()
    seen.touch()
    assert before

def test_that_fails():
    assert False
"""


def test_what_fails_once_is_unsteady_and_what_fails_again_has_failed(tmp_path):
    tests = tmp_path / "test_flaky.py"
    tests.write_text(FLAKY)
    out = tmp_path / "out"
    done = subprocess.run([CONTRIB / "cluster-tests", "--out", out, "--workers=2", tests], stdout=subprocess.PIPE, text=True,
                          check=False, timeout=LIMIT, env=NO_WORKER)
    assert done.returncode == 1
    assert (out / "results").read_text() == "2 1 0\n"
    assert (out / "unsteady").read_text() == "test_flaky.py::test_that_fails_once\n"
    assert (out / "failed").read_text() == "test_flaky.py::test_that_fails\n"


def waits_for_ever(call):
    """Whether it waits for a process, and nobody says for how long."""
    name = ast.unparse(call.func)
    if name != "subprocess.run" and not (name.endswith((".wait", ".communicate")) and not call.args):
        return False
    return not any(word.arg == "timeout" for word in call.keywords)


@pytest.mark.parametrize("code, is_wrong", [
    ("subprocess.run(['true'], check=True)", True), ("process.wait()", True), ("process.communicate()", True),
    ("subprocess.run(['true'], check=True, timeout=LIMIT)", False), ("process.wait(LIMIT)", False), ("cluster.run('true')", False)])
def test_a_process_that_is_waited_for_without_a_limit_is_seen(code, is_wrong):
    assert waits_for_ever(ast.parse(code).body[0].value) == is_wrong


def test_every_process_is_waited_for_with_a_limit():
    files = [file for folder in ("cluster", "storm", "vmcluster") for file in (TEST / folder).rglob("*.py")]
    calls = [(file, node) for file in files for node in ast.walk(ast.parse(file.read_text())) if isinstance(node, ast.Call)]
    assert [f"{file}:{call.lineno}" for file, call in calls if waits_for_ever(call)] == []


LEAVES_A_PROCESS = """
import subprocess

def test_that_does_not_end():
    subprocess.run("setsid -f sleep 600; sleep 600", shell=True)
"""


APART = pytest.mark.skipif(subprocess.run(["unshare", "--pid", "--fork", "--mount-proc", "true"], stderr=subprocess.DEVNULL,
                                          check=False, timeout=LIMIT).returncode, reason="a container without namespaces")


@contextmanager
def cluster_tests_that_do_not_end(tmp_path, *options):
    """contrib/cluster-tests, and a function that says what commands it has started; none is left in the end."""
    tests = tmp_path / "test_that_does_not_end.py"
    tests.write_text(LEAVES_A_PROCESS)
    mine = {"VMCLUSTER_TEST": str(tmp_path)}

    def commands():
        return list(map(processes.command, processes.with_environment(**mine)))
    with subprocess.Popen([CONTRIB / "cluster-tests", "--out", tmp_path / "out", "--workers=1", *options, tests],
                          stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, env={**NO_WORKER, **mine}) as running:
        try:
            yield running, commands
        finally:
            running.kill()
    assert until(lambda: not commands()), commands()


@APART
def test_cluster_tests_that_are_killed_leave_no_process(tmp_path):
    with cluster_tests_that_do_not_end(tmp_path) as (_, commands):
        assert until(lambda: commands().count("sleep 600") == 2)


@APART
def test_cluster_tests_end_at_their_limit(tmp_path):
    with cluster_tests_that_do_not_end(tmp_path, "--limit=5") as (running, _):
        assert running.wait(LIMIT) == 1
        assert "killed, as it is after 5 s" in running.stderr.read()


def test_what_all_runs_skipped_ran_nowhere(tmp_path):
    """One log is of this machine, the other of another release."""
    (tmp_path / "here").write_text("[gw3] [ 51%] SKIPPED ../test/cluster/test_a.py::test_a[cgroup v2] \n"
                                   "[gw0] [ 52%] SKIPPED ../test/cluster/test_a.py::test_a[a/b] \n"
                                   "[gw1] [100%] PASSED ../test/cluster/test_b.py::test_b \n")
    (tmp_path / "there").write_text("something else\n"
                                    "[gw0] [  7%] FAILED ../../usr/src/test/cluster/test_a.py::test_a[a/b] \n"
                                    "[gw0] [  8%] SKIPPED ../../usr/src/test/cluster/test_b.py::test_b \n")
    done = subprocess.run(["bash", "-c", '. ./results.sh; ran_nowhere "$@"', "bash", tmp_path / "here", tmp_path / "there"],
                          cwd=CONTRIB, capture_output=True, text=True, check=True, timeout=LIMIT)
    assert done.stdout == "test_a.py::test_a[cgroup v2]\n"


def as_built(tree, source, number):
    """Slurm's sources as they are where somebody has built them, with another number of their version."""
    (tree / "src/api/.libs").mkdir(parents=True)
    (tree / "src/api/.libs/libslurm.so").touch()
    (tree / "slurm").mkdir()
    for folder in ("src", "slurm", "."):
        for file in (source / folder).iterdir():
            if not (tree / folder / file.name).exists():
                (tree / folder / file.name).symlink_to(file)
    for header in (tree / "slurm/slurm_version.h", tree / "config.h"):
        text = header.read_text()
        header.unlink()
        header.write_text(re.sub("(?m)^#define SLURM_VERSION_NUMBER .*", f"#define SLURM_VERSION_NUMBER {number:#x}", text))
    return tree


def package_for(*arguments, **environment):
    return subprocess.run([CONTRIB / "package-for", *arguments], capture_output=True, text=True, check=False, timeout=LIMIT,
                          env={**os.environ, **environment})


def tools_without(missing, directory):
    """A PATH that has all of the system's programs but these."""
    for program in (program for folder in ("/bin", "/usr/bin") for program in Path(folder).iterdir()):
        link = directory / program.name
        if program.name not in missing and not link.is_symlink():
            link.symlink_to(program)
    return str(directory)


@pytest.mark.parametrize("arguments", [[], ["24.11.7"], ["--rpm", "24.11.7"], ["--deb", "24.11.7", "out"]])
def test_packages_are_made_of_slurms_sources_in_a_folder(arguments):
    done = package_for(*arguments)
    assert done.returncode == 2 and "usage: contrib/package-for" in done.stderr


@pytest.mark.parametrize("options, tool, package", [([], "dpkg-buildpackage", "dpkg-dev"), (["--rpm"], "rpmbuild", "rpm-build")])
def test_a_tool_that_is_missing_is_named_before_anything_is_built(tmp_path, options, tool, package):
    done = package_for(*options, "24.11.7", tmp_path / "out", PATH=tools_without([tool], tmp_path))
    assert done.returncode == 1 and f"there is no {tool} here: install {package}" in done.stderr
    assert not list((tmp_path / "out").iterdir())


def test_a_package_that_is_missing_is_named_before_anything_is_built(tmp_path):
    checks = tmp_path / "dpkg-checkbuilddeps"
    checks.write_text("#!/bin/sh\necho 'Unmet build dependencies: gfortran' >&2\nexit 1\n")
    checks.chmod(0o755)
    done = package_for("24.11.7", tmp_path / "out", TMPDIR=tmp_path, PATH=f"{tmp_path}:{os.environ['PATH']}")
    assert done.returncode == 1 and "Unmet build dependencies: gfortran" in done.stderr
    assert not list((tmp_path / "out").iterdir())


def test_what_is_not_slurms_is_not_packaged_for(tmp_path):
    done = package_for(tmp_path, tmp_path / "out")
    assert done.returncode == 1 and "no source tree of Slurm" in done.stderr
    assert not list((tmp_path / "out").iterdir())


def test_a_slurm_that_nobody_knows_is_not_packaged_for(build, tmp_path):
    [source] = re.findall("(?m)^SLURM_SOURCE = (.*)$", (build.directory / "Makefile").read_text())
    tree = as_built(tmp_path / "slurm", Path(source), 0x170208)  # 23.02.8
    done = package_for(tree, tmp_path / "out", TMPDIR=tmp_path)
    assert done.returncode == 1 and "slurm-vmall knows Slurm" in done.stderr
    assert not list((tmp_path / "out").iterdir())


def test_what_is_kept_shows_the_queue_and_the_logs(cluster):
    shown = evidence.shown(cluster)
    assert f"kept: {cluster.root}" in shown
    assert "--- squeue -a" in shown
    assert "slurmctld.log" in shown


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


ENDS_WHILE_IT_IS_INTERRUPTED = """
import os, signal
from vmcluster import Cluster
from vmcluster.interruption import interrupted_once

interrupted_once()
with Cluster(None, "stock") as cluster:
    stop = cluster.slurmctld.stop

    def interrupted_stop():
        os.kill(os.getpid(), signal.SIGTERM)
        return stop()

    cluster.slurmctld.stop = interrupted_stop
"""


def test_a_cluster_that_ends_is_ended_before_an_interruption():
    with TemporaryDirectory(prefix="in.") as short_path:
        environment = {**os.environ, "PYTHONPATH": MODULES, "TMPDIR": short_path}
        done = subprocess.run([sys.executable, "-B", "-c", ENDS_WHILE_IT_IS_INTERRUPTED], env=environment, capture_output=True,
                              text=True, check=False, timeout=LIMIT)
        assert "KeyboardInterrupt" in done.stderr, done.stdout + done.stderr
        assert not os.listdir(short_path)
        assert not processes.with_environment(TMPDIR=short_path)


@pytest.mark.skipif(not os.access("/sys/fs/cgroup/cpu/cgroup.procs", os.W_OK), reason="no cpu cgroups of version 1 on this machine")
def test_scripts_leave_autogroups_for_a_cgroup_that_is_gone_afterwards():
    script = """
        set -eu
        program=test
        . ./autogroups.sh
        cgroup() { sed -n 's/^[0-9]*:[^:]*\\bcpu\\b[^:]*://p' /proc/self/cgroup; }
        leave_autogroups; cgroup; echo "$own_cpu"
        rejoin_autogroups; cgroup"""
    done = subprocess.run(["sh", "-c", script], cwd=CONTRIB, capture_output=True, text=True, check=True, timeout=LIMIT)
    inside, directory, afterwards = done.stdout.split()
    assert inside.startswith("/slurm-vmall-test.") and directory.endswith(inside)
    assert afterwards == "/" and not Path(directory).exists()
