# SPDX-License-Identifier: GPL-2.0-or-later
"""Which cores a job may be drawn on. Results say how many cores it had, not which: the lowest that are free, in one
piece if there is one, and as long as possible the same."""

import itertools
import math

from .problem import Problem


class _Free:
    def __init__(self, cores, top):
        self.cores = cores
        self.runs = [(0, top)]  # (first, count), ascending, not touching

    def take(self, count):
        """The lowest run that is long enough, else the lowest cores; fewer than asked if there are no more."""
        for index, (first, length) in enumerate(self.runs):
            if min(first + length, self.cores) - first >= count:
                self.runs[index:index + 1] = [(first + count, length - count)] if length > count else []
                return [(first, count)]
        taken = []
        while count > 0 and self.runs:
            first, length = self.runs.pop(0)
            part = min(length, count)
            taken.append((first, part))
            count -= part
            if part < length:
                self.runs.insert(0, (first + part, length - part))
        return taken

    def give_back(self, runs):
        merged = []
        for first, length in sorted(self.runs + runs):
            if merged and sum(merged[-1]) == first:
                merged[-1] = (merged[-1][0], merged[-1][1] + length)
            else:
                merged.append((first, length))
        self.runs = merged


def _split(runs, count):
    """(the lowest `count` cores, the others)."""
    kept, rest = [], []
    for first, length in runs:
        part = min(length, count)
        count -= part
        if part:
            kept.append((first, part))
        if part < length:
            rest.append((first + part, length - part))
    return kept, rest


def _joined(runs):
    free = _Free(0, 0)
    free.runs = []
    free.give_back(runs)
    return free.runs


def place(stretches, cores, overlapping=False):
    """For each stretch (begin, end, job, cores), in order of begin, the runs (first, count) of cores to draw it on.
    If more cores are in use than there are: those beyond them where stretches may be overlapping, else Problem."""
    free = _Free(cores, math.inf if overlapping else cores)
    held = {}  # job: (end, runs)
    placed = []
    for now, group in itertools.groupby(stretches, key=lambda stretch: stretch[0]):
        group = list(group)
        continuing = {job for _, _, job, _ in group}
        for job in [job for job, (end, _) in held.items() if end <= now and job not in continuing]:
            free.give_back(held.pop(job)[1])
        kept = {job: _shrink(free, held.get(job, (now, []))[1], count) for _, _, job, count in group}
        for _, end, job, count in group:  # what shrank has made room for what grows
            more = count - _length(kept[job])
            runs = _joined(kept[job] + (free.take(more) if more > 0 else []))
            if _length(runs) < count:
                raise Problem(f"more than {cores} cores in use {now:.3f} seconds from the start")
            held[job] = (end, runs)
            placed.append(runs)
    return placed


def _length(runs):
    return sum(length for _, length in runs)


def _shrink(free, runs, count):
    """The lowest `count` cores of these runs; the others are free."""
    kept, rest = _split(runs, count)
    free.give_back(rest)
    return kept
