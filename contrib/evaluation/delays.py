# SPDX-License-Identifier: GPL-2.0-or-later
"""A workload as Slurm on this machine had to deal with it, for vmsim, in which nothing but a job's program takes time."""

import re

from . import measures

_TIMES = re.compile(r"(?<=speedup=times:)\S+")
_TIME = re.compile(r"(?<==)[\d.]+")
_RUN_TIME, _REQUESTED_TIME = 3, 8  # fields of a line in the Standard Workload Format


def _later(text, seconds):
    return f"{float(text) + seconds:g}"


def _job(line, seconds, limit):
    fields = line.split()
    fields[_RUN_TIME] = _later(fields[_RUN_TIME], seconds)
    fields[_REQUESTED_TIME] = f"{limit(float(fields[_REQUESTED_TIME])):g}"
    return " ".join(fields)


def _executable(line, seconds):
    return _TIMES.sub(lambda times: _TIME.sub(lambda time: _later(time[0], seconds), times[0]), line)


def added(workload, seconds, limit):
    """The text of a workload in which every job holds its cores for so many seconds longer, whatever their number, and
    which Slurm's scheduler knows a limit of that is `limit`(its user's estimate)."""
    return "".join((_executable(line, seconds) if line.startswith(";") else _job(line, seconds, limit)) + "\n"
                   for line in workload.splitlines())


def taken_off(row, job, idle, launch):
    """The row of jobs.csv of a workload with delays as it is counted when it is measured: nobody had the job's cores for the first
    `idle` of the seconds that it held them, and for the next `launch` it still waited."""
    run_time = float(row["run_time"])
    return {**row, "wait": float(row["wait"]) + idle + launch, "run_time": run_time - idle - launch,
            "bounded_slowdown": measures.bounded_slowdown(float(row["response"]), job.run_time),
            "core_seconds": float(row["core_seconds"]) * (run_time - idle) / run_time}
