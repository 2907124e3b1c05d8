# SPDX-License-Identifier: GPL-2.0-or-later
"""contrib/quickstart, once what it needs is built."""

import argparse
import os
import sys
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

from vmcluster import Build, Cluster, ClusterError, Node, SlurmError
from vmcluster.conf import PAPERS_POLICY
from vmcluster.interruption import interrupted_once
from vmcluster.programs import run_alone

from . import gain, report, shared_node, verify
from .cast import CAST, CORES
from .teller import Teller

# Nobody shall wait because of Slurm's usual intervals.
_STOCK_CONF = {"SchedulerParameters": "bf_interval=1,bf_resolution=1,sched_interval=5"}


def say(text):
    print(text, flush=True)


def _remains(cluster):
    """What is wrong with an idle cluster, as sentences."""
    held = [f"{cpus} CPUs of {node} are allocated" for node, (cpus, _) in cluster.node_cpus().items() if cpus]
    return held + cluster.log_errors()


def _close(stack):
    """Stops what the stack holds: what was left over, as sentences."""
    try:
        stack.close()
    except ClusterError as error:
        return [str(error)]
    return []


def _undisturbed(cluster, telling):
    """name → the result of as much work, alone."""
    say("\nAs many rounds of each program once more, alone and undisturbed")
    results = {}
    for name, told in telling.jobs.items():
        seconds, results[name] = run_alone(cluster, told.job.program, told.processes, told.rounds or told.amount)
        say(f"{seconds:6.1f} s  {name}: {results[name]}")
    return results


@dataclass
class Shown:
    findings: dict
    story: object = None  # a Telling
    undisturbed: dict = None  # results by name
    compared: list = field(default_factory=list)  # Tellings of the same work under our scheduler and the stock one
    left: list = field(default_factory=list)  # what should not be there, as sentences
    kept: object = None  # the cluster, if it is left running


def _tell(build, keep, compare):
    with ExitStack() as stack:
        cluster = stack.enter_context(Cluster(build, "vmall", [Node("n1", CORES)], PAPERS_POLICY, keep=keep))
        say(f"  in {cluster.root}")
        shown = Shown({"F1": verify.f1_unmodified_binaries(cluster)})
        say("\nThe story under select/cons_tres_vmall and sched/fjt")
        shown.story = Teller(cluster, say).tell(CAST)
        shown.undisturbed = _undisturbed(cluster, shown.story)
        if compare:
            say("\nThe same work, all jobs at once, under select/cons_tres_vmall and sched/fjt")
            shown.compared.append(Teller(cluster, say).repeat(shown.story))
        shown.left += _remains(cluster)
        if keep:
            shown.kept = cluster
            stack.pop_all()
        else:
            shown.left += _close(stack)
    return shown


def _tell_stock(build, shown):
    say("\nThe same under select/cons_tres and sched/backfill")
    with ExitStack() as stack:
        cluster = stack.enter_context(Cluster(build, "stock", [Node("n1", CORES)], slurm_conf=_STOCK_CONF))
        shown.compared.append(Teller(cluster, say).repeat(shown.story))
        shown.left += _remains(cluster)
        shown.left += _close(stack)


def _verify(shown):
    tellings = [shown.story, *shown.compared]
    shown.findings.update({
        "F2": verify.f2_backfilled(shown.story),
        "F3": verify.f3_folded(shown.story),
        "F4": verify.f4_head_on_freed_cores(shown.story),
        "F5": verify.f5_unfolded(shown.story),
        "F6": verify.f6_results(tellings, shown.undisturbed),
        "F7": verify.f7_truth(tellings),
        "F8": verify.f8_nothing_left(shown.left),
    })


def _arguments():
    parser = argparse.ArgumentParser(prog="quickstart", description=__doc__)
    parser.add_argument("--build", type=Path, required=True, help="where make put the plugins")
    parser.add_argument("--out", type=Path, required=True, help="where the pictures and the numbers go")
    parser.add_argument("--cgroup", help="that all this runs in: removed with a cluster that is kept")
    parser.add_argument("--keep", action="store_true", help="leave the cluster running")
    parser.add_argument("--node-mode", action="store_true", help="tell the story without anything of ours in slurmctld")
    parser.add_argument("--story-only", action="store_true", help="leave out what a burst of jobs gains")
    return parser.parse_args()


def _show(arguments):
    """Whether all facts hold."""
    build = Build(arguments.build.resolve())
    out = arguments.out
    out.mkdir(parents=True, exist_ok=True)
    if arguments.node_mode:
        return shared_node.show(build, arguments, say)
    real_cores = len(os.sched_getaffinity(0))
    say(f"Starting a cluster of one node with {CORES} cores")
    if real_cores < CORES:
        say(f"  this machine has {real_cores}: every core that Slurm counts is one of them, shared")
    # Otherwise, times of these programs would say nothing of either scheduler.
    compare = real_cores >= CORES and not arguments.story_only
    shown = _tell(build, arguments.keep, compare)
    try:
        if compare:
            _tell_stock(build, shown)
        _verify(shown)
        report.print_findings(shown.findings)
        report.save(out, shown.story, shown.findings, real_cores)
        if compare:
            report.show_times(out, *shown.compared)
        elif not arguments.story_only:
            gain.show(build, out, say)
    finally:
        if shown.kept:
            report.explain_kept(shown.kept, arguments.cgroup)
    failed = [name for name, finding in shown.findings.items() if not finding.passed]
    if not failed and not shown.kept:
        report.say_what_next()
    say("\nquickstart: " + (f"FAILED {', '.join(failed)}" if failed else "all of F1 to F8 hold"))
    return not failed


def main():
    interrupted_once()
    try:
        sys.exit(0 if _show(_arguments()) else 1)
    except KeyboardInterrupt:
        sys.exit("quickstart: interrupted; everything that it started has been ended and removed")
    except (ClusterError, SlurmError, OSError) as error:
        sys.exit(f"quickstart: {error}")


if __name__ == "__main__":
    main()
