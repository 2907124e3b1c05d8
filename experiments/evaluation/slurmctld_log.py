# SPDX-License-Identifier: GPL-2.0-or-later
"""What the log of slurmctld says of a run. Times are real seconds."""

import math
import re
from dataclasses import dataclass
from datetime import datetime
from statistics import median

_APPLIED = re.compile(r"resize of JobId=\d+ applied after (\d+) microseconds$", re.MULTILINE)
_STARTED = r"sched/fjt: started|sched: Allocate|sched/backfill: _start_job: Started"
_EVENT = re.compile(rf"^\[(\S+)\] (?:(?P<submitted>_slurm_rpc_submit_batch_job:)|(?P<started>{_STARTED})|"
                    r"(?P<ended>_job_complete:)|sched/fjt: (?:folded|requeued)) JobId=(?P<job>\d+)(?(ended) done$)", re.MULTILINE)


@dataclass
class Held:
    """When a job held its cores the last time, in Unix seconds."""

    submitted: float
    started: float = None
    ended: float = None
    noticed_after: float = None


def resizes(text):
    """From the decision of each until its nodes had done it; None if there were none."""
    took = sorted(int(microseconds) for microseconds in _APPLIED.findall(text))
    if not took:
        return None
    return {"number": len(took), "median": median(took) / 1e6, "percentile_95": took[math.ceil(0.95 * len(took)) - 1] / 1e6,
            "longest": took[-1] / 1e6}


def held(text):
    """Slurm's job id → Held. `noticed_after` is from when it could start first until it does: what the scheduler takes to see that.
    It could since it was submitted or another gave up cores; and under sched/fjt, whose sizes depend on how many wait, since another
    was submitted."""
    jobs, freed, arrived = {}, 0, 0
    for line in _EVENT.finditer(text):
        time = datetime.fromisoformat(line[1]).timestamp()
        job = jobs.setdefault(int(line["job"]), Held(time))  # one that starts at once starts before its submission is over
        if line["submitted"]:
            arrived = time
        elif not line["started"]:
            freed = job.ended = time
        else:
            if job.started is None:  # a requeued job has other reasons to wait
                since = arrived if line["started"].startswith("sched/fjt") else job.submitted
                job.noticed_after = time - max(freed, since, job.submitted)
            job.started = time
    return jobs
