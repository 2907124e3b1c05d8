# SPDX-License-Identifier: GPL-2.0-or-later
"""Judges what was seen of a cluster: pure functions of looks, and a judge that knows for how long something has been
wrong. Nothing here knows how slurm-vmall works, but that an agent says where it keeps a job."""

from dataclasses import dataclass, field

from .jobs import UNBINDING

# Folds and starts are not atomic to somebody outside: what lasts no longer is not wrong. Seconds without a fault that explains it.
BOUND = 6


@dataclass(frozen=True)
class Look:
    """At one time. `records`: Slurm's jobs by id, None while slurmctld does not say. `states`: of the agents, (node, job) →
    cores. `disturbed`: what a fault is hitting, or has hit just now: "slurmctld", "munged", "slurmd NODE", "job ID". `overflowed`: jobs of which
    slurmctld says "job overflow": stock Slurm, too, gives a job that is resumed cores that others have got meanwhile, and has
    then lost count of these, which gives them to a third one after a restart."""

    time: float
    records: dict = None
    processes: tuple = ()
    states: dict = field(default_factory=dict)
    disturbed: frozenset = frozenset()
    overflowed: frozenset = frozenset()
    told: dict = field(default_factory=dict)  # what the control blocks say: (node, job) → CPUs
    unattached: frozenset = frozenset()  # jobs with a step that could not register with its agent
    cpusets: bool = False  # the kernel keeps processes there; else one may go where it likes


@dataclass(frozen=True)
class Suspicion:
    rule: str
    what: str  # without what changes while it lasts
    excuses: frozenset = frozenset()  # faults that explain it


def is_malleable(job):
    return job.fields["JobName"].startswith("vm-")


def _is_bound(look, job):
    """Whether something keeps its processes where they are put: some move themselves, and nobody binds a step without an agent."""
    return job.id not in look.unattached and (look.cpusets or not job.fields["JobName"].startswith(UNBINDING))


def _owners(look):
    """(node, core) → the jobs that Slurm has there."""
    owners = {}
    for job in look.records.values():
        if job.holds_cores and job.id not in look.overflowed:
            for node, cores in job.cores.items():
                for core in cores:
                    owners.setdefault((node, core), set()).add(job.id)
    return owners


def allotted_twice(look, cpus):
    """Slurm's own records, which are of one moment."""
    del cpus
    for (node, core), jobs in _owners(look).items():
        if len(jobs) > 1:
            yield Suspicion("a core allotted twice", f"core {core} of {node} to jobs {sorted(jobs)}")


# A slurmctld that was killed before it saved does not know who got the cores of whom. Nothing else explains that a job is on
# cores of others: a node that does not answer keeps its jobs their cores.
_FORGOTTEN = frozenset({"slurmctld"})


def _of_this_run(look):
    """(process, its job's record) of the virtually malleable jobs that run, as long as Slurm knows of no later run."""
    for process in look.processes:
        job = look.records.get(process.job)
        if (job and job.state == "RUNNING" and job.id not in look.overflowed and is_malleable(job) and process.name == job.fields["JobName"]
                and process.run == int(job.fields["Restarts"]) and process.node in job.cores):
            yield process, job


def on_cores_of_others(look, cpus):
    """By the cores where the agent keeps a job of which something lives."""
    del cpus
    owners = _owners(look)
    for node, job in sorted({(process.node, process.job) for process, _ in _of_this_run(look)}):
        for core in look.states.get((node, job), ()):
            others = owners.get((node, core), set()) - {job}
            if others:
                yield Suspicion("on cores of others", f"job {job} on {node}, of {sorted(others)}", _FORGOTTEN)


def on_cpus_of_others(look, cpus):
    """By the CPUs where the kernel lets its processes run. A step that could not register with its agent is bound by nobody."""
    for process, job in _of_this_run(look):
        if (process.node, job.id) not in look.states or not _is_bound(look, job):
            continue
        outside = process.cpus - {core % cpus for core in job.cores[process.node]}
        others = {other.id for other in look.records.values() if other.id != job.id and other.holds_cores and other.id not in look.overflowed
                  for core in other.cores.get(process.node, ()) if core % cpus in outside}
        if others:
            yield Suspicion("on CPUs of others", f"job {job.id} on {process.node}", _FORGOTTEN)


