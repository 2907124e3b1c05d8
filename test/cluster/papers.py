# SPDX-License-Identifier: GPL-2.0-or-later
"""Backfilling with malleability, as the papers tell it: for clusters with their policy (vmcluster.conf.PAPERS_POLICY)."""

from dataclasses import dataclass

from scenario import FOREVER, submit_vm, wait_cores, wait_tasks


@dataclass
class Story:
    """ICS'05 figure 1 on a node of eight cores: `head` waits for `first`, and `backfilled` was let in before it."""

    first: int
    head: int
    backfilled: int


def backfill(cluster, backfilled_script=FOREVER, head_script=FOREVER, options=(), where=(), head_procs="5-8", window="10:00",
             tasks=4):
    """Tells the story up to figure (c): all run that can. `options` go to the backfilled job, `where` to all; `tasks` is how
    many it starts at once."""
    first = submit_vm(cluster, "short", 4, window, options=where)
    # Cancelled while it is being launched, a job leaves error lines of Slurm's own.
    wait_tasks(cluster, first, cluster.wait_state(first, "RUNNING").tasks)
    head = submit_vm(cluster, "long", head_procs, "10:00", head_script, where)
    backfilled = submit_vm(cluster, "short", 4, "0:02", backfilled_script, [*where, *options])
    assert cluster.wait_state(backfilled, "RUNNING").tasks == 4
    if tasks:
        wait_tasks(cluster, backfilled, tasks)
    assert cluster.job(head).state == "PENDING"
    return Story(first, head, backfilled)


def end_first(cluster, story):
    """The end of what the head waits for is the end of the backfilled job's window."""
    cluster.run("scancel", story.first)
    cluster.wait_end(story.first)


def go_on(cluster, story):
    """Figure (d): the backfilled job has outstayed its window, and has one of its four cores left."""
    end_first(cluster, story)
    wait_cores(cluster, story.backfilled, 1)
    wait_tasks(cluster, story.head, cluster.wait_state(story.head, "RUNNING").tasks)


def fold(cluster, *arguments, **named):
    """The whole story; what it can be told of is what `backfill` takes."""
    story = backfill(cluster, *arguments, **named)
    go_on(cluster, story)
    return story
