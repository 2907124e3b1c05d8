# SPDX-License-Identifier: GPL-2.0-or-later
"""report.md: what was measured, beside what vmsim says of the same workloads."""

from statistics import fmean

from . import estimates
from .policies import POLICIES
from .workloads import WORKLOADS

_OF_CLASSES = [("response", "response"), ("wait", "wait"), ("standard_deviation_of_waits", "standard deviation of waits"),
               ("execution", "execution"), ("bounded_slowdown", "bounded slowdown")]
_OF_RUNS = [("utilisation", "utilisation"), ("makespan", "makespan"), ("folds", "folds"), ("unfolds", "unfolds")]


def _table(heads, rows):
    lines = [heads, ["---"] * len(heads), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines) + "\n"


def _number(value):
    return f"{value:.3g}" if value < 100 else f"{value:.0f}"


def _cell(measured, predicted):
    """Means over the runs, and their ratio. Of a policy that vmsim does not have nothing is predicted."""
    if not predicted:
        return _number(fmean(measured))
    ours, theirs = fmean(measured), fmean(predicted)
    return f"{_number(ours)} ({ours / theirs:.2f})" if theirs else f"{_number(ours)} (vmsim: 0)"


def _both(runs, find):
    return _cell([find(run["measured"]) for run in runs], [find(run["predicted"]) for run in runs if run["predicted"]])


def _has_class(run, kind):
    return kind in run["measured"]["classes"]


def _class_rows(groups):
    for policy, runs in groups.items():
        for kind in ("short", "long", "all"):
            those = [run for run in runs if _has_class(run, kind)]
            if those:
                jobs = sum(run["measured"]["classes"][kind]["jobs"] for run in those)
                yield [policy, kind, str(jobs),
                       *(_both(those, lambda found, k=kind, n=name: found["classes"][k][n]) for name, _ in _OF_CLASSES)]


def _run_rows(groups):
    for policy, runs in groups.items():
        yield [policy, str(len(runs)), *(_both(runs, lambda found, n=name: found[n]) for name, _ in _OF_RUNS),
               f"{fmean(run['mean_launch'] for run in runs):.2f}",
               f"{max(run['latest_submission'] for run in runs):.2f}",
               f"{max(run['latest_end_after_due'] for run in runs):.2f}"]


def _against_stock(groups):
    """Of the policies beside stock Slurm, a line each."""
    if "stock" not in groups:
        return
    for policy, runs in groups.items():
        ratios = []
        for kind in ("short", "long"):
            pairs = [(run, stock) for run in runs for stock in groups["stock"]
                     if run["seed"] == stock["seed"] and _has_class(run, kind)]
            if pairs:
                ours, theirs = (fmean(run["measured"]["classes"][kind]["response"] for run in side) for side in zip(*pairs))
                ratios.append(f"{ours / theirs:.2f} of stock Slurm's for {kind} jobs")
        if policy != "stock" and ratios:
            yield f"- {policy}: the mean response is {' and '.join(ratios)}."


def _limits(runs):
    found = runs[0]["settings"]
    coarse = sum(run["coarse_time_limits"] for run in runs)
    text = (f"The clock of the workload is {found['clock']:g} times as fast as real time; times are seconds of that clock "
            "unless they are said to be real. It makes estimates, windows and run times shorter, but not what Slurm and this "
            "machine take for their own work: launching and ending a job, sbatch, the interval of sched/backfill (1 s), that of "
            "sched/fjt's passes (1 s), `ResizeRetryInterval` (2 s). Slurm keeps times in whole seconds, and time limits in whole "
            "minutes")
    if coarse:
        jobs = sum(run["measured"]["classes"]["all"]["jobs"] for run in runs if POLICIES[run["policy"]].is_stock)
        text += (f": {coarse} of {jobs} jobs under stock Slurm have a limit more than a tenth above what they say they run, "
                 "which is all that it knows of them")
    used = {run["policy"] for run in runs}
    return " ".join([text + ".", *(policy.limits for policy in POLICIES.values() if policy.name in used and policy.limits)])


def _workload(run):
    return run["machine"], run["workload"], run["estimates"]


def _of_workload(machine, workload, estimated, runs):
    groups = {name: those for name in POLICIES if (those := [run for run in runs if run["policy"] == name])}
    heads = [head for _, head in _OF_CLASSES]
    yield f"## {workload} ({WORKLOADS[workload]}) on {machine}, {estimates.DESCRIPTIONS[estimated]}\n"
    if compared := list(_against_stock(groups)):
        yield "\n".join(compared) + "\n"
    yield _table(["policy", "class", "jobs", *heads], _class_rows(groups))
    yield _table(["policy", "runs", *(head for _, head in _OF_RUNS), "launch and end of a job (mean, real s)",
                  "latest submission (real s)", "latest end after its due time (real s)"], _run_rows(groups))


def _errors(runs):
    lines = [f"- {run['policy']}, {run['workload']} on {run['machine']}, estimates {run['estimates']}, seed {run['seed']}: {line}"
             for run in runs for line in run["log_errors"]]
    if lines:
        yield "## Errors in the daemons' logs\n\n" + "\n".join(lines) + "\n"


def _policies(runs):
    used = {run["policy"] for run in runs}
    lines = [f"- {policy.name}: {policy.description}" for policy in POLICIES.values() if policy.name in used]
    return "## Policies\n\n" + "\n".join(lines) + "\n"


def _how(settings):
    processes = "one process for each job" if settings["one_process"] else "one process for each of theirs"
    shortened = f"Submissions end after {settings['duration']} of the workload's clock. " if settings["duration"] else ""
    return (f"Written by contrib/evaluate. Jobs sleep ({processes}) for as long as the papers' applications would run on the "
            f"cores that they have, and everything else is real. {shortened}Folding costs {settings['folding_cost']} from MPL 2 "
            "on.\n")


def text(summaries):
    """`summaries`: of complete runs, at least one, all of the same settings."""
    parts = ["# Measured on a real Slurm, beside what vmsim says\n", _how(summaries[0]["settings"]), _limits(summaries) + "\n",
             "A number in brackets is the measured one over vmsim's. Means are over the jobs of a run, and then over the "
             "runs (seeds).\n"]
    for which in dict.fromkeys(map(_workload, summaries)):
        parts += _of_workload(*which, [run for run in summaries if _workload(run) == which])
    return "\n".join([*parts, *_errors(summaries), _policies(summaries)])
