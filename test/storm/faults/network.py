# SPDX-License-Identifier: GPL-2.0-or-later
"""What becomes of messages between slurmctld and the agent of a node."""

from .choice import node


def _wire(storm, how):
    if storm.wires is None:
        return
    name = node(storm)
    yield {f"slurmd {name}"}
    with storm.wires.bad(name, how):
        yield storm.rng.uniform(1, 12)


def late_messages(storm):
    yield from _wire(storm, "late")


def lost_messages(storm):
    yield from _wire(storm, "lost")


def lost_answers(storm):
    yield from _wire(storm, "answers lost")


def cut_messages(storm):
    yield from _wire(storm, "cut")
