# SPDX-License-Identifier: GPL-2.0-or-later
"""The beginning of the report: what every policy gains or loses against stock Slurm."""

import json

from . import intervals, real_mpi
from .markdown import table
from .sizes import DESCRIPTIONS, RECORDED

STOCK = "stock"
QUESTIONS = {"least-work": "What do jobs gain and lose under the default of vmall.conf?",
             "bfm": "And under backfilling with malleability?"}
_CLASSES = {"all": "all jobs", "short": "short jobs", "long": "long jobs"}


def _likely(group):
    """To sort by: what is most like a site's own jobs first."""
    if group.workload == real_mpi.NAME:
        return 2
    return {RECORDED: 0, "efficient": 1}.get(group.sizes, 3)


def _verdict(ratio):
    if ratio.low is None:
        return "no interval"
    if ratio.high < 1:
        return "sooner"
    return "later" if ratio.low > 1 else "cannot be told"


def _ratio(groups, policy, kind, side="measured"):
    """Of the mean responses under the policy and stock Slurm, over all workloads and seeds; None if there are none."""
    ratios = [ratio for group in groups for ratio in group.ratios(policy, STOCK, kind, "response", side)]
    return intervals.of_ratios(ratios) if ratios else None


def _cell(ratio):
    if ratio is None:
        return "-"
    return f"**{ratio}**" if _verdict(ratio) == "later" else str(ratio)


def _number_of(groups, policy):
    pairs = [len(group.pairs(policy, STOCK)) for group in groups]
    return f"workloads: {sum(map(bool, pairs))}, pairs of runs: {sum(pairs)}"


def _rows(policy, where, groups):
    for side, name in {"measured": "measured", "predicted": "vmsim"}.items():
        ratios = [_ratio(groups, policy, kind, side) for kind in _CLASSES]
        if any(ratios):
            yield [policy, where, name, *map(_cell, ratios), _number_of(groups, policy)]


def _by_settings(groups):
    """{words: groups} of the same machine and settings."""
    same = {}
    for group in groups:
        same.setdefault(group.difference or "as said above", []).append(group)
    return same


def _answer(policy, groups, where):
    found = {name: ratio for kind, name in _CLASSES.items() if (ratio := _ratio(groups, policy, kind))}
    answers = [f"{name} {ratio}, {_verdict(ratio)}" for name, ratio in found.items()]
    return f"- {where}: {'; '.join(answers)} ({_number_of(groups, policy)})\n"


def _answers(policy, groups):
    """One for all machines and kinds of estimates, but not for different sizes and settings."""
    alike = {}
    for group in groups:
        if group.pairs(policy, STOCK):
            alike.setdefault((group.sizes, json.dumps(group.settings, sort_keys=True)), []).append(group)
    return "".join(_answer(policy, those, f"{DESCRIPTIONS[those[0].sizes]}, {those[0].clock}") for those in alike.values())


def _asked_and_answered(groups):
    """A paragraph for each question, of programs that sleep."""
    for policy, question in QUESTIONS.items():
        if answers := _answers(policy, groups):
            yield (f"**{question}** Under `{policy}`, with sleeping stand-ins for the programs, jobs respond after so much of "
                   "the time that they take under stock Slurm:\n")
            yield answers


def _computing(groups):
    """A paragraph about programs that compute."""
    answers = "".join(_answer(policy, groups, f"`{policy}`") for policy in QUESTIONS
                      if any(group.pairs(policy, STOCK) for group in groups))
    if answers:
        yield "**With MPI programs that compute**, on this machine's own cores:\n"
        yield answers


def _losses(groups):
    for group in groups:
        for policy in group.policies():
            for kind, name in _CLASSES.items():
                ratios = [] if policy == STOCK else group.ratios(policy, STOCK, kind)
                if ratios and (ratio := intervals.of_ratios(ratios)).mean > 1:
                    yield [policy, group.name, name, str(ratio), _verdict(ratio)]


def text(groups):
    """Nothing without runs of stock Slurm to compare with."""
    compared = sorted((group for group in groups if len(group.policies()) > 1 and group.of(STOCK)), key=_likely)
    if not compared:
        return "There are no two policies with the same workload of which one is stock Slurm: nothing can be compared.\n"
    by_settings = _by_settings(compared)
    policies = [policy for policy in dict.fromkeys(name for group in compared for name in group.policies())
                if policy != STOCK]
    policies.sort(key=lambda policy: [*QUESTIONS, policy].index(policy))
    rows = [row for policy in policies for where, those in by_settings.items()
            if any(group.pairs(policy, STOCK) for group in those) for row in _rows(policy, where, those)]
    parts = [*_asked_and_answered([group for group in compared if group.workload != real_mpi.NAME]),
             *_computing([group for group in compared if group.workload == real_mpi.NAME]),
             table(["policy", "runs", "by", *_CLASSES.values(), "over"], rows),
             "Mean response under the policy over that under stock Slurm: the geometric mean of the ratios for the same workload "
             "and seed, with its 95 % confidence interval (Student's t). Bold: later than under stock Slurm. vmsim knows no "
             "delays; Slurm's are as long by any clock, so the faster the workload's, the more a measured ratio says of "
             "them.\n"]
    losses = list(_losses(compared))
    parts.append("### Who loses against stock Slurm\n")
    parts.append(table(["policy", "workload", "class", "mean response over stock Slurm's", "which is"], losses)
                 or "Nobody: no policy has a longer mean response for any class of any workload.\n")
    return "\n".join(parts)
