# SPDX-License-Identifier: GPL-2.0-or-later
"""What the log of slurmctld says of a run. Times are real seconds."""

import math
import re
from datetime import datetime
from statistics import median

_APPLIED = re.compile(r"resize of JobId=\d+ applied after (\d+) microseconds$", re.MULTILINE)
_STARTED = r"sched/fjt: started|sched: Allocate|sched/backfill: _start_job: Started"
_HELD = re.compile(rf"^\[(\S+)\] (?:(?P<start>{_STARTED})|_job_complete:) JobId=(?P<job>\d+) (?(start)|done$)", re.MULTILINE)


def resizes(text):
    """From the decision of each until its nodes had done it; None if there were none."""
    took = sorted(int(microseconds) for microseconds in _APPLIED.findall(text))
    if not took:
        return None
    return {"number": len(took), "median": median(took) / 1e6, "percentile_95": took[math.ceil(0.95 * len(took)) - 1] / 1e6,
            "longest": took[-1] / 1e6}


def held(text):
    """Slurm's job id → how long its last run held cores."""
    started, times = {}, {}
    for line in _HELD.finditer(text):
        time, job = datetime.fromisoformat(line[1]), int(line["job"])
        if line["start"]:
            started[job] = time
        elif job in started:
            times[job] = (time - started[job]).total_seconds()
    return times
