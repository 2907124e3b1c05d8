# SPDX-License-Identifier: GPL-2.0-or-later
"""The story of ICS'05 figure 1, told on one cluster: submits the four jobs and watches until all have ended."""

import time
from dataclasses import dataclass, field

from . import control_block, invariants, processes
from .cluster import ClusterError
from .programs import ENVIRONMENT

SAMPLE_INTERVAL = 0.4
HARD_LIMIT = 600  # seconds, for everything


@dataclass(frozen=True)
class StoryJob:
    name: str
    kind: str  # short or long
    procs: str  # as --vm-procs takes it
    program: object
    amount: int
    estimate: int  # seconds
    limit: int  # minutes


@dataclass
class Told:
    """What became of one job. Times are seconds since the first submission."""

    job: StoryJob
    id: int
    submitted: float
    started: float = None
    ended: float = None
    processes: int = 0
    state: str = "PENDING"
    result: str = None

    @property
    def wait(self):
        return self.started - self.submitted

    @property
    def response(self):
        return self.ended - self.submitted


@dataclass
class Sample:
    time: float
    cores: dict  # name of a running job → set of its cores
    waiting: list  # names of jobs that wait
    violations: list


@dataclass
class Fold:
    """A change of a running job's cores, and what its processes did."""

    time: float
    name: str
    before: set
    after: set
    waiting: list
    confined_after: float = None  # seconds until every thread was inside, None if never
    same_processes: bool = False
    threads: int = 0


@dataclass
class Telling:
    scheduler: str
    jobs: dict = field(default_factory=dict)  # name → Told
    samples: list = field(default_factory=list)
    folds: list = field(default_factory=list)


class Teller:
    def __init__(self, cluster, say):
        self._cluster = cluster
        self._say = say
        self._began = time.monotonic()
        self._tasks = {}  # name → rank → process id
        self.telling = Telling(cluster.scheduler)

    def tell(self, jobs, sizes=None):
        """`jobs` in the order of submission; the first one runs before the others are submitted. `sizes`: name →
        process count, for a scheduler that cannot choose one."""
        first, *others = jobs
        self._submit(first, sizes)
        self._cluster.wait_state(self.telling.jobs[first.name].id, "RUNNING")
        for job in others:
            self._submit(job, sizes)
        while not all(told.ended for told in self.telling.jobs.values()):
            if self._now() > HARD_LIMIT:
                raise ClusterError(f"not over after {HARD_LIMIT} s\n{self._cluster.queue()}\n"
                                   f"{self._cluster.log_tails()}")
            self._look()
            time.sleep(SAMPLE_INTERVAL)
        return self.telling

    def _now(self):
        return time.monotonic() - self._began

    def _submit(self, job, sizes):
        wanted = [f"--ntasks={sizes[job.name]}"] if sizes else []
        job_id = self._cluster.submit(
            job.program.script(self._cluster.build, job.amount), f"--job-name={job.name}", f"--time={job.limit}",
            f"--vm-class={job.kind}", f"--vm-procs={sizes[job.name] if sizes else job.procs}",
            f"--vm-estimate={job.estimate // 60}:{job.estimate % 60:02}", *wanted, **ENVIRONMENT)
        self.telling.jobs[job.name] = Told(job, job_id, self._now())
        self._event(f"{job.name} submitted: {job.kind}, {job.procs} processes, {job.program.name}, "
                    f"says it runs {job.estimate} s")

    def _event(self, text):
        self._say(f"{self._now():6.1f} s  {text}")

    def _look(self):
        seen = self._cluster.jobs()
        now = self._now()
        before = self.telling.samples[-1].cores if self.telling.samples else {}
        cores = {}
        for name, told in self.telling.jobs.items():
            job = seen[told.id]
            if job.holds_cores:
                cores[name] = set().union(*job.cores.values())
            self._follow(name, told, job, now)
        waiting = [name for name, told in self.telling.jobs.items() if told.state == "PENDING"]
        for name in before.keys() & cores.keys():
            if before[name] != cores[name]:
                self._resized(name, before[name], cores[name], waiting)
            else:
                self._tasks[name] = self._cluster.tasks(self.telling.jobs[name].id)
        wrong = invariants.violations(self._cluster, patience=2)
        self.telling.samples.append(Sample(now, cores, waiting, wrong))
        for sentence in wrong:
            self._event(f"WRONG: {sentence}")

    def _follow(self, name, told, job, now):
        """Notes that a job has started or ended."""
        told.state = job.state
        if told.started is None and job.state != "PENDING":
            told.started = now
            told.processes = job.tasks
            self._event(f"{name} starts: {job.tasks} processes on {job.core_count} cores")
        if told.ended is None and job.state not in ("PENDING", "CONFIGURING", "RUNNING", "COMPLETING", "SUSPENDED"):
            told.ended = now
            told.result = told.job.program.result(self._cluster.output(told.id))
            self._event(f"{name} ends: {job.state}, {told.result or 'NO RESULT'}")

    def _resized(self, name, before, after, waiting):
        told = self.telling.jobs[name]
        verb = "folded" if len(after) < len(before) else "unfolded"
        self._event(f"{name} is {verb}: {told.processes} processes on {len(after)} instead of {len(before)} cores")
        fold = Fold(self._now(), name, before, after, waiting)
        deadline = fold.time + 5
        while fold.confined_after is None and self._now() < deadline:
            fold.threads, outside = self._outside(told.id, len(after))
            if fold.threads >= told.processes and not outside:
                fold.confined_after = self._now() - fold.time
        fold.same_processes = self._cluster.tasks(told.id) == self._tasks.get(name)
        self.telling.folds.append(fold)

    def _outside(self, job_id, core_count):
        """(number of the job's threads, those that may run outside its allotment of so many cores)."""
        node = self._cluster.nodes[0].name
        block = control_block.read(self._cluster.root / "run" / node / str(job_id) / "control")
        threads = {thread: cpus for pid in self._cluster.tasks(job_id).values()
                   for thread, cpus in processes.thread_cpus(pid).items()}
        if block.core_count != core_count:
            return len(threads), list(threads)
        return len(threads), [thread for thread, cpus in threads.items() if not cpus <= set(block.cpus)]
