# SPDX-License-Identifier: GPL-2.0-or-later
"""Tells the story on one cluster, by events: a job computes until what it is needed for has been seen, then it is let end."""

import time
from dataclasses import dataclass, field

from vmcluster import ClusterError, control_block, invariants, processes
from vmcluster.programs import ENVIRONMENT

from .cast import BACKFILLED, HEAD, LAST, LEADER

ROUNDS = 20  # of its own that a job does before it has been seen to compute
_UNFINISHED = ("PENDING", "CONFIGURING", "RUNNING", "COMPLETING", "SUSPENDED")


@dataclass
class Told:
    """What became of one job. Times are seconds since the first submission."""

    job: object
    id: int
    submitted: float
    amount: object  # as its program takes it
    started: float = None
    ended: float = None
    processes: int = 0
    state: str = "PENDING"
    result: str = None
    rounds: int = None  # how many it did until it was let end
    may_end: bool = True

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
class Resize:
    """A change of a running job's cores, and what its processes did."""

    time: float
    name: str
    before: set
    after: set
    waiting: list
    same_processes: bool = False
    threads: int = 0
    outside: int = 0  # threads that may run on other cores although Slurm shows these

    @property
    def is_fold(self):
        return len(self.after) < len(self.before)


@dataclass
class Telling:
    scheduler: str
    jobs: dict = field(default_factory=dict)  # name → Told
    samples: list = field(default_factory=list)
    resizes: list = field(default_factory=list)

    def fold(self, name):
        """The first one of the job, or None."""
        return next((resize for resize in self.resizes if resize.name == name and resize.is_fold), None)

    def unfold(self, name):
        """The last one, or None."""
        return next((resize for resize in reversed(self.resizes) if resize.name == name and not resize.is_fold), None)


