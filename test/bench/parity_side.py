# SPDX-License-Identifier: GPL-2.0-or-later
"""Runs job lists on one cluster and says what became of each job."""

import re
from calendar import timegm
from dataclasses import dataclass
from time import gmtime, strftime, strptime

from parity_cluster import EPOCH, VirtualCluster
from parity_jobs import generate

_PACE = 60  # seconds between looks whether a list is over
_LONGEST = 900  # what waits so long after the last event will not run
_BETWEEN = 100  # lists begin at multiples of this
_STAMP = "%Y-%m-%dT%H:%M:%S"


@dataclass(frozen=True)
class Outcome:
    """What became of a job, in seconds after its list began."""

    job: str  # by its number in the list, and its number in its array
    state: str
    eligible: int
    start: int
    end: int
    cores: tuple  # (node, its CPU ids)
    scheduler: str  # Main or Backfill


def _seconds(stamp, begin):
    return timegm(strptime(stamp, _STAMP)) - EPOCH - begin if stamp[0].isdigit() else None


class Side:
    """One scheduler with one slurm.conf: a context manager."""

    def __init__(self, variant, build, programs):
        """`build`: None for stock Slurm."""
        self._variant = variant
        self._cluster = VirtualCluster(build, programs, variant.slurm_conf, scheduler="vmall" if build else "stock",
                                       nodes=variant.nodes, partitions=variant.partitions)

    def __enter__(self):
        self._cluster.__enter__()
        return self

    def __exit__(self, *exception):
        return self._cluster.__exit__(*exception)

    def run(self, seed):
        """The outcomes of this list's jobs."""
        cluster = self._cluster
        begin = -(-cluster.now // _BETWEEN) * _BETWEEN
        ids = []
        for event in generate(self._variant, seed):
            cluster.run_until(begin + event.at)
            job = self._do(event, begin, ids)
            if event.command[0] == "sbatch":
                ids.append(job)
            cluster.settle()
        self._wait_for_the_end()
        return self._outcomes(begin, ids)

    def _do(self, event, begin, ids):
        """The id of the job that has been submitted, if any. Commands may fail: also that must be the same."""
        def filled(match):
            number = int(match[2])
            return str(ids[number]) if match[1] == "job" else strftime(_STAMP, gmtime(EPOCH + begin + number))

        command = [re.sub(r"\{(job|time) (\d+)\}", filled, word) for word in event.command]
        if command[0] == "sbatch":
            command[1:1] = ["--parsable", "--output=/dev/null", f"--wrap=sleep {event.runs}"]
        done = self._cluster.run(*command, check=False)
        return int(done.stdout.split(";")[0]) if command[0] == "sbatch" and not done.returncode else 0

    def _unfinished(self):
        return self._cluster.run("squeue", "-h", "-o", "%A").stdout.split()

    def _wait_for_the_end(self):
        cluster = self._cluster
        latest = cluster.now + _LONGEST
        while (jobs := self._unfinished()) and cluster.now < latest:
            cluster.run_until(cluster.now + _PACE)
        if jobs:
            cluster.run("scancel", *jobs)
            cluster.run_until(cluster.now + _PACE)

    def _outcomes(self, begin, ids):
        numbers = {job: number for number, job in enumerate(ids) if job}
        outcomes = []
        for job in self._cluster.jobs().values():
            array = int(job.fields.get("ArrayJobId", job.id))
            if array not in numbers:
                continue
            task = job.fields.get("ArrayTaskId")
            times = (_seconds(job.fields[key], begin) for key in ("EligibleTime", "StartTime", "EndTime"))
            cores = tuple((node, tuple(sorted(cpus))) for node, cpus in sorted(job.cores.items()))
            outcomes.append(Outcome(f"{numbers[array]}" + (f"_{task}" if task else ""), job.state, *times, cores,
                                    job.fields["Scheduler"]))
        return sorted(outcomes, key=lambda outcome: outcome.job)
