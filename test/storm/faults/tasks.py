# SPDX-License-Identifier: GPL-2.0-or-later
"""Processes of jobs that are killed or stopped, and their step managers."""

import os
import signal
from contextlib import suppress

from .choice import one


def _signalled(storm, pid, number, seconds=0.0):
    with suppress(ProcessLookupError):
        os.kill(pid, number)
    if number == signal.SIGSTOP:
        yield seconds
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGCONT)


def kill_slurmstepd(storm):
    found = storm.stepds()
    pid = one(storm, found)
    if pid:
        yield {f"job {found[pid]}"}
        storm.orphans.add(found[pid])
        yield from _signalled(storm, pid, signal.SIGKILL)
        yield 2


def stop_slurmstepd(storm):
    found = storm.stepds()
    pid = one(storm, found)
    if pid:
        yield {f"job {found[pid]}"}
        yield from _signalled(storm, pid, signal.SIGSTOP, storm.rng.uniform(1, 5))


def kill_task(storm):
    found = storm.tasks()
    pid = one(storm, found)
    if pid:
        yield {f"job {found[pid]}"}
        yield from _signalled(storm, pid, signal.SIGKILL)


def stop_task(storm):
    found = storm.tasks()
    pid = one(storm, found)
    if pid:
        yield {f"task {pid}"}  # the agent moves it all the same
        yield from _signalled(storm, pid, signal.SIGSTOP, storm.rng.uniform(1, 5))
