# SPDX-License-Identifier: GPL-2.0-or-later
"""Daemons that are killed, ended or stopped, and come back."""

import signal
import time

from vmcluster.controllers import IN_CHARGE, STANDBY, times

from .choice import node


def _restarted(storm, daemon, end):
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
    name = node(storm)
    yield {f"slurmd {name}"}
    yield from _restarted(storm, storm.cluster.slurmd[name], _killed)


def end_slurmd(storm):
    name = node(storm)
    yield {f"slurmd {name}"}
    yield from _restarted(storm, storm.cluster.slurmd[name], _told_to_end)


def stop_slurmd(storm):
    name = node(storm)
    yield {f"slurmd {name}"}
    yield from _stopped(storm, storm.cluster.slurmd[name], storm.rng.uniform(1, 12))


def _some_munged(storm):
    return storm.rng.choice([storm.cluster.munged, *storm.cluster.node_munged.values()])


def kill_munged(storm):
    yield {"munged"}
    yield from _restarted(storm, _some_munged(storm), _killed)


def stop_munged(storm):
    yield {"munged"}
    yield from _stopped(storm, _some_munged(storm), storm.rng.uniform(1, 4))


def _says(controller, line, action):
    """Does it, and waits until the controller has said once more what shows that it is done."""
    before = times(controller, line)
    action()
    while controller.running() and times(controller, line) == before:
        yield 0.2


def takeover(storm):
    """The backup takes over from a primary that is killed or told to let it, and gives back or is killed itself."""
    controllers = storm.cluster.controllers
    if controllers is None:
        return
    primary, backup = controllers.primary, controllers.backup
    yield {"slurmctld"}
    if storm.rng.random() < 0.7:
        storm.forgot()
        primary.kill()
    primary.let_end()  # the backup tells it to
    yield from _says(backup, IN_CHARGE, lambda: storm.tell("scontrol", "takeover"))
    yield storm.rng.uniform(1, 12)
    if primary.running():
        primary.kill()
    if storm.rng.random() < 0.5:
        storm.forgot()
        backup.kill()
    yield from _says(primary, IN_CHARGE, primary.start)
    # Also of one that has given back: Slurm 22.05 can do so once only.
    if backup.running():
        backup.kill()
    yield from _says(backup, STANDBY, backup.start)
