# SPDX-License-Identifier: GPL-2.0-or-later
"""Jobs and situations that several tests need. Times are short; `srun sleep` stands for an application
where only the cores matter, so that the tests do not compete for the machine."""

import os
import re
import secrets
import shutil
import signal
import subprocess
import time
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
from vmcluster import control_block, processes
from vmcluster.build import slurm_daemon, stock_plugin_dir
from vmcluster.ports import Block
from vmcluster.waiting import LIMIT

FOREVER = "exec srun sleep 600"

_STATIC_PROGRAM = r"""
#include <stdio.h>
#include <unistd.h>
int main(int count, char **words) {
    while (count == 2 && access(words[1], F_OK) != 0)
        usleep(100000);
    puts("a static rank ends");
}
"""

TOP = Path(__file__).resolve().parents[2]  # of the source tree
# Where Python programs that a test starts find our modules: a PYTHONPATH.
MODULES = os.pathsep.join(str(TOP / folder) for folder in ("contrib", "experiments", "test"))

# The ways to start an MPI program in a batch script, and a program of the MPI library each; Open MPI is not needed for more.
# As root; and Open MPI 5 does not bind more ranks than there are real cores.
OPEN_MPIEXEC = "mpiexec.openmpi --allow-run-as-root --bind-to none"
OPEN_MPI = pytest.mark.skipif(not shutil.which("mpicc.openmpi"), reason="no Open MPI to compile with (Debian: libopenmpi-dev)")
PMIX = [OPEN_MPI, pytest.mark.skipif(not (stock_plugin_dir() / "mpi_pmix.so").exists(), reason="this Slurm has no mpi/pmix")]
LAUNCHES = [pytest.param("srun --mpi=pmi2", "cg", id="PMI-2"),
            pytest.param("mpiexec.mpich", "cg", id="Hydra"),
            pytest.param("srun --mpi=pmix", "cg.openmpi", marks=PMIX, id="PMIx"),
            pytest.param(OPEN_MPIEXEC, "cg.openmpi", marks=OPEN_MPI, id="Open MPI")]

# What slurmctld, slurmd and their clients say about a peer that is gone.
PEER_GONE = r"[Cc]onnection (refused|reset by peer)|[Zz]ero [Bb]ytes|Unable to contact|[Cc]ommunication|slurm_receive_msg"

# Of the fixture `confined`. Not a name that somebody else's node has: cgroups are the machine's.
CONFINED_NODE = f"cg{secrets.token_hex(3)}"
# What daemons log where some controllers are of version 1.
CONFINED_LOG = PEER_GONE + r"|Controller \w+ is not enabled!"


def send_twice(process, number):
    """A signal as Ctrl-C comes to a program that a script runs: from the terminal, and a moment later from the script."""
    process.send_signal(number)
    time.sleep(0.5)
    process.send_signal(number)


def vm_options(kind, procs, estimate="10:00"):
    """`estimate`: as --vm-estimate takes it; 0:05 is five seconds."""
    return [f"--vm-class={kind}", f"--vm-procs={procs}", f"--vm-estimate={estimate}"]


def submit_vm(cluster, kind, procs, estimate=None, script=FOREVER, options=(), **environment):
    """Without an estimate a short job has a tenth of a long one's: others are folded for who has much less left."""
    estimate = estimate or {"short": "1:00", "long": "10:00"}[kind]
    return cluster.submit(script, *vm_options(kind, procs, estimate), *options, **environment)


# Of vmall.conf, for submit_whole.
WHOLE = {"MaxMplPerJob": "4,account/whole:1"}


def submit_whole(cluster, procs, *options):
    """A job with little to do that neither starts folded nor is folded."""
    return submit_vm(cluster, "short", procs, "1:00", options=["--account=whole", *options])


def submit_het(cluster, first, second):
    """A job of two components with these options; their ids. It starts when Slurm's sched/backfill says so."""
    leader = cluster.submit(FOREVER.replace("srun", "srun --het-group=0,1"), "--time=10", *first, ":", "--time=10", *second)
    return leader, leader + 1


def static_script(cluster, launcher):
    """Of a job whose tasks no library can be loaded into. They end once there is done.JOBID in the cluster's directory."""
    program = cluster.directory / "static"
    subprocess.run(["gcc", "-static", "-x", "c", "-o", program, "-"], input=_STATIC_PROGRAM, text=True, check=True,
                   timeout=LIMIT)
    return f"{launcher} {program} done.$SLURM_JOB_ID"


@dataclass
class Story:
    """The default policy's, on a node of eight cores: half of it is `other`'s, the four processes of `folded` have the rest until
    `guest` comes, which has less left to do and wants three cores."""

    other: int
    folded: int
    guest: int = None
    guest_procs: int = 3
    guest_script: str = FOREVER
    where: tuple = ()


