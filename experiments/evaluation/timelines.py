# SPDX-License-Identifier: GPL-2.0-or-later
"""Who had how many cores when, and how many jobs waited, in the form in which vmsim run writes it."""

from collections import defaultdict

ALLOTMENTS = ["job", "begin", "end", "cores", "mpl"]
USAGE = ["time", "cores_used", "jobs_running", "jobs_waiting"]


def _changes(jobs, allotments):
    """time → [cores, jobs that run, jobs that wait], more or fewer."""
    changes = defaultdict(lambda: [0, 0, 0])

    def change(time, *more):
        changes[time] = [before + each for before, each in zip(changes[time], more)]

    last_end = {}
    for row in allotments:
        change(row["begin"], row["cores"], 1, -1)
        change(row["end"], -row["cores"], -1, 1)
        last_end[row["job"]] = row["end"]
    for job in jobs:
        change(job["submit"], 0, 0, 1)
        change(last_end[job["job"]], 0, 0, -1)
    return changes


def allotments(jobs, records, began, clock):
    """Rows of allotments.csv, of the workload's clock. `began`: Unix seconds."""
    return [{"job": job["job"], "begin": round((share.time - began) * clock, 3), "end": round((end - began) * clock, 3),
             "cores": share.cores, "mpl": share.mpl} for job in jobs for share, end in records[job["job"]].stretches()]


def usage(jobs, allotments):
    """Rows of usage.csv, from those of jobs.csv and allotments.csv; the latter of a job by time."""
    now = [0, 0, 0]
    for time, change in sorted(_changes(jobs, allotments).items()):
        now = [before + more for before, more in zip(now, change)]
        yield dict(zip(USAGE, [time, *now]))
