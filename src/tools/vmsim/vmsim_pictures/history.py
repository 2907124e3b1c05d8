# SPDX-License-Identifier: GPL-2.0-or-later
"""The picture of `vmctl timeline`: which job had how many cores when, by what `vmctl history --json` prints."""

import json
import pathlib
import time

import numpy

from . import gantt
from .problem import Problem
from .results import CLASSES, member

_ENDS = ("requeued", "ended")
_WHERE = "the history"


class _Event:
    def __init__(self, index, entry):
        where = f"{_WHERE}: history[{index}]"
        self.time, self.job, self.cores, self.mpl = (
            member(where, entry, name, int) for name in ("time", "job_id", "cores_after", "mpl"))
        self.kind = member(where, entry, "event", str)
        self.job_class = member(where, entry, "class", str)
        if self.job_class not in CLASSES or self.time < 0 or self.cores < 0:
            raise Problem(f"{where}: cannot be")


class _Cluster:
    """As gantt.py has a result: times are in seconds since `start`."""

    def __init__(self, stretches, classes, start):
        self.directory = pathlib.Path(_WHERE)
        self.start = start
        self.overlapping = True  # events of one second may come in any order
        self.cores = max(1, _most(stretches))
        self._classes = classes
        columns = numpy.array(stretches, dtype=float).reshape(-1, 5)
        columns[:, :2] -= start
        self.allotments = dict(zip(("begin", "end", "job", "cores", "mpl"), columns.T))

    def class_of(self, job):
        return self._classes[job]


def _most(stretches):
    """Cores that were held at the same time."""
    changes = sorted(change for begin, end, _, cores, _ in stretches for change in ((begin, cores), (end, -cores)))
    return int(numpy.cumsum([cores for _, cores in changes]).max()) if changes else 0


def _stretches(events, until):
    """(begin, end, job, cores, mpl) between the changes of each job; who has not ended holds its cores until then."""
    stretches, held = [], {}
    for event in events:
        before = held.pop(event.job, None)
        if before and before.cores and event.time > before.time:
            stretches.append((before.time, event.time, before.job, before.cores, before.mpl))
        if event.kind not in _ENDS:
            held[event.job] = event
    stretches += [(last.time, until, last.job, last.cores, last.mpl) for last in held.values() if last.time < until]
    return sorted(stretches)


def _read(file):
    try:
        value = json.load(file)
    except ValueError as error:  # also what is not UTF-8
        raise Problem(f"{_WHERE}: {error}") from None
    if not isinstance(value, dict):
        raise Problem(f"{_WHERE}: is no JSON object")
    return value


def draw(path, file):
    """`file`: an object with `history`, and perhaps the times `since` and `until` between which it is drawn."""
    value = _read(file)
    events = [_Event(index, entry) for index, entry in enumerate(member(_WHERE, value, "history", list))]
    until = member(_WHERE, value, "until", int) if "until" in value else int(time.time())
    stretches = _stretches(events, until)
    since = member(_WHERE, value, "since", int) if "since" in value else min((one[0] for one in stretches), default=until)
    inside = [stretch for stretch in stretches if stretch[1] > since]
    if not inside:
        raise Problem(f"{_WHERE}: no job held cores in the time that is to be drawn")
    cluster = _Cluster(inside, {event.job: event.job_class for event in events}, since)
    gantt.draw(path, {"virtually malleable jobs": [cluster]}, (0, until - since), None, since)
