# SPDX-License-Identifier: GPL-2.0-or-later
"""The complete runs below a directory, and which of them can be compared."""

import json
from collections import Counter
from dataclasses import dataclass, replace
from pathlib import Path

from . import estimates, sizes
from .policies import POLICIES
from .workloads import WORKLOADS


@dataclass(frozen=True)
class Group:
    """Runs of a workload that differ only in policy and seed. Runs are what summary.json has of them."""

    workload: str
    estimates: str
    sizes: str
    machine: str
    settings: dict
    runs: list
    usual: tuple  # of the words of `where`, those that most groups have

    @property
    def clock(self):
        """In words."""
        return "in real time" if self.settings["clock"] == 1 else f"{self.settings['clock']:g} times as fast"

    @property
    def where(self):
        """The machine, estimates and settings, each in words."""
        settings = self.settings
        said = [self.machine, estimates.DESCRIPTIONS[self.estimates], sizes.DESCRIPTIONS[self.sizes], self.clock,
                f"folding costs {settings['folding_cost']}",
                "one process for a job" if settings["one_process"] else "one process for each of a job's"]
        if settings["log"]:
            said.append(f"the first {settings['jobs']} jobs of {Path(settings['log']).name}")
        return said + ([f"submissions for {settings['duration']}"] if settings["duration"] else [])

    @property
    def difference(self):
        """Of `where`, what is not usual."""
        return ", ".join(word for word in self.where if word not in self.usual)

    @property
    def name(self):
        return ", ".join(filter(None, [self.workload, self.difference]))

    def policies(self):
        """Names, in the order of the table of policies."""
        there = {run["policy"] for run in self.runs}
        return [name for name in POLICIES if name in there]

    def of(self, policy, kind="all"):
        """seed → run, of those with jobs of that class."""
        return {run["seed"]: run for run in self.runs
                if run["policy"] == policy and kind in run["measured"]["classes"]}

    def pairs(self, policy, other, kind="all"):
        """(run, run) under both policies, of the same seed, and so with the same jobs."""
        ours, theirs = self.of(policy, kind), self.of(other, kind)
        return [(ours[seed], theirs[seed]) for seed in sorted(ours.keys() & theirs.keys())]

    def ratios(self, policy, other, kind="all", measure="response", side="measured"):
        """Of the means of a measure under both policies, a ratio for each seed."""
        return [mean(run, kind, measure, side) / mean(reference, kind, measure, side)
                for run, reference in self.pairs(policy, other, kind) if run[side] and reference[side]]


def mean(run, kind, measure, side="measured"):
    return run[side]["classes"][kind][measure]


def runs(directory):
    """Of summary.json of every complete run; workloads and policies in the order of their tables."""
    found = [{**json.loads(path.read_text(encoding="utf-8")), "folder": path.parent}
             for path in directory.glob("*/*/*/*/*/*/summary.json")]
    return sorted(found, key=lambda run: (run["machine"], list(estimates.DESCRIPTIONS).index(run["estimates"]),
                                          list(sizes.DESCRIPTIONS).index(run["sizes"]), list(WORKLOADS).index(run["workload"]),
                                          list(POLICIES).index(run["policy"]), run["seed"]))


def groups(summaries):
    """In order of appearance. Runs with different settings are in different ones."""
    by_key = {}
    for run in summaries:
        key = run["machine"], run["workload"], run["estimates"], run["sizes"], json.dumps(run["settings"], sort_keys=True)
        by_key.setdefault(key, []).append(run)
    found = [Group(*(those[0][name] for name in ("workload", "estimates", "sizes", "machine", "settings")), those, ())
             for those in by_key.values()]
    words = Counter(word for group in found for word in group.where)
    usual = tuple(word for word, number in words.items() if 2 * number > len(found))
    return [replace(group, usual=usual) for group in found]
