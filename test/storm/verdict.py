# SPDX-License-Identifier: GPL-2.0-or-later
"""What must be true when the storm is over: every job has ended in a known way and computed what it should, daemons are as
small as before, and no plugin of ours has met what it did not expect."""

import re
import subprocess
import time
from collections import Counter

from vmcluster.ports import listening
from vmcluster.waiting import LIMIT, until

from .jobs import HOSTILE, UNBINDING

# What ours may say while daemons are killed, stopped and restarted: (pattern, why).
EXPECTED_ERRORS = [
    (r"not attached to the agent of node|does not look after this step's cpusets: ", "slurmd was away for longer than a step waits"),
    (r"the node agent gives up a connection: ", "a neighbour says nothing, or munged was stopped"),
    (r"the node agent cannot look for jobs that have ended: ", "slurmctld was away"),
    (r"its time limit may be too short for what it loses by sharing: ", "slurmctld was away"),
    (r"the node agent keeps trying: ", "a slurmd that was killed still has the port or the lock"),
    (r"No space left on device|Too many open files|Resource temporarily unavailable", "what a fault has taken away"),
    (r"are damaged: state: No such file", "a step could not register on a full disk"),
]

# Why Slurm's daemons end themselves: (pattern, why).
_DEATHS = [
    (r"fatal: .*pthread_create", "Slurm ends a daemon that cannot make a thread"),
    (r"fatal: .*Unable to load job batch script", "slurmctld ends if it cannot open a job's script"),
]

_OURS = re.compile(r"sched/fjt|select/cons_tres_vmall|virtual malleability|node agent|spank_vm|: job \d+: ")
_ERROR = re.compile(r"\b(error|fatal): ")
_MORE = 20, 15  # descriptors and threads that a daemon may have more than at its start
ENDED = ("COMPLETED", "FAILED", "CANCELLED", "TIMEOUT", "NODE_FAIL", "OUT_OF_MEMORY", "PREEMPTED", "BOOT_FAIL", "DEADLINE", "REVOKED")


def known_death(log):
    """Of a daemon that has ended; `log`: all of it, for one without descriptors goes on complaining after it has said why."""
    life = re.split(r"slurm\w+ version ", log)[-1]
    return next((reason for pattern, reason in _DEATHS if re.search(pattern, life)), "")


def waits_for_ever(job, missed=False):
    """Why stock Slurm, too, would never end this job; empty if it would. `missed`: nothing lives of it, and the clock has jumped."""
    if missed and job.state == "RUNNING":
        return "slurmctld looks for what a node has lost among jobs that it last saw in the past, and the clock has jumped back"
    if job.fields["JobName"].startswith("het"):
        return "a component of a heterogeneous job that was requeued or cancelled waits for ever"
    if job.fields["JobName"].startswith("vm-mpi"):
        return "Hydra waits for an srun that could not start"
    if job.fields["JobName"].startswith("vm-steps"):
        return "slurmctld was killed before it saved that a step had ended, and the next one waits for its cores"
    if job.fields["JobName"].startswith(("vm-salloc", "srun")):
        return "slurmctld was killed before it saved that the allocation had ended, and nobody is there to end it again"
    return ""


def is_lost(submission, records, forgotten):
    """Whether a job that Slurm took is not known any more, though it had been saved."""
    if not submission.id or any(job.fields["JobName"] == submission.name for job in records.values()):
        return False
    return not any(submission.began < end and submission.ended > since for since, end in forgotten)


def _leaves_itself(line, unbinding):
    """Whether this says that a job of these leaves its cores, which nothing prevents without cpusets."""
    found = re.search(r": job (\d+): .*threads of the job keep leaving its allotment", line)
    return found is not None and int(found[1]) in unbinding


def unexpected(lines, unbinding=frozenset()):
    return [line for line in lines if _ERROR.search(line) and _OURS.search(line) and not _leaves_itself(line, unbinding)
            and not any(re.search(pattern, line) for pattern, _ in EXPECTED_ERRORS)]


# Why nodes refuse targets where nobody is hostile: (pattern, faults that explain it).
_AWAY = {"kill_slurmd", "end_slurmd", "stop_slurmd", "kill_munged", "stop_munged", "slurmd_without_descriptors", "slurmd_without_threads"}
_FULL = {"full_runtime", "full_spool", "slurmd_without_descriptors"}
_REFUSALS = [
    (r"runs here unattached", _AWAY | _FULL | {"kill_slurmstepd", "stop_slurmstepd"}),
    (r"a slurmstepd of the job was killed here", {"kill_slurmstepd"}),
    (r"No space left on device|are damaged: ", _FULL),
    (r"Too many open files|Resource temporarily unavailable", {"slurmd_without_descriptors", "slurmd_without_threads"}),
]