def unfolded(cluster, script=FOREVER, options=(), where=(), other=("-n4",), tasks=4, **guest):
    """Tells the story until its guest. `options` go to the job that will be folded, `where` to all, `other` to the one that did
    not ask; `tasks` is how many the first starts at once, `guest` what Story says of its guest."""
    other = cluster.submit(FOREVER, *other, *where)
    # Cancelled while it is being launched, a job leaves error lines of Slurm's own.
    wait_tasks(cluster, other, cluster.wait_state(other, "RUNNING").tasks)
    folded = submit_vm(cluster, "long", 4, "10:00", script, [*where, *options])
    assert cluster.wait_state(folded, "RUNNING").core_count == 4
    if tasks:
        wait_tasks(cluster, folded, tasks)
    return Story(other, folded, where=tuple(where), **guest)


def send_guest(cluster, story):
    """Whom there is only room for if the other is folded onto one core."""
    story.guest = submit_vm(cluster, "short", story.guest_procs, "1:00", story.guest_script, story.where)


def go_on(cluster, story):
    """The guest runs, and the other has one of its four cores left."""
    send_guest(cluster, story)
    wait_cores(cluster, story.folded, 1)
    wait_tasks(cluster, story.guest, cluster.wait_state(story.guest, "RUNNING").tasks)


def fold(cluster, *arguments, **named):
    """The whole story; what it can be told of is what `unfolded` takes."""
    story = unfolded(cluster, *arguments, **named)
    go_on(cluster, story)
    return story


def fold_and_unfold(cluster):
    """A job that has ended, with at least two seconds on 4, 1 and 4 cores: Slurm may not record shorter stretches."""
    end = cluster.directory / "end"
    jobs = unfolded(cluster, f"exec srun sh -c 'until [ -e {end} ]; do sleep 0.2; done'")
    time.sleep(2)
    go_on(cluster, jobs)
    time.sleep(2)
    cluster.run("scancel", jobs.guest)
    wait_cores(cluster, jobs.folded, 4)
    time.sleep(2)
    end.touch()
    cluster.wait_end(jobs.folded)
    cluster.run("scancel", jobs.other)
    return jobs.folded


def core_seconds_held(cluster, job_id):
    """What slurmctld's log says that a resized job held, by the ledger."""
    found = cluster.wait_until(lambda: re.search(rf"JobId={job_id} has ended, it held (\d+) core-seconds",
                                                 cluster.slurmctld.log.read_text()), f"the log to say what job {job_id} held")
    return int(found[1])


def wait_cores(cluster, job_id, count):
    """The job once it has `count` cores."""
    return cluster.wait_until(lambda: (job := cluster.job(job_id)).core_count == count and job,
                              f"job {job_id} to have {count} cores")


def wait_reason(cluster, job_id, text):
    """Until squeue shows that the job waits for this."""
    cluster.wait_until(lambda: text in cluster.run("squeue", "-h", "-j", job_id, "-o", "%R").stdout,
                       f"job {job_id} to say: {text}")


def wait_tasks(cluster, job_id, count):
    """rank → process id, once all have started."""
    return cluster.wait_until(lambda: len(tasks := cluster.tasks(job_id)) == count and tasks,
                              f"job {job_id} to have {count} tasks")


def wait_in_mpi(cluster, job_id, count):
    """Until libvmrt serves so many ranks: its thread starts at the first poll."""
    def served(pid):
        return any(comm.read_text() == "vmrt\n" for comm in Path(f"/proc/{pid}/task").glob("*/comm"))
    cluster.wait_until(lambda: len(tasks := cluster.tasks(job_id)) == count and all(map(served, tasks.values())),
                       f"job {job_id} to have {count} ranks in MPI")


def wait_attached(cluster, job_id, attached, tasks):
    """The job's row once it shows this."""
    def row():
        found = cluster.vmctl_jobs().get(job_id, {})
        ranks = found.get("ranks", {})
        return (ranks.get("attached"), ranks.get("tasks")) == (attached, tasks) and found
    return cluster.wait_until(row, f"{attached} of {tasks} tasks of job {job_id} to be attached")


def real_cpus(cores):
    """CPUs of this machine behind claimed cores: itself, or modulo where more are claimed than there are."""
    return {core % os.cpu_count() for core in cores}


def outside_allotment(cluster, job_id):
    """What keeps the job from being confined to the cores that Slurm gives it, as sentences: an allotment that an
    agent has not been told of yet, and threads that may run elsewhere."""
    job = cluster.job(job_id)
    told = {node: control_block.read(cluster.root / "run" / node / str(job_id) / "control") for node in job.cores}
    stale = [f"{node}: {told[node]}, but Slurm says {sorted(cores)}" for node, cores in job.cores.items()
             if told[node].core_count != len(cores) or set(told[node].cpus) != real_cpus(cores)]
    everywhere = set().union(*(real_cpus(cores) for cores in job.cores.values()))
    return stale + [f"thread {thread} of rank {rank} may run on {sorted(cpus)}, the allotment is {sorted(everywhere)}"
                    for rank, pid in cluster.tasks(job_id).items()
                    for thread, cpus in processes.thread_cpus(pid).items() if not cpus <= everywhere]


