# SPDX-License-Identifier: GPL-2.0-or-later
"""A workload as Slurm on this machine had to deal with it, for vmsim, in which nothing but a job's program takes time."""

import re
from dataclasses import dataclass, fields
from statistics import fmean

from . import measures

_EXECUTABLE = re.compile(r"; Note: vmsim executable (\d+):(.*)")
_TIMES = re.compile(r"(?<=speedup=times:)\S+")
_TIME = re.compile(r"(?<==)[\d.]+")
_RUN_TIME, _REQUESTED_TIME, _EXECUTABLE_NUMBER = 3, 8, 13  # fields of a line in the Standard Workload Format


@dataclass(frozen=True)
class Delay:
    """Of a job, in real seconds."""

    notice: float  # from when it could start until the scheduler starts it
    launch: float  # from there until its script runs
    beyond_program: float  # for which it holds cores longer than its program runs

    @property
    def of_cores(self):
        """For which nobody can use its cores."""
        return self.notice + self.beyond_program


def means(found):
    """By name. `found`: a list of Delay."""
    return {field.name: fmean(getattr(each, field.name) for each in found) for field in fields(Delay)}


def _later(text, seconds):
    return f"{float(text) + seconds:g}"


def _executable(number, rest, seconds):
    later = _TIMES.sub(lambda times: _TIME.sub(lambda time: _later(time[0], seconds), times[0]), rest)
    return f"; Note: vmsim executable {number}:{later}"


def added(workload, seconds, limit):
    """The text of a workload whose jobs hold their cores for longer, however many, by `seconds`[job], and of which Slurm's
    scheduler knows as limit `limit`(its user's estimate). To that end each job has an executable of its own."""
    executables, head, notes, lines = {}, [], [], []
    for line in workload.splitlines():
        if found := _EXECUTABLE.match(line):
            executables[found[1]] = found[2]
        elif line.startswith(";"):
            head.append(line)
        else:
            words = line.split()
            later = seconds[int(words[0])]
            notes.append(_executable(words[0], executables[words[_EXECUTABLE_NUMBER]], later))
            words[_RUN_TIME] = _later(words[_RUN_TIME], later)
            words[_REQUESTED_TIME] = f"{limit(float(words[_REQUESTED_TIME])):g}"
            words[_EXECUTABLE_NUMBER] = words[0]
            lines.append(" ".join(words))
    return "\n".join([*head, *notes, *lines]) + "\n"


def taken_off(row, job, delay, clock):
    """The row of jobs.csv of a workload with delays as it is counted when it is measured: nobody had the job's cores until it was
    noticed, and until its script ran it still waited."""
    run_time = float(row["run_time"])
    idle, launch = delay.notice * clock, delay.launch * clock
    return {**row, "wait": float(row["wait"]) + idle + launch, "run_time": run_time - idle - launch,
            "bounded_slowdown": measures.bounded_slowdown(float(row["response"]), job.run_time),
            "core_seconds": float(row["core_seconds"]) * (run_time - idle) / run_time}
