# SPDX-License-Identifier: GPL-2.0-or-later
"""What vmsim predicts of a run: measures.summary as if there were no delays, and with those that were found."""

import random
import tempfile
from pathlib import Path

from . import delays, measures, workload
from .play import time_limit

DEALS = 40  # 39 of 41 further ones, 95 %, are expected to lie between the smallest and the largest of so many


def without_delays(build, run, folder):
    return measures.summary(workload.predict(build, folder / "workload.swf", run, folder / "predicted"), run.machine.cores)


def _with_delays(build, run, folder, jobs, found, into):
    """`found`: job → Delay. If the jobs have these delays, and if stock Slurm is told whole minutes."""
    clock = run.settings.clock
    swf = into / "workload-with-delays.swf"
    swf.write_text(delays.added((folder / "workload.swf").read_text(encoding="utf-8"),
                                {job: delay.of_cores * clock for job, delay in found.items()},
                                lambda estimate: time_limit(estimate, run.policy, clock)), encoding="utf-8")
    rows = {int(row["job"]): row for row in workload.predict(build, swf, run, into / "predicted-with-delays")}
    return measures.summary([delays.taken_off(rows[job.id], job, found[job.id], clock) for job in jobs], run.machine.cores)


def dealt(found, seed):
    """The same delays, but each of any job."""
    values = list(found.values())
    random.Random(seed).shuffle(values)
    return dict(zip(found, values))


def with_delays(build, run, folder, jobs, found):
    """With each job's own delays, which are kept in the folder, and then as often as DEALS says with anybody's: what would have
    come out of the same delays by other chances."""
    own = _with_delays(build, run, folder, jobs, found, folder)
    others = []
    for seed in range(DEALS):
        with tempfile.TemporaryDirectory() as scratch:
            others.append(_with_delays(build, run, folder, jobs, dealt(found, seed), Path(scratch)))
    return [own, *others]
