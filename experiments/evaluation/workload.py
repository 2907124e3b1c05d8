# SPDX-License-Identifier: GPL-2.0-or-later
"""Workloads of the papers' applications, as vmsim generates them, and what vmsim makes of them."""

import csv
import re
import subprocess
from dataclasses import dataclass

from vmcluster.conf import lines

from . import corbalan, real_mpi
from .estimates import ESTIMATES
from .policies import STOCK_IN_VMSIM
from .sizes import SIZES
from .workloads import RECORDED

_EXECUTABLE = re.compile(r"; Note: vmsim executable (\d+): virtually-malleable sizes=([\w,]+) .*application=(\S*)$")
_QUEUE = re.compile(r"; Queue: (\d+) (short|long)$")
_PROCS = {"pow2": "pow2:{}", "square": "square:{}", "any": "1-{}", "rigid": "{}"}  # size rules but lists, as --vm-procs takes them


class WorkloadError(Exception):
    """vmsim failed, or made what cannot be run."""


@dataclass(frozen=True)
class WorkloadJob:
    """Times are seconds of the workload's clock."""

    id: int
    submit: float
    run_time: float  # alone, with `processes`
    estimate: float
    processes: int  # the most that its user asks for
    procs: str  # those it accepts up to that, as --vm-procs takes them
    kind: str  # short or long
    application: str  # empty: of a recorded job, it is not known
    useful_percent: int = None  # of the time of its processes on cores of their own, what they do not wait; None: not known


def _vmsim(build, *words):
    done = subprocess.run([str(word) for word in (build.vmsim, *words)], text=True, capture_output=True, check=False)
    if done.returncode:
        raise WorkloadError(f"vmsim {words[0]}: {done.stderr.strip()}")


def _procs(rule, most):
    if rule in _PROCS:
        return _PROCS[rule].format(most)
    return ",".join(size for size in rule.split(",") if int(size) <= most)


def _job(fields, executables, kinds):
    """Of a line in the Standard Workload Format."""
    rule, application = executables[fields[13]]
    processes = int(fields[7])
    if float(fields[8]) <= 0:
        raise WorkloadError(f"job {fields[0]} of the log has no estimate, by which Slurm plans")
    return WorkloadJob(int(fields[0]), float(fields[1]), float(fields[3]), float(fields[8]), processes,
                       _procs(rule, processes), kinds[fields[14]], application)


def read(path):
    """The jobs in a file of vmsim generate."""
    executables, kinds, jobs = {}, {}, []
    for line in path.read_text().splitlines():
        if found := _EXECUTABLE.match(line):
            executables[found[1]] = found[2], found[3]
        elif found := _QUEUE.match(line):
            kinds[found[1]] = found[2]
        elif not line.startswith(";"):
            jobs.append(_job(line.split(), executables, kinds))
    if not jobs:
        raise WorkloadError(f"{path}: no jobs: a longer duration makes some")
    return jobs


def _table(path, text):
    table = path.with_name("applications.csv")
    table.write_text(text, encoding="utf-8")
    return f"--application-table={table}"


def generate(build, path, run, programs=None):
    """The jobs of the run's workload, which is written to `path`. `programs`: those of real_mpi, if it is of them."""
    duration = run.settings.duration
    if run.workload == RECORDED:
        _vmsim(build, "import", run.settings.log, "--lenient", "--virtually-malleable=1", "--overrun=raise-estimate",
               f"--jobs={run.settings.jobs}", f"--processors={run.machine.cores}", f"--output={path}")
        return read(path)
    if programs:
        which = [_table(path, real_mpi.table(programs)), *real_mpi.LOAD]
        duration = duration or real_mpi.DURATION
    elif run.workload in corbalan.NAMES:
        which = [_table(path, corbalan.table(run.workload)), *corbalan.load(run.workload)]
        duration = duration or corbalan.DURATION
    else:
        which = [f"--workload={run.workload}"]
    shorter = [f"--duration={duration}"] if duration else []
    _vmsim(build, "generate", *which, f"--estimates={ESTIMATES[run.estimates]}",
           f"--least-efficiency={SIZES[run.sizes]}", f"--processors={run.machine.cores}", f"--seed={run.seed}", *shorter,
           f"--output={path}")
    jobs = read(path)
    return corbalan.with_useful_shares(jobs) if run.workload in corbalan.NAMES else jobs


def predict(build, workload, run, directory):
    """Rows of vmsim's jobs.csv under the run's policy, by the same vmall.conf, on its machine. `directory` is made."""
    policy, machine = run.policy, run.machine
    if policy.is_stock:
        name, which = STOCK_IN_VMSIM, f"--policy={STOCK_IN_VMSIM}"
    else:
        file = directory.parent / "vmall.conf"
        file.write_text(lines(policy.vmall_conf))
        name, which = file.name, f"--policy-file={file}"
    share = ["--useful-share=efficiency"] if run.workload in corbalan.NAMES else []
    _vmsim(build, "run", f"--workload={workload}", which, *share, f"--folding-cost={run.settings.folding_cost}",
           f"--nodes={machine.nodes}", f"--cores-per-node={machine.cores_of_node}", f"--out={directory}", "--timelines")
    with open(directory / name / "jobs.csv", encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))
