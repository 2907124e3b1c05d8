# SPDX-License-Identifier: GPL-2.0-or-later
"""One seed: a cluster, its stream of jobs and its stream of faults, until the queue is empty again."""

import heapq
import itertools
import os
import random
import signal
import subprocess
import threading
import time
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import asdict, dataclass

from vmcluster import ClusterError, SlurmError, processes
from vmcluster.waiting import LIMIT

from . import faults, jobs, machine, verdict
from .cluster import StormCluster
from .oracle import NODE_RULES, Judge, Look, frozen, frozen_by_agents
from .records import Records

_LOOK = 0.1  # seconds from one look to the next
_GUST = 20  # faults, after which there is
_CALM = 13  # seconds without any: what is wrong then has no excuse
_GRACE = 4  # seconds for which a fault explains things after it is over
_DEATHS = 10  # after which a seed ends
SAVED_WITHIN = 10  # seconds, by slurmctld
_DROWNED = {"vmall": 30, "stock": 30, "node": 12}  # jobs that wait or run at most; with mode=node most of them run
ACTIVE = ("PENDING", "CONFIGURING", "RUNNING", "SUSPENDED", "COMPLETING", "REQUEUED", "REQUEUE_FED", "REQUEUE_HOLD", "STOPPED")


@dataclass(frozen=True)
class Finding:
    fault: int  # so many had struck
    second: float  # of this seed
    rule: str
    what: str


