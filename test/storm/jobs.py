# SPDX-License-Identifier: GPL-2.0-or-later
"""The kinds of jobs. Those whose name begins with vm- are virtually malleable, but under stock Slurm. Most of them sleep: only
the cores matter, and the machine is shared with the oracle."""

import secrets
import shutil
from dataclasses import dataclass
from pathlib import Path

from vmcluster import control_block

# A user's, and not nobody's: Slurm 26.05 takes no jobs of that user.
USER = "daemon"

# How names of jobs begin whose users want others harmed.
HOSTILE = "vm-hostile-"
UNBINDING = f"{HOSTILE}unbind"

# (program, arguments): what computes, and prints a checksum that depends on the number of its ranks.
PROGRAMS = [("cg", "300 15"), ("stencil", "200 20"), ("ring", "60 1000"), ("tasks", "200 100 1")]


@dataclass
class Submission:
    name: str
    command: list  # without the script
    script: str = ""  # if it is of sbatch; else the command stays until the job has ended
    program: tuple = ()  # whose checksum its output has
    released_after: float = 0  # seconds, of a job that is held
    began: float = 0
    ended: float = 0  # until then it was being submitted
    id: int = 0  # 0: nobody knows


@dataclass(frozen=True)
class Storms:
    """What kinds are made with. `scheduler`: as of StormCluster."""

    rng: object
    kernels: object
    scheduler: str
    number: int  # of the job

    def malleable(self, sizes, job_class=None):
        asked = [] if self.scheduler == "stock" else [f"--vm-class={job_class or self.rng.choice(['short', 'long'])}"]
        if self.scheduler == "vmall":
            return [*asked, f"--vm-procs={sizes}"]
        return [*asked, f"--ntasks={max(map(int, sizes.replace('-', ',').split(',')))}"]

    def sizes(self):
        """On one node, of which the largest has seven cores at least."""
        return self.rng.choice(["2", "3", "4", "5", "2-4", "3-6", "4,7", "6", "7", "5-7"])

    def seconds(self):
        return self.rng.randint(2, 14)


def _batch(with_, kind, options, script, **more):
    name = f"{kind}.{with_.number}"
    return Submission(name, ["sbatch", "--parsable", "--output=%j.out", "--time=20", f"--job-name={name}", *options], script, **more)


def _mpi(with_, launcher, options=()):
    program = with_.rng.choice(PROGRAMS)
    script = f"{launcher} {with_.kernels}/{program[0]} {program[1]}"
    return _batch(with_, "vm-mpi", [*with_.malleable(with_.rng.choice(["2", "3", "4", "2-4"])), *options], script, program=program)


def mpi_srun(with_):
    return _mpi(with_, "srun --mpi=pmi2")


def mpi_hydra(with_):
    return _mpi(with_, "mpiexec.mpich")


def mpi_nodes(with_):
    return _mpi(with_, "srun --mpi=pmi2", ["-N2"])


def sleeping(with_):
    return _batch(with_, "vm-sleep", [*with_.malleable(with_.sizes()), *([f"--uid={USER}"] if with_.rng.random() < 0.5 else [])],
                  f"srun sleep {with_.seconds()}")


def sleeping_on_nodes(with_):
    return _batch(with_, "vm-nodes", [*with_.malleable(with_.rng.choice(["4", "6", "8", "4,8"])), "-N2"], f"srun sleep {with_.seconds()}")


def steps(with_):
    each = "\n".join(f"srun sleep {with_.rng.randint(0, 3)}" for _ in range(with_.rng.randint(2, 4)))
    beside = "\n".join(f"srun --overlap sleep {with_.seconds()} &" for _ in range(2))
    return _batch(with_, "vm-steps", with_.malleable(with_.sizes()), f"{each}\nsleep 1\n{beside}\nwait\n{each}")


