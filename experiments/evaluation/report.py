# SPDX-License-Identifier: GPL-2.0-or-later
"""report.md: what was measured, beside what vmsim says of the same workloads."""

import re
from statistics import fmean

from . import claims, commands, headline, intervals, kept, real_mpi
from .markdown import table
from .policies import POLICIES
from .predictions import DEALS
from .workloads import WORKLOADS

_OF_CLASSES = [("response", "response"), ("wait", "wait"), ("execution", "execution"),
               ("standard_deviation_of_waits", "standard deviation of waits"), ("bounded_slowdown", "bounded slowdown")]
_OF_RUNS = [("utilisation", "utilisation"), ("makespan", "makespan"), ("wasted_core_hours", "core-hours thrown away"),
            ("requeues", "requeues"), ("folds", "folds"), ("unfolds", "unfolds")]
_DELAYS = {"notice": "until a job that could start does, mean", "launch": "from there until its script runs, mean",
           "beyond_program": "a job holds cores beyond its program, mean"}
_LARGE = 0.05  # a difference that is to be explained
_SHOWN_ERRORS = 3  # of a run

_HOW_TO_READ = f"""A cell is what was measured, and in brackets that over what vmsim predicts for the same workload, and
over what it predicts with the delays of that run: each job gets its cores later by the time that the scheduler took to
see that it could start, and holds them for longer by the time that launching and ending it took; stock Slurm is told
time limits in whole minutes. How many processes a job has for all its life depends on what is free when it starts, so
a moment more or less may change much: the second ratio is that to the largest and the smallest of {DEALS + 1} predictions, one with
the delays that each job had, and {DEALS} in which they are dealt out to the jobs anew. If 1 lies between them, the delays explain the
difference. A * is where they do not, by more than 5 %. In brackets are vmsim's numbers themselves where there is nothing to
divide by. Means are over the jobs of a run, and then over the runs (seeds)."""
_OF_THE_CLOCK = """Times are seconds of the workload's clock unless they are said to be real. It makes estimates, windows
and run times shorter, but not what Slurm and this machine take for their own work: launching and ending a job, sbatch,
the interval of sched/backfill (1 s), that of sched/fjt's passes (1 s), `ResizeRetryInterval` (2 s). """
_OF_SLURM = "Slurm keeps times in whole seconds, and time limits in whole minutes."


def _cell(runs, find):
    """Of a policy that vmsim does not have nothing is predicted."""
    measured = fmean(find(run["measured"]) for run in runs)
    if not runs[0]["predicted"]:
        return intervals.number(measured)
    predicted = fmean(find(run["predicted"]) for run in runs)
    with_delays = [fmean(map(find, summaries)) for summaries in zip(*(run["predicted_with_delays"] for run in runs))]
    least, most = min(with_delays), max(with_delays)
    if not (predicted and least):
        return f"{intervals.number(measured)} (vmsim: {', '.join(map(intervals.number, (predicted, least, most)))})"
    unexplained = measured / most > 1 + _LARGE or measured / least < 1 - _LARGE
    return (f"{intervals.number(measured)} ({measured / predicted:.2f}; {measured / most:.2f} to {measured / least:.2f}"
            f"{'*' if unexplained else ''})")


def _explained(details):
    """How often the delays explain what is different from vmsim's."""
    compared = re.findall(r"\(\S+; \S+ to \S+\)", details)
    return f"Delays explain {sum('*' not in each for each in compared)} of the {len(compared)} numbers below that are compared.\n"


def _class_rows(group):
    for policy in group.policies():
        for kind in ("short", "long", "all"):
            if runs := list(group.of(policy, kind).values()):
                jobs = sum(run["measured"]["classes"][kind]["jobs"] for run in runs)
                yield [policy, kind, str(jobs),
                       *(_cell(runs, lambda side, k=kind, n=name: side["classes"][k][n]) for name, _ in _OF_CLASSES)]


def _run_rows(group):
    for policy in group.policies():
        runs = list(group.of(policy).values())
        yield [policy, ", ".join(str(run["seed"]) for run in runs),
               *(_cell(runs, lambda side, n=name: side[n]) for name, _ in _OF_RUNS)]


def _resizes(runs):
    """Their number over all runs, the mean of their medians, the largest of the rest."""
    found = [run["resizes"] for run in runs if run["resizes"]]
    if not found:
        return ["0", "-", "-", "-"]
    return [str(sum(its["number"] for its in found)), f"{fmean(its['median'] for its in found):.3f}",
            *(f"{max(its[name] for its in found):.3f}" for name in ("percentile_95", "longest"))]


def _latest(runs, name):
    """A program that really computes is not due at any time."""
    return "-" if runs[0][name] is None else f"{max(run[name] for run in runs):.2f}"