def refusals(lines, hostile, struck):
    """Reasons for which nodes refused targets of jobs that are nobody's attack, unless a fault that struck explains it."""
    found = re.findall(r"\bjob (\d+): target of generation \d+ refused: (.*)", "\n".join(lines))
    return [reason for job, reason in found if int(job) not in hostile
            and not any(re.search(pattern, reason) and explains & struck for pattern, explains in _REFUSALS)]


def written(output):
    """What a hostile job could write that is not its own."""
    return sorted(set(re.findall("^wrote (.*)", output, re.MULTILINE)))


def overflowed(log):
    """Jobs of which slurmctld has lost count."""
    return {int(number or component) for component, number in re.findall(r"job overflow: .* JobId=(\d+)(?:[_+]\d+\((\d+)\))?", log)}


def unattached(log):
    """Jobs of which slurmstepd says that a step could not register."""
    return {int(job) for job in re.findall(r"\[(\d+)\.\w+\] error: virtual malleability: not attached", log)}


def checksum(output):
    """(ranks, checksum) of the last program that ended."""
    found = re.findall(r" ranks=(\d+) checksum= *(\S+)", output)
    return (int(found[-1][0]), found[-1][1]) if found else None


class References:
    """What programs compute outside of Slurm."""

    def __init__(self, environment, kernels):
        self._environment = environment
        self._kernels = kernels
        self._known = {}

    def of(self, program, ranks):
        if (program, ranks) not in self._known:
            name, arguments = program
            done = subprocess.run(["mpiexec.mpich", "-n", str(ranks), self._kernels / name, *arguments.split()], env=self._environment,
                                  stdin=subprocess.DEVNULL, capture_output=True, text=True, check=True, timeout=LIMIT)
            self._known[program, ranks] = checksum(done.stdout)
        return self._known[program, ranks]


def _missing_agents(cluster):
    return [name for name in cluster.slurmd if cluster.agent_port(name) not in listening()]


def judge(storm, baseline):
    cluster = storm.cluster
    if not storm.stock and not until(lambda: not _missing_agents(cluster)):
        storm.find("no agent", f"on {_missing_agents(cluster)}")
    records = cluster.jobs()
    references = References(cluster.environment, storm.kernels)
    by_name = {job.fields["JobName"]: job for job in records.values()}
    for submission in storm.submissions:
        if is_lost(submission, records, storm.forgotten):
            storm.find("lost", f"job {submission.id} {submission.name}, submitted {time.strftime('%T', time.localtime(submission.ended))}")
        job = by_name.get(submission.name)
        if job and submission.name.startswith(HOSTILE) and (files := written(cluster.output(job.id))):
            storm.find("a user wrote", f"job {job.id} {submission.name}: {files}")
        if submission.program and job and job.state == "COMPLETED":
            said = checksum(cluster.output(job.id))
            if not said or said != references.of(submission.program, said[0]):
                storm.find("wrong checksum", f"job {job.id} {submission.name} {submission.program}: {said}")
    for name, (descriptors, threads) in storm.loads().items():
        before = baseline[name]
        until(lambda name=name, before=before: grown(before, storm.loads()[name]) is None)
        if more := grown(before, storm.loads()[name]):
            storm.find("leak", f"{name}: {more}")
    if storm.overflowed and "suspend" not in storm.struck and storm.scheduler != "node":  # where nothing of ours is in slurmctld
        storm.find("job overflow", f"jobs {sorted(storm.overflowed)}")
    hostile, unbinding = ({number for number, name in storm.records.seen() if name.startswith(kind)} for kind in (HOSTILE, UNBINDING))
    refused = Counter(reason for name in cluster.slurmd for reason in refusals(
        (cluster.root / f"log/slurmd-{name}.log").read_text(errors="replace").splitlines(), hostile, storm.struck.keys()))
    for reason, times in refused.items():
        storm.find("folds refused", f"{times} times: {reason}")
    logged = Counter(re.sub(r"\d+", "N", f"{log.name}: {line.partition('] ')[2]}") for log in sorted((cluster.root / "log").glob("*.log"))
                     for line in unexpected(log.read_text(errors="replace").splitlines(), () if cluster.cpusets else unbinding))
    for line, times in logged.items():
        storm.find("an unexpected error", f"{times} times: {line}")


def grown(before, now):
    for what, was, has, more in zip(("descriptors", "threads"), before, now, _MORE):
        if has > was + more:
            return f"{was} {what} at the start, {has} in the end"
    return None
