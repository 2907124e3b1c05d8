# SPDX-License-Identifier: GPL-2.0-or-later
"""Job lists by seed: what is submitted when, and what else happens to the jobs.

The words of a command may hold `{job N}`, the id of the list's job N, and `{time S}`, S seconds after the list began.
"""

import random
from dataclasses import dataclass

MINUTE = 60
USERS = ("root", "daemon", "games", "mail")


@dataclass(frozen=True)
class Event:
    at: int  # seconds after the list began
    command: tuple
    runs: int = 0  # of a submitted job: how many seconds


class _List:
    """The list that is being made."""

    def __init__(self, variant, seed):
        self.random = random.Random(f"{variant.name} {seed}")
        self.variant = variant
        self.events = []
        self.jobs = 0
        self.now = 0

    def chance(self, kind, probability):
        return kind in self.variant.kinds and self.random.random() < probability

    def later(self, low, high):
        return self.now + self.random.randint(low, high)

    def add(self, at, *command, runs=0):
        self.events.append(Event(at, command, runs))


def _size(job_list):
    """Options that say how many cores."""
    rng = job_list.random
    nodes = len(job_list.variant.nodes)
    shape = rng.choice(("tasks", "tasks", "tasks", "serial", "nodes", "range", "threads", "wide"))
    if shape == "serial":
        return ["-n1"]
    if shape == "nodes":
        count, each = rng.randint(1, nodes // 2), rng.randint(1, 4)
        return [f"-N{count}", f"--ntasks-per-node={each}"]
    if shape == "range":
        low = rng.randint(1, 3)
        return [f"-N{low}-{low + 2}", f"-n{low * 3}"]
    if shape == "threads":
        tasks, each = rng.randint(1, 6), rng.randint(2, 4)
        return [f"-n{tasks}", f"-c{each}"]
    if shape == "wide":
        tasks = rng.randint(job_list.variant.cores // 2, job_list.variant.cores)
        return [f"-n{tasks}"]
    tasks = rng.randint(2, job_list.variant.cores // 3)
    return [f"-n{tasks}"]


def _constraints(job_list):
    rng = job_list.random
    options = []
    if job_list.chance("nice", 0.2):
        options.append(f"--nice={rng.randint(0, 200)}")
    if job_list.chance("exclusive", 0.07):
        options.append("--exclusive")
    if job_list.chance("user", 1):
        options.append(f"--uid={rng.choice(USERS)}")
    if job_list.chance("partition", 1):
        options.append(f"-p{rng.choice(list(job_list.variant.partitions))}")
    if job_list.chance("feature", 0.3):
        options.append(f"-C{rng.choice(('small', 'middle', 'fast', 'big', 'small|big'))}")
    if job_list.chance("memory", 0.5):
        options.append(rng.choice((f"--mem={rng.randint(1, 19) * 100}", f"--mem-per-cpu={rng.randint(1, 8) * 50}")))
    if job_list.chance("licence", 0.3):
        options.append(rng.choice(("-Lsolver:1", "-Lsolver:3", "-Lmesher:1", "-Lmesher:2,solver:2")))
    if job_list.chance("reservation", 0.15):
        options.append("--reservation=kept")
    return options


def _time_constraints(job_list):
    """Options that keep the job from starting for a while, with what ends that."""
    rng = job_list.random
    options = []
    if job_list.chance("begin", 0.06):
        options.append(f"--begin={{time {job_list.later(10, 200)}}}")
    if job_list.chance("array", 0.07):
        options.append(f"--array=0-{rng.randint(1, 4)}{rng.choice(('', '%1', '%2'))}")
    if job_list.jobs and job_list.chance("dependency", 0.12):
        kind = rng.choice(("after", "afterany", "afterany", "afterok", "afternotok"))
        options.append(f"--dependency={kind}:{{job {rng.randrange(job_list.jobs)}}}")
    if job_list.chance("hold", 0.06):
        options.append("--hold")
        job_list.add(job_list.later(5, 200), "scontrol", "release", f"{{job {job_list.jobs}}}")
    return options


def _later_changes(job_list):
    rng = job_list.random
    job = f"{{job {job_list.jobs}}}"
    if job_list.chance("cancel", 0.07):
        job_list.add(job_list.later(1, 300), "scancel", job)
    if job_list.chance("update", 0.1):
        change = rng.choice((f"Nice={rng.randint(0, 500)}", f"TimeLimit={rng.randint(1, 12)}"))
        job_list.add(job_list.later(1, 120), "scontrol", "update", f"JobId={job}", change)


def _job(job_list):
    rng = job_list.random
    limit = rng.randint(1, 9 if rng.random() < 0.3 else 4) * MINUTE
    # Now and then it is killed at its limit.
    runs = rng.randint(5, limit) if rng.random() < 0.9 else limit + 3 * MINUTE
    options = [*_size(job_list), f"--time={limit // MINUTE}", *_constraints(job_list), *_time_constraints(job_list)]
    job_list.add(job_list.now, "sbatch", *options, runs=runs)
    _later_changes(job_list)
    job_list.jobs += 1


def _cluster_changes(job_list):
    rng = job_list.random
    if job_list.chance("drain", 0.4):
        node = rng.choice(job_list.variant.nodes).name
        start = rng.randint(0, 150)
        job_list.add(start, "scontrol", "update", f"NodeName={node}", "State=DRAIN", "Reason=parity")
        job_list.add(start + rng.randint(30, 300), "scontrol", "update", f"NodeName={node}", "State=RESUME")
    if job_list.chance("reservation", 1):
        start = rng.randint(60, 240)
        job_list.add(0, "scontrol", "create", "reservation", "ReservationName=kept", f"StartTime={{time {start}}}",
                     f"Duration={rng.randint(2, 6)}", f"NodeCnt={rng.randint(1, 4)}", "Users=root")
        job_list.add(start + 6 * MINUTE + 1, "scontrol", "delete", "ReservationName=kept")


def generate(variant, seed):
    """The events of one list, in order of time."""
    made = _List(variant, seed)
    _cluster_changes(made)
    for _ in range(made.random.randint(20, 36)):
        _job(made)
        # Jobs come in bursts, so that there is a queue.
        made.now += made.random.choice((0, 0, 1, 3, 7, 15, 30))
    return sorted(made.events, key=lambda event: event.at)