def not_where_the_agent_says(look, cpus):
    for process, job in _of_this_run(look):
        said = look.states.get((process.node, job.id))
        if said and _is_bound(look, job) and process.cpus - {core % cpus for core in said}:
            yield Suspicion("not where the agent says", f"job {job.id} on {process.node}", frozenset({f"slurmd {process.node}"}))


def not_told(look, cpus):
    """Ranks follow the control block: what the agent keeps there and in its state is the same, but for a moment."""
    for place in sorted({(process.node, process.job) for process, _ in _of_this_run(look)} & look.told.keys() & look.states.keys()):
        if look.told[place] != {core % cpus for core in look.states[place]}:
            yield Suspicion("ranks are told something else", f"job {place[1]} on {place[0]}", frozenset({f"slurmd {place[0]}"}))


def outside_what_slurm_gave(look, cpus):
    """Of an agent that deals its node's cores itself (mode=node)."""
    del cpus
    for node, job in sorted({(process.node, process.job) for process, _ in _of_this_run(look)}):
        if look.states.get((node, job), frozenset()) - look.records[job].cores[node]:
            yield Suspicion("on cores that Slurm did not give it", f"job {job} on {node}", frozenset({f"slurmd {node}", *_FORGOTTEN}))


RULES = {allotted_twice: 1, on_cores_of_others: BOUND, on_cpus_of_others: BOUND, not_where_the_agent_says: BOUND, not_told: BOUND}


# With mode=node Slurm itself gives cores to several jobs.
NODE_RULES = {outside_what_slurm_gave: BOUND, not_where_the_agent_says: BOUND, not_told: BOUND}


def frozen_by_agents(look, cpus):
    """With mode=node: a job that has no core in common with another one, and is folded all the same."""
    del cpus
    owners = _owners(look)
    for process, job in _of_this_run(look):
        alone = all(owners[node, core] == {job.id} for node, cores in job.cores.items() for core in cores)
        if alone and look.states.get((process.node, job.id), job.cores[process.node]) < job.cores[process.node]:
            yield Suspicion("frozen folded", f"job {job.id}",
                            frozenset({"munged", f"job {job.id}", *(f"slurmd {node}" for node in job.cores)}))


def frozen(look, cpus):
    """When no job waits any more: folded beside cores that nobody has. Of a job that is alone on its nodes."""
    del cpus
    if any(job.state == "PENDING" for job in look.records.values()):
        return
    owners = _owners(look)
    for job in look.records.values():
        alone = all(jobs == {job.id} for (node, _), jobs in owners.items() if node in job.cores)
        if job.state == "RUNNING" and is_malleable(job) and job.tasks > job.core_count and alone:
            yield Suspicion("frozen folded", f"job {job.id}",
                            frozenset({"slurmctld", "munged", f"job {job.id}", *(f"slurmd {node}" for node in job.cores)}))


class Judge:
    """Adds up for how long each suspicion has lasted while no fault explains it; `cpus`: real ones of the machine."""

    def __init__(self, cpus, rules=None):
        self._cpus = cpus
        self._rules = dict(rules or RULES)
        self._lasted = {}  # suspicion → seconds
        self._before = None
        self._found = set()

    def add(self, rule, bound):
        self._rules[rule] = bound

    def see(self, look):
        """What has lasted too long for the first time, as suspicions."""
        if look.records is None:
            self._before = None
            return []
        # After a pause nobody knows what was in between.
        passed = min(look.time - self._before, 0.5) if self._before is not None else 0
        self._before = look.time
        bounds = {suspicion: bound for rule, bound in self._rules.items() for suspicion in rule(look, self._cpus)}
        self._lasted = {suspicion: self._lasted.get(suspicion, 0) + (0 if suspicion.excuses & look.disturbed else passed)
                        for suspicion in bounds}
        late = {suspicion for suspicion, seconds in self._lasted.items() if seconds > bounds[suspicion]} - self._found
        self._found |= late
        return sorted(late, key=str)
