# SPDX-License-Identifier: GPL-2.0-or-later
"""The kinds of faults. Each is a generator: it yields what it hits (names as in oracle.Look), then does its harm, and yields
seconds to wait for as often as it likes; when it ends, the harm is undone as far as the fault itself does that. It ends
before it yields anything if there is nobody to hit."""

import os
import signal
import time
from contextlib import suppress


def _choice(rng, things):
    things = sorted(things)
    return rng.choice(things) if things else None


# Daemons

def _restarted(storm, daemon, end):
    started = time.monotonic()
    yield from end(daemon)
    yield storm.rng.choice([0, 0.3, 2])
    daemon.start()
    started = time.monotonic()
    if daemon is storm.cluster.slurmctld:
        while not storm.records.since(started) and daemon.running():
            yield 0.5
    else:
        yield 2


def _killed(daemon):
    daemon.kill()
    yield 0


def _told_to_end(daemon):
    daemon.tell_to_end()
    while daemon.running():
        yield 0.2


def _stopped(storm, daemon, seconds):
    daemon.signal(signal.SIGSTOP)
    yield seconds
    if daemon.running():
        daemon.signal(signal.SIGCONT)


def _node(storm):
    return _choice(storm.rng, storm.cluster.slurmd)


def kill_slurmctld(storm):
    yield {"slurmctld"}
    storm.forgot()
    yield from _restarted(storm, storm.cluster.slurmctld, _killed)


def end_slurmctld(storm):
    yield {"slurmctld"}
    yield from _restarted(storm, storm.cluster.slurmctld, _told_to_end)


def stop_slurmctld(storm):
    yield {"slurmctld"}
    yield from _stopped(storm, storm.cluster.slurmctld, storm.rng.uniform(1, 5))


def kill_slurmd(storm):
    node = _node(storm)
    yield {f"slurmd {node}"}
    yield from _restarted(storm, storm.cluster.slurmd[node], _killed)


def end_slurmd(storm):
    node = _node(storm)
    yield {f"slurmd {node}"}
    yield from _restarted(storm, storm.cluster.slurmd[node], _told_to_end)


def stop_slurmd(storm):
    node = _node(storm)
    yield {f"slurmd {node}"}
    yield from _stopped(storm, storm.cluster.slurmd[node], storm.rng.uniform(1, 8))


def kill_munged(storm):
    yield {"munged"}
    yield from _restarted(storm, storm.cluster.munged, _killed)


def stop_munged(storm):
    yield {"munged"}
    yield from _stopped(storm, storm.cluster.munged, storm.rng.uniform(1, 4))


# Processes of jobs

def _signalled(storm, pid, number, seconds=0.0):
    with suppress(ProcessLookupError):
        os.kill(pid, number)
    if number == signal.SIGSTOP:
        yield seconds
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGCONT)


def kill_slurmstepd(storm):
    found = storm.stepds()
    pid = _choice(storm.rng, found)
    if pid:
        yield {f"job {found[pid]}"}
        storm.orphans.add(found[pid])
        yield from _signalled(storm, pid, signal.SIGKILL)
        yield 2


def stop_slurmstepd(storm):
    found = storm.stepds()
    pid = _choice(storm.rng, found)
    if pid:
        yield {f"job {found[pid]}"}
        yield from _signalled(storm, pid, signal.SIGSTOP, storm.rng.uniform(1, 5))


def kill_task(storm):
    found = storm.tasks()
    pid = _choice(storm.rng, found)
    if pid:
        yield {f"job {found[pid]}"}
        yield from _signalled(storm, pid, signal.SIGKILL)


def stop_task(storm):
    found = storm.tasks()
    pid = _choice(storm.rng, found)
    if pid:
        yield {f"task {pid}"}  # the agent moves it all the same
        yield from _signalled(storm, pid, signal.SIGSTOP, storm.rng.uniform(1, 5))


# What users and operators do

def _job(storm, *states):
    return _choice(storm.rng, [job.id for job in storm.records.last().values() if job.state in states])


def _told(storm, job, *commands):
    if job:
        yield {f"job {job}"}
        for command in commands:
            storm.tell(*command)
            yield storm.rng.uniform(0, 4)


def scancel(storm):
    job = _job(storm, "RUNNING", "PENDING")
    yield from _told(storm, job, ["scancel", job])


def requeue(storm):
    job = _job(storm, "RUNNING")
    yield from _told(storm, job, ["scontrol", "requeue", job])


def suspend(storm):
    job = _job(storm, "RUNNING")
    yield from _told(storm, job, ["scontrol", "suspend", job], ["scontrol", "resume", job])


def hold(storm):
    job = _job(storm, "PENDING")
    yield from _told(storm, job, ["scontrol", "hold", job], ["scontrol", "release", job])


def limit(storm):
    job = _job(storm, "RUNNING", "PENDING")
    yield from _told(storm, job, ["scontrol", "update", f"JobId={job}", f"TimeLimit={storm.rng.randint(3, 40)}"])


def _node_told(storm, state, seconds):
    node = _node(storm)
    yield {f"slurmd {node}"}
    storm.tell("scontrol", "update", f"NodeName={node}", f"State={state}", "Reason=storm")
    yield seconds
    storm.tell("scontrol", "update", f"NodeName={node}", "State=RESUME")
    yield 1


def drain(storm):
    yield from _node_told(storm, "DRAIN", storm.rng.uniform(1, 8))


def down(storm):
    yield from _node_told(storm, "DOWN", storm.rng.uniform(0, 3))


def reconfigure(storm):
    yield {"slurmctld"}
    storm.tell("scontrol", "reconfigure")
    yield 1


FAULTS = {
    fault.__name__: fault for fault in (
        kill_slurmctld, end_slurmctld, stop_slurmctld, kill_slurmd, end_slurmd, stop_slurmd, kill_munged, stop_munged, kill_slurmstepd,
        stop_slurmstepd, kill_task, stop_task, scancel, requeue, suspend, hold, limit, drain, down, reconfigure)}