def wait_confined(cluster, job_id):
    cluster.wait_until(lambda: not outside_allotment(cluster, job_id),
                       f"every thread of job {job_id} to be inside its allotment")


def wait_passes(cluster):
    """Until a pass of sched/fjt is over that began after now."""
    before = cluster.vmctl_stats()["passes"]  # the next one may be under way
    cluster.wait_until(lambda: cluster.vmctl_stats()["passes"] > before + 1, "two more passes")


def stays(cluster, predicate, passes=3):
    """Whether the predicate is true all the time until so many passes of sched/fjt are over that began after now."""
    before = cluster.vmctl_stats()["passes"]

    def seen():
        over = cluster.vmctl_stats()["passes"] > before + passes
        return (over and "stays") if predicate() else "changes"
    return cluster.wait_until(seen, f"{passes} more passes") == "stays"


def wait_unanswered(cluster, job_id):
    """Until a node has not answered a resize of the job, and vmctl shows that it is still wanted."""
    before = cluster.vmctl_stats()["unanswered"]
    cluster.wait_until(lambda: cluster.vmctl_stats()["unanswered"] > before
                       and cluster.vmctl_jobs()[job_id]["resize_pending"], "an unanswered resize")


@contextmanager
def vmall_conf(cluster, **changes):
    """For a while, these keys of vmall.conf are different."""
    cluster.write_vmall_conf(**changes)
    cluster.reconfigure()
    try:
        yield
    finally:
        cluster.write_vmall_conf()
        cluster.reconfigure()


@contextmanager
def restarted_with(cluster, change):
    """slurmctld with the lines of slurm.conf that `change` makes of each of its lines; as before afterwards."""
    before = cluster.conf.read_text()

    def restart(text):
        cluster.conf.write_text(text)
        cluster.slurmctld.stop()
        cluster.slurmctld.start()
        cluster.wait_until(lambda: cluster.run("scontrol", "ping", check=False).stdout.rstrip().endswith("UP"),
                           "slurmctld to answer")

    restart("".join(change(line) for line in before.splitlines(keepends=True)))
    try:
        yield
    finally:
        restart(before)


def log_of_refused_start(cluster, old, new, **environment):
    """What a slurmctld logs that does not start with `new` instead of `old` in slurm.conf."""
    other = cluster.root / "refused"
    other.mkdir(exist_ok=True)
    (other / "SlurmctldLogFile").unlink(missing_ok=True)
    assert old in cluster.conf.read_text()
    text = cluster.conf.read_text().replace(old, new)
    for key in ("StateSaveLocation", "SlurmctldPidFile", "SlurmctldLogFile"):
        text = re.sub(f"(?m)^{key}=.*", f"{key}={other}/{key}", text)
    ports = Block(2)  # not those of the slurmctld that runs
    (other / "slurm.conf").write_text(re.sub("(?m)^SlurmctldPort=.*", f"SlurmctldPort={ports.first}", text))
    port = f"ControlPort={ports.first + 1}"
    (other / "vmall.conf").write_text(re.sub("(?m)^ControlPort=.*", port, cluster.vmall_conf.read_text()))
    done = cluster.run(slurm_daemon("slurmctld"), "-D", "-c", "-f", other / "slurm.conf", check=False, **environment)
    ports.give_up()
    assert done.returncode != 0
    return (other / "SlurmctldLogFile").read_text()


@contextmanager
def allocated(cluster, *arguments, command="salloc", **streams):
    """A job from the command line, by salloc, or srun, with these arguments: its id, and the process. Cancelled afterwards."""
    nothing = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.DEVNULL)
    with subprocess.Popen([command, "--job-name=allocated", *map(str, arguments)], env=cluster.environment, cwd=cluster.directory,
                          text=True, **{**nothing, **streams}) as process:
        try:
            yield cluster.wait_until(lambda: [job.id for job in cluster.jobs().values() if job.fields["JobName"] == "allocated"
                                              and job.state in ("PENDING", "CONFIGURING", "RUNNING")], "the allocation")[0], process
        finally:
            cluster.cancel_all()
            # salloc 22.05 has two threads that wait for its command; the one that comes second waits for ever.
            process.kill()


class Silenced:
    """A node's slurmd, and so its agent, that `hangs` or `is dead` from now on; back at the end of the block."""

    def __init__(self, cluster, node, how):
        self._cluster = cluster
        self._node = node
        self._hangs = how == "hangs"
        daemon = cluster.slurmd[node]
        if self._hangs:
            daemon.signal(signal.SIGSTOP)
        else:
            daemon.kill()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self._hangs:
            self._cluster.slurmd[self._node].signal(signal.SIGCONT)
        else:
            self._cluster.slurmd[self._node].start()
        self._cluster.wait_ready()
