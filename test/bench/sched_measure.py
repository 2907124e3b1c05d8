# SPDX-License-Identifier: GPL-2.0-or-later
"""Puts up the partition of a Controller and watches it."""

import time
from itertools import accumulate

WINDOW = 4  # seconds that are one sample of what is counted


def measure(controller, windows, job):
    """Samples by measure; sched_tables.py has the words for them. `job`: one to ask for."""
    controller.settle()
    controller.release()
    locked, passes = [controller.locked()], [controller.passes()]
    begin = time.monotonic()
    with controller.watch(windows * WINDOW, job) as watch:
        for window in range(1, windows + 1):
            time.sleep(max(0, begin + window * WINDOW - time.monotonic()))
            locked.append(controller.locked())
            passes.append(controller.passes())
        samples = seen(watch.stdout.read().splitlines(), windows)
    samples["locked"] = [sum(after[name][0] - before[name][0] for name in after) / WINDOW
                         for before, after in zip(locked, locked[1:])]
    samples["longest"] = [max(longest for _, longest in sample.values()) for sample in locked[1:]]
    samples["pass"] = [(after[1] - before[1]) / (after[0] - before[0])
                       for before, after in zip(passes, passes[1:]) if after[0] > before[0] > 0]
    return samples


def seen(lines, windows):
    """Samples from the lines of `sched-clients watch`."""
    samples = {"main": [], "backfill": [], "tried": []}
    answers = []
    started = [0] * (windows + 1)
    for name, at, *numbers in map(str.split, lines):
        if name == "answer":
            answers.append((float(at), float(numbers[0])))
        elif name == "started":
            started[min(int(float(at) / WINDOW), windows - 1) + 1] = int(numbers[0])
        else:
            seconds = int(numbers[0]) / 1e6
            samples[name].append(seconds)
            if name == "backfill" and int(numbers[1]):
                samples["tried"].append(seconds / int(numbers[1]))
    samples["waits"] = _waits(answers, windows)
    started = list(accumulate(started, max))  # sdiag may not have been answered for a whole window
    samples["started"] = [(after - before) / WINDOW for before, after in zip(started, started[1:])]
    return samples


def _waits(answers, windows):
    """Of each window, the share for which a client waited longer than for its fastest answer. `answers`: when each
    came, and the seconds it took."""
    fastest = min((took for _, took in answers), default=0)
    waits = []
    for begin in range(0, windows * WINDOW, WINDOW):
        waited = (min(at, begin + WINDOW) - max(at - took + fastest, begin) for at, took in answers)
        waits.append(sum(seconds for seconds in waited if seconds > 0) / WINDOW)
    return waits
