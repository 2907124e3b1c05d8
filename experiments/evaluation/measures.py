# SPDX-License-Identifier: GPL-2.0-or-later
"""What is said of jobs and of runs, measured ones and those of vmsim alike. Times are seconds of the workload's clock."""

import csv
from statistics import fmean, pstdev

_SLOWDOWN_BOUND = 10  # vmsim's
COLUMNS = ["job", "application", "class", "submit", "start", "end", "wait", "response", "run_time", "bounded_slowdown",
           "processes", "average_allotment", "starts", "folds", "unfolds", "core_seconds", "wasted_core_seconds",
           "selected"]


def bounded_slowdown(response, run_time):
    return max(1, response / max(run_time, _SLOWDOWN_BOUND))


def row(job, submitted, record, began, clock):
    """Of a job, by the names of vmsim's jobs.csv, and as vmsim counts: it starts when it does for the first time, runs
    whenever it holds cores, and waits the rest of its stay. `began`: Unix seconds."""
    start, end = record.attempts[0].started, record.last.ended
    response = (end - submitted) * clock
    held = record.held()
    values = [job.id, job.application, job.kind, (submitted - began) * clock, (start - began) * clock, (end - began) * clock,
              response - held * clock, response, held * clock, bounded_slowdown(response, job.run_time),
              record.last.processes, record.core_seconds() / held, len(record.attempts), record.folds, record.unfolds,
              record.core_seconds() * clock, record.wasted_core_seconds() * clock, "yes"]
    return {name: round(value, 3) if isinstance(value, float) else value for name, value in zip(COLUMNS, values)}


def write(path, header, rows):
    with open(path, "w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, header)
        writer.writeheader()
        writer.writerows(rows)


def _of_jobs(rows):
    def values(name):
        return [float(each[name]) for each in rows]

    waits = values("wait")
    return {"jobs": len(rows), "wait": fmean(waits), "standard_deviation_of_waits": pstdev(waits),
            "response": fmean(values("response")), "execution": fmean(values("run_time")),
            "bounded_slowdown": fmean(values("bounded_slowdown"))}


def summary(rows, cores):
    """Of a run: rows of jobs.csv, of which all have ended."""
    classes = {kind: [each for each in rows if each["class"] == kind] for kind in ("short", "long")}
    first = min(float(each["submit"]) for each in rows)
    makespan = max(float(each["end"]) for each in rows) - first
    return {"makespan": makespan,
            "utilisation": sum(float(each["core_seconds"]) for each in rows) / (cores * makespan),
            "folds": sum(int(each["folds"]) for each in rows), "unfolds": sum(int(each["unfolds"]) for each in rows),
            "requeues": sum(int(each["starts"]) - 1 for each in rows),
            "wasted_core_hours": sum(float(each["wasted_core_seconds"]) for each in rows) / 3600,
            "classes": {"all": _of_jobs(rows), **{kind: _of_jobs(those) for kind, those in classes.items() if those}}}
