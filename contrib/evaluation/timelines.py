# SPDX-License-Identifier: GPL-2.0-or-later
"""Who had how many cores when, and how many jobs waited, in the form in which vmsim run writes it."""

from collections import defaultdict
from itertools import groupby

ALLOTMENTS = ["job", "begin", "end", "cores", "mpl"]
USAGE = ["time", "cores_used", "jobs_running", "jobs_waiting"]


def _holdings(allotments):
    """(begin, end) of the times for which a job held any cores, of its rows of allotments.csv."""
    holdings = []
    for row in allotments:
        if holdings and row["begin"] <= holdings[-1][1]:
            holdings[-1][1] = row["end"]
        else:
            holdings.append([row["begin"], row["end"]])
    return holdings


def _changes(jobs, allotments):
    """time → [cores, jobs that run, jobs that wait], more or fewer."""
    changes = defaultdict(lambda: [0, 0, 0])
    of_job = {job: list(rows) for job, rows in groupby(allotments, lambda row: row["job"])}
    for row in allotments:
        changes[row["begin"]][0] += row["cores"]
        changes[row["end"]][0] -= row["cores"]
    for job in jobs:
        changes[job["submit"]][2] += 1
        holdings = _holdings(of_job[job["job"]])
        for begin, end in holdings:
            changes[begin][1] += 1
            changes[begin][2] -= 1
            changes[end][1] -= 1
            changes[end][2] += 1
        changes[holdings[-1][1]][2] -= 1  # it does not wait any more
    return changes


def usage(jobs, allotments):
    """Rows of usage.csv, from those of jobs.csv and allotments.csv; the latter job by job."""
    now = [0, 0, 0]
    for time, change in sorted(_changes(jobs, allotments).items()):
        now = [before + more for before, more in zip(now, change)]
        yield dict(zip(USAGE, [time, *now]))
