# SPDX-License-Identifier: GPL-2.0-or-later
"""What a job said of itself: its script when it started and ended, its first process what cores it had when."""

import re
from dataclasses import dataclass

_LINE = re.compile(r"^(?:stand-in|job): (\w+) (\d+\.\d+)(.*)$", re.MULTILINE)
_VALUE = re.compile(r" (\w+)=([\d.]+)")


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
    due: float = None  # when by its model the program had to end
    processes: int = 0

    @property
    def folds(self):
        return sum(0 < later.cores < before.cores for before, later in self._changes())

    @property
    def unfolds(self):
        return sum(0 < before.cores < later.cores for before, later in self._changes())

    def is_complete(self):
        return None not in (self.begins, self.ends, self.ended)

    def _changes(self):
        return zip(self.shares, self.shares[1:])

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


def _change(attempt, share):
    if (share.cores, share.mpl) != (attempt.shares[-1].cores, attempt.shares[-1].mpl):
        attempt.shares.append(share)


def _note(attempt, what, time, values):
    if what == "begins":
        attempt.begins = time
        attempt.processes = int(values["processes"])
    elif what == "has" and time == attempt.begins:
        attempt.shares = [Share(attempt.started, int(values["cores"]), int(values["mpl"]))]
    elif what == "has":
        _change(attempt, Share(time, int(values["cores"]), int(values["mpl"])))
    elif what == "suspended":
        _change(attempt, Share(time, 0, attempt.shares[-1].mpl))
    elif what == "resumed":
        _change(attempt, Share(time, attempt.shares[-2].cores, attempt.shares[-2].mpl))
    elif what == "ends":
        attempt.ends = time
        attempt.due = float(values["due"])
    elif what == "ended":
        attempt.ended = time


def read(output):
    """The Record in a job's output. Raises IncompleteRecord."""
    attempts = []
    for what, time, rest in _LINE.findall(output):
        values = dict(_VALUE.findall(rest))
        if what == "started":
            # Of a job without a control block, to its end.
            attempts.append(Attempt(float(time), [Share(float(time), int(values["tasks"]), 1)]))
        elif attempts:
            _note(attempts[-1], what, float(time), values)
    if not attempts or not attempts[-1].is_complete() or not all(attempt.ended for attempt in attempts[:-1]):
        raise IncompleteRecord(output.strip()[-300:] or "no output")
    return Record(attempts)