def forks(with_):
    """Children, and children of these whose parent is gone, and that have no environment."""
    inner = f"for i in 1 2 3; do (env -i sleep {with_.seconds()} &) ; sleep {with_.seconds()} & done; wait"
    return _batch(with_, "vm-forks", with_.malleable(with_.sizes()), f"srun bash -c '{inner}'")


def array(with_):
    return _batch(with_, "vm-array", [*with_.malleable(with_.rng.choice(["1", "2", "3"])), "--array=0-3"], f"srun sleep {with_.seconds()}")


def memory(with_):
    return _batch(with_, "vm-memory", [*with_.malleable(with_.sizes()), f"--mem={with_.rng.choice([50, 300, 600])}"], f"srun sleep {with_.seconds()}")


def requeues(with_):
    return _batch(with_, "vm-requeues", [*with_.malleable(with_.sizes()), "--requeue"],
                  f"[ ${{SLURM_RESTART_COUNT:-0}} = 0 ] && scontrol requeue $SLURM_JOB_ID\nsrun sleep {with_.seconds()}")


def held(with_):
    return _batch(with_, "vm-held", [*with_.malleable(with_.sizes()), "--hold"], f"srun sleep {with_.seconds()}",
                  released_after=with_.seconds())


def step_limit(with_):
    return _batch(with_, "vm-step-limit", with_.malleable(with_.sizes()), f"srun --time=1 sleep {with_.seconds()}\nsrun --time=2 sleep 1")


def ordinary(with_):
    return _batch(with_, "plain", [f"--ntasks={with_.rng.randint(1, 5)}"], f"srun sleep {with_.seconds()}")


def heterogeneous(with_):
    name = f"het.{with_.number}"
    common = ["--time=20", f"--job-name={name}"]
    return Submission(name, ["sbatch", "--parsable", "--output=%j.out", *common, "-n1", ":", *common, f"-n{with_.rng.randint(1, 3)}"],
                      f"srun --het-group=0,1 sleep {with_.seconds()}")


def interactive_srun(with_):
    name = f"srun.{with_.number}"
    return Submission(name, ["srun", f"--job-name={name}", "--time=20", f"-n{with_.rng.randint(1, 4)}", "sleep", str(with_.seconds())])


def interactive_salloc(with_):
    name = f"vm-salloc.{with_.number}"
    return Submission(name, ["salloc", f"--job-name={name}", "--time=20", *with_.malleable(with_.sizes()), "srun", "sleep",
                             str(with_.seconds())])


def _hostile(with_, way, script="srun {program}", sizes=None):
    """Of a user who wants others harmed; that he harms himself does not matter."""
    program = f"/usr/bin/python3 -B hostile.py {way} {with_.seconds()}"
    return _batch(with_, f"{HOSTILE}{way}", [*with_.malleable(sizes or with_.sizes()), f"--uid={USER}"], script.format(program=program))


def hostile_page(with_):
    return _hostile(with_, "scribble")


def hostile_intruder(with_):
    return _hostile(with_, "intrude", sizes="2-3")


def hostile_stops(with_):
    return _hostile(with_, "stop", f"{{program}} &\nsrun sleep {with_.seconds()}\nwait")


def hostile_ignores(with_):
    return _hostile(with_, "ignore")


def hostile_unbinds(with_):
    return _hostile(with_, "unbind")


KINDS = {kind.__name__: kind for kind in (
    mpi_srun, mpi_hydra, mpi_nodes, sleeping, sleeping_on_nodes, steps, forks, array, memory, requeues, held, step_limit, ordinary,
    heterogeneous, interactive_srun, interactive_salloc, hostile_page, hostile_intruder, hostile_stops, hostile_ignores, hostile_unbinds)}


def give_hostile_program(cluster):
    """Where all users can read it."""
    for file in (Path(__file__).with_name("hostile.py"), Path(control_block.__file__)):
        shutil.copy(file, cluster.directory)


def write_script(cluster, submission):
    file = cluster.directory / f"script.{secrets.token_hex(4)}"
    file.write_text(f"#!/bin/bash\n{submission.script}\n")
    file.chmod(0o755)
    return file
