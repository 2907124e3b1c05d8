# SPDX-License-Identifier: GPL-2.0-or-later
"""What users and operators do to jobs, nodes and settings."""

from .choice import job as job_in, node


def _told(storm, job, *commands):
    if job:
        yield {f"job {job}"}
        for command in commands:
            storm.tell(*command)
            yield storm.rng.uniform(0, 4)


def scancel(storm):
    job = job_in(storm, "RUNNING", "PENDING")
    yield from _told(storm, job, ["scancel", job])


def requeue(storm):
    job = job_in(storm, "RUNNING")
    yield from _told(storm, job, ["scontrol", "requeue", job])


def suspend(storm):
    job = job_in(storm, "RUNNING")
    yield from _told(storm, job, ["scontrol", "suspend", job], ["scontrol", "resume", job])


def hold(storm):
    job = job_in(storm, "PENDING")
    yield from _told(storm, job, ["scontrol", "hold", job], ["scontrol", "release", job])


def limit(storm):
    job = job_in(storm, "RUNNING", "PENDING")
    yield from _told(storm, job, ["scontrol", "update", f"JobId={job}", f"TimeLimit={storm.rng.randint(3, 40)}"])


def _node_told(storm, state, seconds):
    name = node(storm)
    yield {f"slurmd {name}"}
    storm.tell("scontrol", "update", f"NodeName={name}", f"State={state}", "Reason=storm")
    yield seconds
    storm.tell("scontrol", "update", f"NodeName={name}", "State=RESUME")
    yield 1


def drain(storm):
    yield from _node_told(storm, "DRAIN", storm.rng.uniform(1, 8))


def down(storm):
    yield from _node_told(storm, "DOWN", storm.rng.uniform(0, 3))


def reconfigure(storm):
    yield {"slurmctld"}
    storm.tell("scontrol", "reconfigure")
    yield 1


_FARTHEST = 7200  # seconds from the right time


def jump_clock(storm):
    """Of all of Slurm's daemons: stock Slurm takes no credential whose time is another daemon's future."""
    clock = storm.cluster.clock
    if clock:
        yield {"clock"}
        clock.jump(storm.rng.randint(-_FARTHEST, _FARTHEST))
        yield storm.rng.uniform(1, 8)
        if storm.rng.random() < 0.5:
            clock.jump(0)
            yield 2


_SETTINGS = ["MaxMpl=1", "MaxMpl=2", "MaxMpl=4", "WindowPolicy=keep", "WindowPolicy=shrink", "Sizing=fjt", "Sizing=adaptive",
             "QueueDiscipline=easy", "QueueDiscipline=least-work", "MaxResizeLoss=100", "MaxResizeLoss=1"]


def vmctl_set(storm):
    if storm.scheduler == "vmall":
        yield {"settings"}
        storm.tell(storm.vmctl, "set", storm.rng.choice(_SETTINGS))