class Teller:
    def __init__(self, cluster, say):
        self._cluster = cluster
        self._say = say
        self._began = time.monotonic()
        self._tasks = {}  # name → rank → process id
        self.telling = Telling(cluster.scheduler)

    def tell(self, cast):
        """The story. Raises ClusterError if something in it does not happen."""
        jobs = {job.name: job for job in cast}
        self._submit(jobs[LEADER])
        self._until_computes(LEADER)
        self._submit(jobs[HEAD])
        self._submit(jobs[BACKFILLED])
        self._until_computes(LEADER, BACKFILLED)
        self._submit(jobs[LAST])
        self._until(f"{HEAD} and {LAST} wait", lambda sample: {HEAD, LAST} <= set(sample.waiting))
        self._let_end(LEADER)
        self._until(f"{BACKFILLED} is folded", lambda _: self.telling.fold(BACKFILLED))
        self._until_computes(HEAD, BACKFILLED)
        self._let_end(HEAD)
        self._until(f"{BACKFILLED} unfolds", lambda _: self.telling.unfold(BACKFILLED))
        self._until_computes(BACKFILLED)
        self._let_end(BACKFILLED)
        self._until_all_have_ended()
        return self.telling

    def repeat(self, original):
        """The jobs of a story all at once, with as much work and as many processes, for comparison."""
        for told in original.jobs.values():
            self._submit(told.job, told.rounds or told.amount, told.processes)
        self._until_all_have_ended()
        return self.telling

    def _now(self):
        return time.monotonic() - self._began

    def _event(self, text):
        self._say(f"{self._now():6.1f} s  {text}")

    # What it does

    def _end_file(self, name):
        return self._cluster.directory / f"{name}.end"

    def _submit(self, job, amount=None, count=None):
        """`amount`: of its work, if it is not to compute until it is let end; `count`: of its processes, if Slurm is not
        to choose."""
        may_end = bool(amount or job.amount)
        amount = amount or job.amount or f"until:{self._end_file(job.name)}"
        job_id = self._cluster.submit(
            job.program.script(self._cluster.build, amount), f"--job-name={job.name}", f"--time={job.estimate}",
            f"--vm-class={job.kind}", f"--vm-procs={count or job.procs}", f"--vm-estimate={job.estimate}",
            *([f"--ntasks={count}"] if count else []), **ENVIRONMENT)
        self.telling.jobs[job.name] = Told(job, job_id, self._now(), amount, may_end=may_end)
        self._event(f"{job.name} submitted: {job.kind}, {job.procs} processes, {job.program.name}")

    def _rounds(self, name):
        """How many the job has done."""
        file = self._cluster.directory / f"{name}.end.rounds"
        return int(file.read_text() or 0) if file.exists() else 0

    def _let_end(self, name):
        told = self.telling.jobs[name]
        told.may_end = True
        self._end_file(name).touch()
        self._event(f"{name} is let end, after {self._rounds(name)} rounds")

    # What it waits for

    def _until(self, what, has_happened):
        """Looks until `has_happened(sample)`."""
        def seen():
            happened = has_happened(self._look())
            early = [name for name, told in self.telling.jobs.items() if told.ended and not told.may_end]
            if early and not happened:
                raise ClusterError(f"{', '.join(early)} ended without being let, while waiting until {what}\n{self._outputs()}"
                                   f"{self._cluster.log_tails()}")
            return happened

        self._cluster.wait_until(seen, f"this: {what}")

    def _outputs(self):
        return "".join(f"{told.job.name} ({told.state}) printed: {self._cluster.output(told.id)}\n"
                       for told in self.telling.jobs.values())

    def _until_computes(self, *names):
        """Until each has started, and done some rounds since now."""
        self._until(f"{' and '.join(names)} compute", lambda sample: set(names) <= sample.cores.keys())
        before = {name: self._rounds(name) for name in names}
        self._until(f"{' and '.join(names)} compute for {ROUNDS} rounds",
                    lambda _: all(self._rounds(name) >= before[name] + ROUNDS for name in names))
        for name in names:
            cores = len(self.telling.samples[-1].cores[name])
            self._event(f"{name} has done {self._rounds(name) - before[name]} rounds on {cores} cores")

    def _until_all_have_ended(self):
        self._until("all have ended", lambda _: all(told.ended for told in self.telling.jobs.values()))

    # What it sees

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
        wrong = invariants.violations(self._cluster)
        self.telling.samples.append(Sample(now, cores, waiting, wrong))
        for sentence in wrong:
            self._event(f"WRONG: {sentence}")
        return self.telling.samples[-1]

    def _follow(self, name, told, job, now):
        """Notes that a job has started or ended."""
        told.state = job.state
        if told.started is None and job.state != "PENDING":
            told.started = now
            told.processes = job.tasks
            self._event(f"{name} starts: {job.tasks} processes on {job.core_count} cores")
        if told.ended is None and job.state not in _UNFINISHED:
            told.ended = now
            told.result = told.job.program.result(self._cluster.output(told.id))
            told.rounds = self._rounds(name) or None
            self._event(f"{name} ends: {job.state}, {told.result or 'NO RESULT'}")

    def _resized(self, name, before, after, waiting):
        told = self.telling.jobs[name]
        resize = Resize(self._now(), name, before, after, waiting)
        resize.threads, resize.outside = self._threads(told.id, len(after))
        resize.same_processes = self._cluster.tasks(told.id) == self._tasks.get(name)
        verb = "folded" if resize.is_fold else "unfolded"
        self._event(f"{name} is {verb}: {told.processes} processes on {len(after)} instead of {len(before)} cores")
        self.telling.resizes.append(resize)

    def _threads(self, job_id, core_count):
        """(number of the job's threads, how many of them may run outside of its allotment of so many cores)."""
        node = self._cluster.nodes[0].name
        block = control_block.read(self._cluster.root / "run" / node / str(job_id) / "control")
        threads = [cpus for pid in self._cluster.tasks(job_id).values() for cpus in processes.thread_cpus(pid).values()]
        inside = set(block.cpus) if block.core_count == core_count else set()
        return len(threads), sum(not cpus <= inside for cpus in threads)