def _real_time_rows(group):
    for policy in group.policies():
        runs = list(group.of(policy).values())
        yield [policy, *(f"{fmean(run['mean_delays'][name] for run in runs):.2f}" for name in _DELAYS), *_resizes(runs),
               *(_latest(runs, name) for name in ("latest_submission", "latest_end_after_due"))]


def _against_stock(group):
    """Of the policies beside stock Slurm, a line each."""
    for policy in group.policies():
        ratios = [f"{intervals.of_ratios(found)} of stock Slurm's for {kind} jobs" for kind in ("short", "long")
                  if (found := group.ratios(policy, headline.STOCK, kind))]
        if policy != headline.STOCK and ratios:
            yield f"- {policy}: the mean response is {' and '.join(ratios)}."


def _coarse_limits(group):
    runs = [run for run in group.runs if POLICIES[run["policy"]].is_stock]
    coarse = sum(run["coarse_time_limits"] for run in runs)
    if coarse:
        jobs = sum(run["measured"]["classes"]["all"]["jobs"] for run in runs)
        yield (f"{coarse} of {jobs} jobs under Slurm's own policies have a limit more than a tenth above what they say they run, "
               "which is all that it knows of them.\n")


def _programs(group):
    """The same for all runs of the workload of real_mpi."""
    if group.workload == real_mpi.NAME:
        programs = group.runs[0]["programs"]
        yield (f"What the programs take alone, in seconds, by the medians of {real_mpi.REPEATS} short runs; on it rest the workload "
               "and what vmsim predicts. Programs that compute are slower while anybody else uses the machine: where executions "
               "are much longer than vmsim's, somebody did, and the ratios to stock Slurm say little.\n")
        yield table(["program", "class", *(f"processes: {size}" for size in real_mpi.sizes(programs))], real_mpi.rows(programs))


def _of_group(group):
    yield f"## {group.name}\n"
    yield f"{WORKLOADS[group.workload]}; {', '.join(group.where)}.\n"
    yield from _programs(group)
    if compared := list(_against_stock(group)):
        yield "\n".join(compared) + "\n"
    yield table(["policy", "class", "jobs", *(head for _, head in _OF_CLASSES)], _class_rows(group))
    yield table(["policy", "seeds", *(head for _, head in _OF_RUNS)], _run_rows(group))
    yield table(["policy (real seconds)", *_DELAYS.values(), "resizes",
                 "from decision to applied, median", "95th percentile", "longest", "latest submission",
                 "latest end after its due time"], _real_time_rows(group))
    yield from _coarse_limits(group)


def _policy_limits(summaries):
    return dict.fromkeys(sentence for run in summaries for sentence in POLICIES[run["policy"]].limits)


def _of_times(summaries):
    faster = any(run["settings"]["clock"] != 1 for run in summaries)
    return " ".join([(_OF_THE_CLOCK if faster else "Times are real seconds. ") + _OF_SLURM, *_policy_limits(summaries)]) + "\n"


def _errors_of(run):
    """A line for each of the first ones."""
    where = (f"{run['policy']}, {run['workload']} on {run['machine']}, estimates {run['estimates']}, sizes {run['sizes']}, "
             f"seed {run['seed']}")
    more = len(run["log_errors"]) - _SHOWN_ERRORS
    return [f"- {where}: {line}" for line in run["log_errors"][:_SHOWN_ERRORS]] + ([f"- {where}: {more} more"] if more > 0 else [])


def _errors(summaries):
    lines = [line for run in summaries for line in _errors_of(run)]
    if lines:
        yield "## Errors in the daemons' logs\n\n" + "\n".join(lines) + "\n"


def _policies(summaries):
    used = {run["policy"] for run in summaries}
    lines = [f"- {policy.name}: {policy.description}" for policy in POLICIES.values() if policy.name in used]
    return "## Policies\n\n" + "\n".join(lines) + "\n"


def text(summaries, pictures=()):
    """`summaries`: of complete runs, at least one. `pictures`: (name, path)."""
    groups = kept.groups(summaries)
    details = "\n".join(part for group in groups for part in _of_group(group))
    parts = ["# A real Slurm with sleeping stand-ins for programs\n",
             "Written by experiments/evaluate; changes by hand are lost. No program computes, but in the workload real-mpi: jobs "
             "sleep for as long as the papers' applications would run on the cores that they have. Slurm, its plugins and all "
             "resizes are real.\n",
             f"Unless something else is said: {', '.join(groups[0].usual)}.\n",
             headline.text(groups), "The runs are made again, as root, by (`--page FILE` writes the report to a file of its own)\n",
             commands.text(summaries), *(f"{name}:\n\n![{name}]({path})\n" for name, path in pictures),
             "## What the papers say\n", claims.text(groups), "## How to read what follows\n", _HOW_TO_READ, _explained(details),
             _of_times(summaries), details, *_errors(summaries), _policies(summaries)]
    return "\n".join(parts)
