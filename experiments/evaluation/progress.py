# SPDX-License-Identifier: GPL-2.0-or-later
"""Carries out runs, several at a time, says how far they are, and ends all of them together."""

import threading
import time
from concurrent.futures import ThreadPoolExecutor, as_completed
from statistics import fmean


class Interrupted(Exception):
    """Another run failed, or somebody wants all to end."""


class TimeLeft:
    """Real seconds until all runs are over, about: those that have not begun are taken to last as long as the others."""

    def __init__(self, runs, at_once, clock=time.monotonic):
        self._waiting = runs
        self._at_once = at_once
        self._clock = clock
        self._lock = threading.Lock()
        self._lengths = {}
        self._ends = {}

    def begins(self, run, length):
        with self._lock:
            self._waiting -= 1
            self._lengths[run] = length
            self._ends[run] = self._clock() + length

    def over(self, run):
        with self._lock:
            del self._ends[run]

    def of(self, run):
        """Below 0: it takes longer than was expected."""
        return self._ends[run] - self._clock()

    def of_all(self):
        with self._lock:
            now = self._clock()
            left = [max(0, end - now) for end in self._ends.values()]
            return max([(sum(left) + self._waiting * fmean(self._lengths.values())) / self._at_once, *left])


class Watch:
    """What one run says of itself, and how it learns that all are to end."""

    def __init__(self, run, left, interrupted, say):
        self._run = run
        self._left = left
        self._interrupted = interrupted
        self._say = say

    def say(self, text):
        self._say(f"{self._run}: {text}")

    def expect(self, length):
        """`length`: real seconds that the run is to take from now on."""
        self._left.begins(self._run, length)

    def say_left(self, text):
        left = self._left.of(self._run)
        its = f"about {left:.0f} s left" if left > 0 else "it takes longer than expected"
        self.say(f"{text}; {its}, about {self._left.of_all():.0f} s for all runs")

    def over(self):
        self._left.over(self._run)

    def pause(self, seconds):
        """Raises Interrupted if all are to end."""
        if self._interrupted.wait(seconds):
            raise Interrupted


def carry_out(work, runs, at_once, say, done):
    """`work(run, watch)` for each of `runs`, by name, in this order; `done(name, result)` as they come. If one fails, or
    this thread is interrupted, the others do not begin or pause any more, and all have ended before this does."""
    interrupted = threading.Event()
    left = TimeLeft(len(runs), at_once)

    def carry_out_one(name, run):
        if interrupted.is_set():
            raise Interrupted
        return work(run, Watch(name, left, interrupted, say))

    with ThreadPoolExecutor(at_once) as pool:
        under_way = {pool.submit(carry_out_one, name, run): name for name, run in runs.items()}
        try:
            for each in as_completed(under_way):
                done(under_way[each], each.result())
        except BaseException:
            interrupted.set()
            raise
