# SPDX-License-Identifier: GPL-2.0-or-later
"""The jobs of the story, ICS'05 figure 1."""

from dataclasses import dataclass

from vmcluster.programs import Kernel, ScalapackLu

CORES = 8
LEADER, HEAD, BACKFILLED, LAST = "A", "B", "C", "D"


@dataclass(frozen=True)
class StoryJob:
    name: str
    kind: str  # short or long
    procs: str  # as --vm-procs takes it
    program: object
    estimate: str  # as --time takes it; nobody gets near: the story goes by events
    amount: int = None  # of the program's work; None: rounds, until it is let end


# The work between two messages is some milliseconds, so that jobs that share a real core all get on. C says that it is
# gone before A: it may start before B. D is as the distribution ships it, and ends by itself.
CAST = [
    StoryJob(LEADER, "short", "4", Kernel("imbalanced", "srun", before="1 1000"), "1:00:00"),
    StoryJob(HEAD, "long", "6-8", Kernel("cg", "mpiexec.mpich", before="600 2"), "2:00:00"),
    StoryJob(BACKFILLED, "short", "4", Kernel("stencil", "srun", before="2000 1"), "0:30:00"),
    StoryJob(LAST, "short", "4", ScalapackLu("mpiexec.mpich"), "1:00:00", amount=12),
]
