# SPDX-License-Identifier: GPL-2.0-or-later
"""What the papers say of these policies and workloads, and whether it holds on a real Slurm. experiments/reproduce has
the same claims, and more, for the simulator."""

import math
from dataclasses import dataclass

from . import intervals
from .markdown import table

_HOLDS, _NOT, _UNKNOWN = "**holds**", "**does not hold**", "**cannot be told**"
_BFM, _ABORT, _FJT4, _RIGID, _PSA = "bfm", "bfm-requeue", "fjt4", "easy-requeue", "psa"
_HIGH_LOADS = ("high-80", "high-100", "low-80", "low-100")


@dataclass(frozen=True)
class Claim:
    """Of the mean of a measure of a class of jobs: its ratio under two policies, which is to be from `low` to `high`."""

    says: str
    source: str
    kind: str
    measure: str
    policy: str
    others: tuple
    workloads: tuple
    low: float = 0
    high: float = 1

    @property
    def measured(self):
        return f"{self.measure.replace('_', ' ')} of {self.kind} jobs, {self.policy} / others"

    def found(self, groups):
        """(where, ratios) of all that is there."""
        for group in groups:
            for other in self.others if group.workload in self.workloads else ():
                yield f"{group.name} / {other}", _ratios(group.pairs(self.policy, other, self.kind), self.kind, self.measure)


@dataclass(frozen=True)
class Growth:
    """The same of a policy under two workloads, `to` / `since`."""

    says: str
    source: str
    kind: str
    measure: str
    policies: tuple
    since: str
    to: str
    low: float = 1
    high: float = math.inf

    @property
    def measured(self):
        return f"{self.measure.replace('_', ' ')} of {self.kind} jobs, {self.to} / {self.since}"

    def found(self, groups):
        for group in groups:
            for base in groups if group.workload == self.to else ():
                if (base.workload, base.where) != (self.since, group.where):
                    continue
                for policy in self.policies:
                    ours, theirs = group.of(policy, self.kind), base.of(policy, self.kind)
                    pairs = [(ours[seed], theirs[seed]) for seed in sorted(ours.keys() & theirs.keys())]
                    yield ", ".join(filter(None, [policy, group.difference])), _ratios(pairs, self.kind, self.measure)


def _ratios(pairs, kind, measure):
    """Without those that have nothing to compare: one job's waits do not deviate."""
    values = [tuple(run["measured"]["classes"][kind][measure] for run in pair) for pair in pairs]
    return [ours / theirs for ours, theirs in values if ours > 0 and theirs > 0]


