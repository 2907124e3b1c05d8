# SPDX-License-Identifier: GPL-2.0-or-later
"""What a job said of itself: its script when it started and ended, its first process on each node what cores it had there when."""

import re
from dataclasses import dataclass

_LINE = re.compile(r"^(?:stand-in|job): (\w+) (\d+\.\d+)(.*)$", re.MULTILINE)
_VALUE = re.compile(r" (\w+)=(\S+)")


class IncompleteRecord(Exception):
    """The job did not end as it should."""


@dataclass(frozen=True)
class Share:
    """From `time` on."""

    time: float
    cores: int  # 0: suspended
    mpl: int


@dataclass
class Attempt:
    """From a start of the job's script to its end. Times are Unix seconds."""

    started: float
    shares: list  # changes that are none are left out; what the program has when it begins, it has from the start
    ended: float = None  # None: it has not said so
    begins: float = None  # the program
    ends: float = None
    due: float = None  # when by its model the program had to end, if it has one
    processes: int = 0
    folds: int = 0
    unfolds: int = 0

    def is_complete(self):
        return None not in (self.begins, self.ends, self.ended)

    def stretches(self):
        """(Share, its end) of those in which it held cores."""
        ends = [share.time for share in self.shares[1:]] + [self.ended]
        return [(share, end) for share, end in zip(self.shares, ends) if share.cores]

    def core_seconds(self):
        return sum(share.cores * (end - share.time) for share, end in self.stretches())


@dataclass
class Record:
    """As vmsim counts: a job waits whenever it holds no cores."""

    attempts: list  # all but the last one were cut short by a requeue, whatever they say

    @property
    def last(self):
        return self.attempts[-1]

    @property
    def folds(self):
        return sum(attempt.folds for attempt in self.attempts)

    @property
    def unfolds(self):
        return sum(attempt.unfolds for attempt in self.attempts)

    def stretches(self):
        return [stretch for attempt in self.attempts for stretch in attempt.stretches()]

    def held(self):
        """Seconds for which it held cores."""
        return sum(end - share.time for share, end in self.stretches())

    def core_seconds(self):
        return sum(attempt.core_seconds() for attempt in self.attempts)

    def wasted_core_seconds(self):
        return sum(attempt.core_seconds() for attempt in self.attempts[:-1])


def _total(has, tasks):
    """(cores, MPL) of a job by those of its nodes; without control blocks it has a core for each process."""
    return (sum(cores for cores, _ in has.values()), max(mpl for _, mpl in has.values())) if has else (tasks, 1)


def _shares(started, tasks, lines):
    has, suspended = {}, set()
    for what, _, values in lines:
        if what == "has":
            has.setdefault(values["node"], (int(values["cores"]), int(values["mpl"])))
    shares = [Share(started, *_total(has, tasks))]
    for what, time, values in lines:
        if what == "has":
            has[values["node"]] = int(values["cores"]), int(values["mpl"])
        elif what == "suspended":
            suspended.add(values["node"])
        elif what == "resumed":
            suspended.discard(values["node"])
        cores, mpl = _total(has, tasks)
        share = Share(time, 0 if suspended else cores, mpl)
        if (share.cores, share.mpl) != (shares[-1].cores, shares[-1].mpl):
            shares.append(share)
    return shares


def _changes(lines):
    """(folds, unfolds); those of a job over several nodes are on all of them, one after the other."""
    cores = {}
    for what, _, values in lines:
        if what == "has":
            cores.setdefault(values["node"], []).append(int(values["cores"]))
    pairs = [list(zip(those, those[1:])) for those in cores.values()]
    return (max((sum(later < before for before, later in those) for those in pairs), default=0),
            max((sum(later > before for before, later in those) for those in pairs), default=0))


def _attempt(first, lines):
    """Its program begins when it does on the first of its nodes, and ends when it has on all."""
    _, started, job = first
    lines = sorted(lines, key=lambda line: line[1])  # of each node they are in order
    of = {what: [line for line in lines if line[0] == what] for what in ("begins", "ends", "ended")}
    nodes = int(job["nodes"])
    attempt = Attempt(started, _shares(started, int(job["tasks"]), lines),
                      ended=of["ended"][-1][1] if of["ended"] else None)
    attempt.folds, attempt.unfolds = _changes(lines)
    if len(of["begins"]) == nodes:
        attempt.begins = of["begins"][0][1]
        attempt.processes = int(of["begins"][0][2]["processes"])
    if len(of["ends"]) == nodes:
        attempt.ends = of["ends"][-1][1]
        attempt.due = max((float(values["due"]) for _, _, values in of["ends"] if "due" in values), default=None)
    return attempt


def read(output):
    """The Record in a job's output. Raises IncompleteRecord."""
    attempts = []  # (first line, the others)
    for what, time, rest in _LINE.findall(output):
        line = what, float(time), dict(_VALUE.findall(rest))
        if what == "started":
            attempts.append((line, []))
        elif attempts:
            attempts[-1][1].append(line)
    attempts = [_attempt(*lines) for lines in attempts]
    if not attempts or not attempts[-1].is_complete() or not all(attempt.ended for attempt in attempts[:-1]):
        raise IncompleteRecord(output.strip()[-300:] or "no output")
    return Record(attempts)
