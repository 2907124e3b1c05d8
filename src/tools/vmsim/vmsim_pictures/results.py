# SPDX-License-Identifier: GPL-2.0-or-later
"""What `vmsim run` wrote. src/tools/vmsim/results.hpp describes the directory, src/sim/report/csv.hpp the columns."""

import json
import pathlib

import numpy

from .problem import Problem
from .table import Numbers, Words, read

CLASSES = ("short", "long")


class Result:
    """Of one policy and workload."""

    def __init__(self, directory, policy, workload, cores, start, overlapping):
        self.directory = directory
        self.policy = policy
        self.workload = workload
        self.cores = cores
        self.start = start  # of the workload, in seconds since 1970; None if not known
        self.overlapping = overlapping  # more cores may be in use for a moment than there are
        self.jobs = {}  # those that count in statistics, in the order of submission
        self.allotments = None  # None without timelines
        self.usage = None
        self._all_jobs = numpy.array([])  # ascending
        self._classes = numpy.array([])  # of these

    def read(self, with_timelines):
        """At once, so that what is wrong is said before anything is drawn."""
        jobs = read(self.directory / "jobs.csv", {
            "job": Numbers(), "class": Words(*CLASSES), "start": Numbers(may_be_empty=True),
            "wait": Numbers(may_be_empty=True), "response": Numbers(may_be_empty=True),
            "bounded_slowdown": Numbers(may_be_empty=True), "processes": Numbers(may_be_empty=True),
            "selected": Words("no", "yes")})
        order = numpy.argsort(jobs["job"], kind="stable")
        self._all_jobs, self._classes = jobs["job"][order], jobs["class"][order]
        counted = (jobs["selected"] == 1) & ~numpy.isnan(jobs["start"])
        if not counted.any():
            raise Problem(f"{self.directory / 'jobs.csv'}: no job was started that counts in statistics")
        self.jobs = {name: column[counted] for name, column in jobs.items()}
        if with_timelines and self._has_timelines():
            self.allotments = read(self.directory / "allotments.csv", {
                "job": Numbers(), "begin": Numbers(), "end": Numbers(), "cores": Numbers(), "mpl": Numbers()})
            self.usage = read(self.directory / "usage.csv",
                              {"time": Numbers(), "cores_used": Numbers(), "jobs_waiting": Numbers()})

    def class_of(self, job):
        """"short" or "long"; also of jobs that do not count in statistics."""
        index = numpy.searchsorted(self._all_jobs, job)
        if index == len(self._all_jobs) or self._all_jobs[index] != job:
            raise Problem(f"{self.directory / 'allotments.csv'}: job {job} is not in jobs.csv")
        return CLASSES[self._classes[index]]

    def _has_timelines(self):
        return (self.directory / "allotments.csv").exists() and (self.directory / "usage.csv").exists()


def load(directory):
    """{policy: [Result of each workload]}, in the order in which they were asked for."""
    directory = pathlib.Path(directory)
    path = directory / "summary.json"
    entries = read_json(path).get("results")
    if not isinstance(entries, list) or not entries:
        raise Problem(f"{path}: has no results")
    results = {}
    for index, entry in enumerate(entries):
        where = f"{path}: results[{index}]"
        result = Result(directory / member(where, entry, "directory", str), member(where, entry, "policy", str),
                        member(where, entry, "workload", str), member(where, entry, "cores", int),
                        _start(where, entry), entry["policy"] == "recorded" or entry.get("overlapping") is True)
        result.read(with_timelines=result.policy not in results)  # those of the first workload are drawn
        results.setdefault(result.policy, []).append(result)
    return results


def _start(where, entry):
    known = isinstance(entry, dict) and entry.get("unix_start_time") is not None
    return member(where, entry, "unix_start_time", int) if known else None


def read_json(path):
    """The object in the file."""
    try:
        value = json.loads(pathlib.Path(path).read_text(encoding="utf-8"))
    except OSError as error:
        raise Problem(f"{path}: {error.strerror}") from None
    except (UnicodeDecodeError, json.JSONDecodeError) as error:
        raise Problem(f"{path}: {error}") from None
    if not isinstance(value, dict):
        raise Problem(f"{path}: is no JSON object")
    return value


def member(where, value, name, kind):
    """value[name], which must be of that type."""
    if not isinstance(value, dict) or not isinstance(value.get(name), kind) or isinstance(value[name], bool):
        raise Problem(f"{where}: {name} is missing or of the wrong type")
    return value[name]