class Storm:
    """What faults work with: `cluster`, `records`, `rng`. `orphans`: jobs one of whose slurmstepds was killed."""

    def __init__(self, build, seed, fault_kinds, scheduler="vmall"):
        self.seed = seed
        self.rng = random.Random(seed)
        self.scheduler = scheduler
        self.stock = scheduler == "stock"
        self.cluster = StormCluster(build, seed, scheduler, backup="takeover" in fault_kinds, own_clock="jump_clock" in fault_kinds)
        self._fault_kinds = fault_kinds
        self.records = Records(self.cluster)
        self.machine = machine.Machine(self.cluster.conf)
        self.judge = Judge(os.cpu_count(), NODE_RULES if scheduler == "node" else None)
        self.submissions = []
        self.orphans = set()
        self.forgotten = []  # (since, until): what slurmctld has lost
        self.vmctl = build.vmctl
        self.overflowed = frozenset()
        self._unattached = frozenset()
        self.struck = {}  # fault → how often
        self.findings = []
        self.kernels = build.kernels
        self._unsaved = 0, 0
        self._told = []
        self._clients = []
        self._hit = {}  # what faults hit → until when, if that is known
        self._running = []  # faults: (when it goes on, number, what it hits, generator)
        self._submitted = threading.Event()  # what is to be
        self._watched = threading.Event()
        self._look = Look(0)
        self._began = time.monotonic()

    # For faults

    def tell(self, *command):
        """A command that nobody waits for."""
        self._told.append(self._start(command))

    def stepds(self):
        """Process id → job of the step managers."""
        found = {}
        for pid in self.cluster.processes():
            words = processes.command(pid).split()
            if len(words) > 1 and words[0] == "slurmstepd:":
                job = words[1].strip("[]").split(".")[0]
                if job.isdigit():
                    found[pid] = int(job)
        return found

    def tasks(self):
        """Process id → job of all else that lives of jobs."""
        return {process.pid: process.job for process in self._look.processes}

    @property
    def wires(self):
        return self.cluster.wires

    def agent_port(self, node):
        return self.cluster.agent_port(node)

    def forgot(self):
        """slurmctld is killed, with what it has not saved."""
        now = time.time()
        since, until_ = self._unsaved
        self.forgotten.append((min(since, now - SAVED_WITHIN) if now < until_ + SAVED_WITHIN else now - SAVED_WITHIN, now))

    @contextmanager
    def nothing_saved(self):
        since = time.time()
        self._unsaved = since, float("inf")
        yield
        self._unsaved = since, time.time()

    # The course of it

    def run(self, count, pace, job_kinds):
        """With `count` faults, `pace` seconds apart."""
        try:
            self.cluster.start()
            jobs.give_hostile_program(self.cluster)
            self._began = time.monotonic()
            baseline = self.loads()
            with self.records, self._in_a_thread(self._watch, self._watched):
                with self._in_a_thread(self._submit, self._submitted, job_kinds):
                    self._rage(count, pace)
                self._drain()
                verdict.judge(self, baseline)
        finally:
            self._end_clients()
            self._stop()

    @staticmethod
    @contextmanager
    def _in_a_thread(function, ends, *arguments):
        thread = threading.Thread(target=function, args=arguments)
        thread.start()
        try:
            yield
        finally:
            ends.set()
            thread.join()

    def find(self, rule, what):
        finding = Finding(sum(self.struck.values()), round(time.monotonic() - self._began, 1), rule, what)
        self.findings.append(finding)
        print(f"seed {self.seed}: FINDING {asdict(finding)}", flush=True)

    def _rage(self, count, pace):
        due = time.monotonic() + 8  # until there are jobs
        struck = 0
        while struck < count:
            self._go_on(due)
            rng = random.Random(f"{self.seed} {struck}")
            due = time.monotonic() + rng.uniform(0.5, 1.5) * pace
            if self._strike(rng):
                struck += 1
                if struck % _GUST == 0:
                    due += _CALM
                    print(f"seed {self.seed}: {struck} faults, {len(self.records.last())} jobs, {len(self.findings)} findings", flush=True)
        while self._running:
            self._go_on(time.monotonic() + 0.2)

    def _strike(self, rng):
        """Tries kinds until one has somebody to hit whom no other fault is hitting."""
        for name in rng.sample(self._fault_kinds, len(self._fault_kinds)):
            self.rng = rng
            fault = faults.FAULTS[name](self)
            hits = next(fault, None)
            if hits and not any(hits & other for _, _, other, _ in self._running):
                self.struck[name] = self.struck.get(name, 0) + 1
                self._note(f"fault {sum(self.struck.values())}: {name} {', '.join(sorted(hits))}")
                self._continue(fault, hits)
                return True
            fault.close()
        return False

    _numbers = itertools.count()

    def _continue(self, fault, hits):
        self._hit.update(dict.fromkeys(hits, float("inf")))
        wait = next(fault, None)
        if wait is None:
            self._hit.update(dict.fromkeys(hits, time.monotonic() + _GRACE))
        else:
            heapq.heappush(self._running, (time.monotonic() + wait, next(self._numbers), hits, fault))

    def _go_on(self, due):
        while (now := time.monotonic()) < due:
            while self._running and self._running[0][0] <= now:
                _, _, hits, fault = heapq.heappop(self._running)
                self._continue(fault, hits)
            self._look_after()
            time.sleep(0.05)

    def _look_after(self):
        """Daemons that crashed, and what killed step managers have left."""
        for daemon in self.cluster.daemons:
            if crash := daemon.crashed():
                if reason := verdict.known_death(daemon.log.read_text(errors="replace") if daemon.log.exists() else ""):
                    self._note(f"{crash}: {reason}")
                else:
                    self.find("a daemon died", f"{crash}\n{daemon.tail(8)}")
                    if sum(finding.rule == "a daemon died" for finding in self.findings) > _DEATHS:
                        raise ClusterError(f"daemons die again and again, {crash}")
                if daemon is self.cluster.slurmctld:
                    self.forgot()
                daemon.start()
        look = self._look
        for process in look.processes if look.records is not None and self.orphans else ():
            job = look.records.get(process.job)
            if process.job in self.orphans and (not job or job.state not in ACTIVE or process.run != int(job.fields["Restarts"])
                                                or job.fields["JobName"] != process.name):
                with suppress(ProcessLookupError):
                    os.kill(process.pid, signal.SIGKILL)

    def _note(self, line):
        with open(self.cluster.root / "log/storm.txt", "a", encoding="utf-8") as log:
            log.write(f"[{time.strftime('%FT%T')}] {line}\n")

    # Threads

    def _watch(self):
        with ExitStack() as stack:
            logs = [stack.enter_context(open(file, encoding="utf-8", errors="replace")) for file in self.cluster.controller_logs]
            node_logs = [stack.enter_context(open(daemon.log, encoding="utf-8", errors="replace"))
                         for daemon in self.cluster.slurmd.values()]
            while not self._watched.wait(_LOOK):
                for log in logs:
                    self.overflowed |= verdict.overflowed("".join(log))  # what is new since the last look
                for log in node_logs:
                    self._unattached |= verdict.unattached("".join(log))
                now = time.monotonic()
                hit = frozenset(name for name, until_ in list(self._hit.items()) if now < until_)
                self._look = Look(now, self.records.now(), tuple(self.machine.processes()),
                                  machine.agent_states(self.cluster.root), hit, self.overflowed,
                                  machine.told(self.cluster.root), self._unattached, self.cluster.cpusets)
                for suspicion in self.judge.see(self._look):
                    self.find(suspicion.rule, suspicion.what)

    def _submit(self, kinds):
        for number in itertools.count():
            rng = random.Random(f"{self.seed} job {number}")
            active = [job for job in self.records.last().values() if job.state in ACTIVE]
            if self._submitted.wait(rng.uniform(0.1, 0.7) if len(active) < _DROWNED[self.scheduler] else 2):
                return
            if len(active) >= _DROWNED[self.scheduler]:
                continue
            submission = jobs.KINDS[rng.choice(kinds)](jobs.Storms(rng, self.kernels, self.scheduler, number))
            self._hand_in(submission)
            for held in self.submissions:
                if held.released_after and held.id and time.time() > held.ended + held.released_after:
                    held.released_after = 0
                    self.tell("scontrol", "release", held.id)

    def _hand_in(self, submission):
        submission.began = time.time()
        self.submissions.append(submission)
        if not submission.script:
            self._clients.append(self._start(submission.command))
            submission.ended = time.time()
            return
        try:
            out = self.cluster.run(*submission.command, jobs.write_script(self.cluster, submission), timeout=LIMIT).stdout
            submission.id = int(out.split(";")[0])
        except (SlurmError, subprocess.TimeoutExpired) as error:
            self._note(f"{submission.name}: {error}")
        submission.ended = time.time()

    def _start(self, command):
        with open(self.cluster.root / "log/commands.txt", "ab") as log:
            return subprocess.Popen([str(word) for word in command], env=self.cluster.environment, cwd=self.cluster.directory,
                                    stdin=subprocess.DEVNULL, stdout=log, stderr=log)

    # The end

    def active(self):
        return [job for job in self.cluster.jobs().values() if job.state in ACTIVE]

    def _drain(self):
        """Until the queue is empty: what keeps it from that is a finding."""
        self.judge.add(frozen_by_agents if self.scheduler == "node" else frozen, 25)
        with suppress(SlurmError):
            self.cluster.run("scontrol", "reconfigure", check=False)
        steps = [(0, self._release), (30, self._cancel_hit), (45, self._right_clock), (60, self._register), (120, self._cancel_known)]
        began = changed = time.monotonic()
        left = None
        while time.monotonic() < changed + LIMIT:
            while steps and time.monotonic() > began + steps[0][0]:
                steps.pop(0)[1]()
            self._look_after()
            with suppress(SlurmError, subprocess.TimeoutExpired):
                before, left = left, self.active()
                if not left:
                    break
                if before is None or len(before) != len(left):
                    changed = time.monotonic()
            time.sleep(1)
        for job in left or []:
            self.find("does not end", f"job {job.id} {job.fields['JobName']}: {job.state} {job.reason}, {job.cores}")
        self._note(f"drained in {time.monotonic() - began:.0f} s")

    def _release(self):
        """Slurm itself drains nodes whose steps belong to a job that it has forgotten to have started."""
        for node in self.cluster.slurmd:
            self.tell("scontrol", "update", f"NodeName={node}", "State=RESUME")
        for job in self.active():
            if "held" in job.reason.lower():
                self.tell("scontrol", "release", job.id)
            if job.state == "SUSPENDED":
                self.tell("scontrol", "resume", job.id)
            if job.reason == "BeginTime" and self.cluster.clock:  # of a clock that has jumped back
                self.tell("scontrol", "update", f"JobId={job.id}", "StartTime=now")

    def _right_clock(self):
        if self.cluster.clock:
            self.cluster.clock.jump(0)

    def _cancel_hit(self):
        """Slurm does not know that tasks of these are gone."""
        self._release()
        for job in self.active():
            if job.id in self.orphans:  # by name: Slurm does not take the number of an array's last task for a job
                self.tell("scancel", f"--name={job.fields['JobName']}")

    def _register(self):
        """A slurmctld that was killed before it saved that a script has ended looks for it when its node registers. Jobs whose
        launch failed are held by Slurm."""
        self._release()
        for daemon in self.cluster.slurmd.values():
            daemon.stop()
            daemon.start()

    def _cancel_known(self):
        self._release()
        for job in self.active():
            missed = self.cluster.clock is not None and job.id not in self.tasks().values()
            if reason := verdict.waits_for_ever(job, missed):
                self._note(f"job {job.id}: {reason}")
                self.tell("scancel", f"--name={job.fields['JobName']}")

    def loads(self):
        return {daemon.name: machine.load(daemon.pid) for daemon in self.cluster.daemons if daemon.running()}

    def _end_clients(self):
        for client in [*self._clients, *self._told]:
            if client.poll() is None:
                client.kill()
            client.wait(LIMIT)

    def _stop(self):
        try:
            self.cluster.stop()
        except (ClusterError, SlurmError) as error:
            self.find("left over", str(error)[:2000])
