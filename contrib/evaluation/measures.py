# SPDX-License-Identifier: GPL-2.0-or-later
"""What is said of jobs and of runs, measured ones and those of vmsim alike. Times are seconds of the workload's clock."""

import csv
from statistics import fmean, pstdev

_SLOWDOWN_BOUND = 10  # vmsim's
COLUMNS = ["job", "application", "class", "submit", "start", "end", "wait", "response", "run_time", "bounded_slowdown",
           "processes", "average_allotment", "folds", "unfolds", "core_seconds"]


def row(job, submitted, record, began, clock):
    """Of a job, by the names of vmsim's jobs.csv. `began`: Unix seconds. Its cores are those that it held from the start
    of its script to its end."""
    submit, start, end = ((moment - began) * clock for moment in (submitted, record.started, record.ended))
    held = (record.core_seconds() + record.shares[0].cores * (record.begins - record.started)
            + record.shares[-1].cores * (record.ended - record.ends))
    response = end - submit
    values = [job.id, job.application, job.kind, submit, start, end, start - submit, response, end - start,
              max(1, response / max(job.run_time, _SLOWDOWN_BOUND)), record.processes, held * clock / (end - start),
              record.folds, record.unfolds, held * clock]
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
            "classes": {"all": _of_jobs(rows), **{kind: _of_jobs(those) for kind, those in classes.items() if those}}}