CLAIMS = (
    Claim("FJT lets long jobs respond soonest", "Utrera s. 5.4.2, fig. 5.6 and 5.8", "long", "response", _FJT4, (_PSA,),
          ("w1", "w2", "w3", "w4", "w5", "w6")),
    Claim("FJT is about 30 % ahead for long jobs", "Utrera s. 5.5", "long", "response", _FJT4, (_PSA,),
          ("w1", "w2", "w3", "w4", "w5", "w6"), 0.6, 0.8),
    Growth("under FJT the response of long jobs stays constant as the load grows", "Utrera s. 5.4.2, fig. 5.6", "long", "response",
           (_FJT4,), "w1", "w3", 0.8, 1.25),
    Growth("under FJT short jobs respond later as the load grows", "Utrera s. 5.4.2, fig. 5.7", "short", "response", (_FJT4,), "w1",
           "w3"),
    Claim("PSA favours short jobs where FJT favours long ones", "Utrera s. 5.4.2, fig. 5.7", "short", "response", _PSA, (_FJT4,),
          ("w3",)),
    Claim("short jobs respond alike, in some cases later under FJT", "Utrera s. 5.5, fig. 5.9", "short", "response", _FJT4, (_PSA,),
          ("w4", "w5", "w6"), 0.8, 1.25),
    Claim("with malleability, long jobs respond soonest at high load", "Utrera s. 6.5.2.1, fig. 6.4 and 6.6; ICS'05 fig. 3a",
          "long", "response", _BFM, (_ABORT, _FJT4, _RIGID), _HIGH_LOADS),
    Claim("with malleability, short jobs respond soonest at high load", "Utrera s. 6.5.2.1, fig. 6.5 and 6.7; ICS'05 fig. 3b",
          "short", "response", _BFM, (_ABORT, _FJT4, _RIGID), _HIGH_LOADS),
    Claim("20 to 30 % sooner than under the other policies at high load", "Utrera s. 7.2.3", "long", "response", _BFM,
          (_ABORT, _FJT4, _RIGID), _HIGH_LOADS, 0.7, 0.8),
    Claim("up to 25 % sooner than traditional backfilling at high load", "Utrera s. 6.1", "long", "response", _BFM, (_ABORT,),
          _HIGH_LOADS, 0.75, 0.99),
    Claim("short jobs respond 5 to 10 % sooner than with backfilling that aborts at high load", "ICS'05 s. 6.4.1, fig. 3b", "short",
          "response", _BFM, (_ABORT,), ("high-80", "high-100"), 0.9, 0.95),
    Claim("FJT (4) degrades as the load grows: long jobs", "Utrera s. 6.5.2.1, fig. 6.4 and 6.6", "long", "response", _BFM,
          (_FJT4,), ("high-100", "low-100")),
    Claim("FJT (4) degrades as the load grows: short jobs", "Utrera s. 6.5.2.1, fig. 6.5 and 6.7", "short", "response", _BFM,
          (_FJT4,), ("high-100", "low-100")),
    Growth("under the other policies the wait of long jobs grows with the load", "Utrera s. 6.5.2.2, fig. 6.8", "long", "wait",
           (_ABORT, _FJT4, _RIGID), "high-40", "high-100"),
    Growth("the execution time of long jobs grows under FJT (4) as the load does", "Utrera s. 6.5.2.2, fig. 6.12", "long",
           "execution", (_FJT4,), "high-40", "high-100"),
    Claim("folding expired jobs makes short jobs execute longer than aborting them does",
          "Utrera s. 6.5.2.2, fig. 6.13; ICS'05 fig. 4b", "short", "execution", _BFM, (_ABORT,), ("high-100",), 1, math.inf),
    Claim("waits are dramatically shorter with malleability than under all others: long jobs (by half at least)",
          "ICS'05 s. 6.4.2, fig. 5", "long", "wait", _BFM, (_ABORT, _FJT4, _RIGID), ("high-80", "high-100"), 0, 0.5),
    Claim("waits are dramatically shorter with malleability than under all others: short jobs (by half at least)",
          "ICS'05 s. 6.4.2, fig. 5", "short", "wait", _BFM, (_ABORT, _FJT4, _RIGID), ("high-80", "high-100"), 0, 0.5),
    Claim("the standard deviation of waits is higher without malleability: long jobs", "ICS'05 s. 6.4.3, fig. 6a", "long",
          "standard_deviation_of_waits", _BFM, (_ABORT, _FJT4, _RIGID), ("high-80", "high-100")),
    Claim("the standard deviation of waits is higher without malleability: short jobs", "ICS'05 s. 6.4.3, fig. 6b", "short",
          "standard_deviation_of_waits", _BFM, (_ABORT, _FJT4, _RIGID), ("high-80", "high-100")),
)


def verdict(claim, ratio):
    """Holds if the whole interval is accepted, does not if none of it is."""
    if ratio.low is None:
        return _UNKNOWN
    if claim.low <= ratio.low and ratio.high <= claim.high:
        return _HOLDS
    return _NOT if ratio.high < claim.low or ratio.low > claim.high else _UNKNOWN


def _together(verdicts):
    return next((each for each in (_NOT, _UNKNOWN) if each in verdicts), _HOLDS)


def _accepted(claim):
    if claim.high == math.inf:
        return f"more than {claim.low:g}"
    return f"{claim.low:g} to {claim.high:g}" if claim.low else f"less than {claim.high:g}"


def _rows(groups):
    for claim in CLAIMS:
        found = [(where, intervals.of_ratios(ratios)) for where, ratios in claim.found(groups) if ratios]
        if found:
            yield [f"{claim.says} ({claim.source})", claim.measured, _accepted(claim),
                   "<br>".join(f"{where}: {ratio}" for where, ratio in found),
                   _together([verdict(claim, ratio) for _, ratio in found])]


def text(groups):
    """Only of jobs as large as they accept: the papers know no others."""
    rows = list(_rows([group for group in groups if group.sizes == "largest"]))
    if not rows:
        return "Nothing of the workloads and policies that were run.\n"
    return ("A claim holds if the whole 95 % confidence interval of each measurement is accepted, and does not hold if that of one "
            "lies outside. One seed has no interval.\n\n"
            + table(["the papers say", "measured", "accepted", "found", "verdict"], rows))
