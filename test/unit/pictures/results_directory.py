# SPDX-License-Identifier: GPL-2.0-or-later
"""A directory as `vmsim run` writes it, made of a schedule that a test gives."""

import json
from dataclasses import dataclass, field

JOBS = ("job,user,application,class,submit,start,end,state,wait,response,run_time,slowdown,bounded_slowdown,processes,"
        "average_allotment,starts,backfilled,folds,unfolds,expiries,core_seconds,wasted_core_seconds,selected\n")


@dataclass
class Job:
    number: int
    submit: float
    allotments: list = field(default_factory=list)  # (begin, end, cores, mpl)
    job_class: str = "long"
    selected: str = "yes"


def _job_line(job):
    if not job.allotments:
        return f"{job.number},u,,{job.job_class},{job.submit},,,never_started,,,,,,,,0,no,0,0,0,0,0,no\n"
    start, end = job.allotments[0][0], job.allotments[-1][1]
    work = sum((last - first) * cores for first, last, cores, _ in job.allotments)
    processes = job.allotments[0][2] * job.allotments[0][3]
    slowdown = max(1, (end - job.submit) / max(10, end - start))
    return (f"{job.number},u,\"an, app\",{job.job_class},{job.submit},{start},{end},completed,{start - job.submit},"
            f"{end - job.submit},{end - start},1,{slowdown:.6f},{processes},1,1,"
            f"no,0,0,0,{work},0,{job.selected}\n")


def _usage_lines(jobs):
    changes = {}

    def change(time, cores, waiting):
        old = changes.get(time, (0, 0))
        changes[time] = (old[0] + cores, old[1] + waiting)

    for job in jobs:
        if job.allotments:
            change(job.submit, 0, 1)
            change(job.allotments[0][0], 0, -1)
        for begin, end, cores, _ in job.allotments:
            change(begin, cores, 0)
            change(end, -cores, 0)
    used = waiting = 0
    for time in sorted(changes):
        used, waiting = used + changes[time][0], waiting + changes[time][1]
        yield f"{time},{used},0,{waiting}\n"


def write_result(directory, jobs):
    directory.mkdir(parents=True)
    (directory / "jobs.csv").write_text(JOBS + "".join(map(_job_line, jobs)))
    (directory / "allotments.csv").write_text("job,begin,end,cores,mpl\n" + "".join(
        f"{job.number},{begin},{end},{cores},{mpl}\n" for job in jobs for begin, end, cores, mpl in job.allotments))
    (directory / "usage.csv").write_text("time,cores_used,jobs_running,jobs_waiting\n" + "".join(_usage_lines(jobs)))


def write(directory, results, cores=8, start=None):
    """`results`: {"POLICY" or "POLICY/N": jobs}; `start`: in seconds since 1970."""
    for name, jobs in results.items():
        write_result(directory / name, jobs)
    entries = [{"directory": name, "policy": name.split("/")[0], "workload": "test", "cores": cores,
                "unix_start_time": start}
               for name in results]
    (directory / "summary.json").write_text(json.dumps({"results": entries}))


# Two that fold and unfold, one short, one that never starts.
FOLDING = [Job(1, 0, [(0, 50, 8, 1), (50, 90, 2, 4), (90, 120, 8, 1)]),
           Job(2, 5, [(50, 90, 6, 1)], "short"),
           Job(3, 7, [(120, 200, 4, 2)]),
           Job(4, 9)]
RIGID = [Job(1, 0, [(0, 80, 8, 1)]), Job(2, 5, [(80, 120, 6, 1)], "short"), Job(3, 7, [(120, 160, 8, 1)]), Job(4, 9)]


def many(count):
    """Jobs that follow each other closely, on a machine of 8 cores; every tenth is folded for half of its time."""
    jobs = []
    for index in range(count):
        begin = 10.0 * index
        folded = [(begin, begin + 5, 4, 1), (begin + 5, begin + 10, 2, 2)]
        allotments = [(begin, begin + 10, 3, 1)] if index % 10 else folded
        jobs.append(Job(index + 1, max(0, begin - index % 50), allotments, "short" if index % 3 else "long"))
    return jobs
