# SPDX-License-Identifier: GPL-2.0-or-later
"""The main job: ICS'05 figure 1 with real MPI programs, under our scheduler and under the stock one, verified."""

import argparse
import math
import os
import signal
import sys
from contextlib import ExitStack
from pathlib import Path

from . import report, verify
from .build import Build
from .cluster import Cluster, ClusterError, Node
from .programs import Kernel, ScalapackLu, run_alone, seconds_per_unit
from .slurm import SlurmError
from .story import StoryJob, Teller

CORES = 8
HEAD, BACKFILLED = "B", "C"

# name, class, processes, minutes after which Slurm kills it, program. The work between two messages is some
# milliseconds, so that jobs that share a real core all get on. A waits least for messages, and so gets its part
# of a shared core in any case: it must end before C.
CAST = [
    ("A", "short", "4", 10, Kernel("imbalanced", "srun", behind="400", probe=50)),
    ("B", "long", "6-8", 10, Kernel("cg", "mpiexec.mpich", before="1000", probe=20)),
    ("C", "short", "4", 5, Kernel("stencil", "srun", before="2000", probe=20)),
    ("D", "short", "4", 5, ScalapackLu("mpiexec.mpich")),
]


def say(text):
    print(text, flush=True)


def real_cores():
    return len(os.sched_getaffinity(0))


def lengths(real):
    """Seconds that each job takes alone, such that the story lasts about as long on any machine: A runs some 12 s
    beside C, B some 20 s, and C is still there afterwards."""
    beside = min(4, real) / 4 / min(1, real / CORES)  # how much slower four ranks are while four others run
    first = 12 / beside
    return {"A": first, "B": 16, "C": first + 14, "D": 5}


def estimates(wanted, real):
    """What the users say. A is honest about running beside C; C promises to be gone before."""
    beside = min(4, real) / 4 / min(1, real / CORES)
    first = math.ceil(wanted["A"] * beside * 1.3)
    return {"A": first, "B": 120, "C": max(first - 4, 1), "D": 60}


def cast(cluster, real):
    """The jobs, with as much work as takes the wanted time here."""
    wanted = lengths(real)
    says = estimates(wanted, real)
    jobs = []
    for name, kind, procs, limit, program in CAST:
        processes = int(procs.split("-")[-1])
        cost = seconds_per_unit(cluster, program, processes)
        amount = min(program.highest, max(1, round(wanted[name] / cost)))
        say(f"          {name}: {program.name}, {cost * 1000:.2f} ms a unit, {amount} units")
        jobs.append(StoryJob(name, kind, procs, program, amount, says[name], limit))
    return jobs


def remains(cluster):
    """What is wrong with an idle cluster, as sentences."""
    held = [f"{cpus} CPUs of {node} are allocated" for node, (cpus, _) in cluster.node_cpus().items() if cpus]
    return held + cluster.log_errors()


def close(stack):
    """Stops what the stack holds: what was left over, as sentences."""
    try:
        stack.close()
    except ClusterError as error:
        return [str(error)]
    return []


def stock_story(build, jobs, sizes):
    say("\nThe same jobs under select/cons_tres and sched/backfill, with the process counts they had above")
    with ExitStack() as stack:
        cluster = stack.enter_context(Cluster(build, "stock", [Node("n1", CORES)], slurm_conf={
            "SchedulerParameters": "bf_interval=1,bf_resolution=1,sched_interval=5"}))
        telling = Teller(cluster, say).tell(jobs, sizes)
        left = remains(cluster)
        return telling, left + close(stack)


def run(build, keep):
    """((scheduler's telling, …), findings by name, the cluster if it is kept)."""
    real = real_cores()
    stack = ExitStack()
    with stack:
        say(f"Starting a cluster of one node with {CORES} cores")
        if real < CORES:
            say(f"  this machine has {real}: every core that Slurm counts is one of them, shared")
        cluster = stack.enter_context(Cluster(build, "vmall", [Node("n1", CORES)], keep=keep))
        say(f"  in {cluster.root}")
        findings = {"F1": verify.f1_unmodified_binaries(cluster)}
        say("Measuring how fast the programs are here")
        jobs = cast(cluster, real)

        say("\nThe story under select/vmall and sched/fjt")
        telling = Teller(cluster, say).tell(jobs)
        sizes = {name: told.processes for name, told in telling.jobs.items()}
        say("\nEach program once more, alone and undisturbed")
        undisturbed = {}
        for job in jobs:
            seconds, undisturbed[job.name] = run_alone(cluster, job.program, sizes[job.name], job.amount)
            say(f"{seconds:6.1f} s  {job.name}: {undisturbed[job.name]}")
        left = remains(cluster)
        kept = cluster if keep else None
        if keep:
            stack.pop_all()
        else:
            left += close(stack)
    stock, left_by_stock = stock_story(build, jobs, sizes)

    tellings = [telling, stock]
    findings.update({
        "F2": verify.f2_backfilled(telling, HEAD, BACKFILLED),
        "F3": verify.f3_folded(telling, BACKFILLED),
        "F4": verify.f4_head_on_freed_cores(telling, HEAD, BACKFILLED),
        "F5": verify.f5_unfolded(telling, BACKFILLED),
        "F6": verify.f6_results(tellings, undisturbed),
        "F7": verify.f7_truth(tellings),
        "F8": verify.f8_nothing_left(left + left_by_stock),
    })
    return tellings, findings, kept


def main():
    parser = argparse.ArgumentParser(prog="quickstart", description=__doc__)
    parser.add_argument("--build", type=Path, required=True, help="where make put the plugins")
    parser.add_argument("--out", type=Path, help="keep timeline.csv, summary.json and timeline.svg there")
    parser.add_argument("--cgroup", help="that all this runs in: removed with a cluster that is kept")
    parser.add_argument("--keep", action="store_true", help="leave the cluster running")
    arguments = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    try:
        tellings, findings, kept = run(Build(arguments.build.resolve()), arguments.keep)
    except (ClusterError, SlurmError) as error:
        sys.exit(f"quickstart: {error}")
    report.print_results(tellings, findings)
    if arguments.out:
        report.save(arguments.out, tellings, findings, real_cores(), CORES)
    if kept:
        report.explain_kept(kept, arguments.cgroup)
    if not all(finding.passed for finding in findings.values()):
        sys.exit("quickstart: FAILED " + ", ".join(name for name, finding in findings.items() if not finding.passed))
    say("\nquickstart: all of F1 to F8 hold")


if __name__ == "__main__":
    main()
