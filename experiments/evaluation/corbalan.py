# SPDX-License-Identifier: GPL-2.0-or-later
"""The workloads of Corbalan's thesis, ch. 6, whose programs are the less efficient the more processors they have.

There they changed their number of threads. Here they keep their processes, as many as they request, which wait for what the
thesis' program loses on so many: a useful share of their efficiency."""

from dataclasses import dataclass, replace

LOAD = 0.8  # counts the work on one processor
DURATION = "5:00"


@dataclass(frozen=True)
class _Program:
    kind: str  # short or long
    requested: int  # processors
    alone: float  # seconds on one
    seconds: float  # on those requested

    @property
    def useful_percent(self):
        return round(100 * self.alone / (self.seconds * self.requested))


# Tables 6.1, 6.3 and 6.4 and the text, as experiments/reproduce/corbalan6_workloads.cpp reads them.
_PROGRAMS = {
    "swim": _Program("short", 30, 110, 4),
    "bt": _Program("long", 30, 1300, 70.5),
    "hydro2d": _Program("short", 30, 322, 24),
    "apsi": _Program("long", 2, 98, 97),
}
_WORKLOADS = {
    "corbalan-2": ("bt", "hydro2d"),
    "corbalan-3": ("bt", "apsi"),
    "corbalan-4": ("swim", "bt", "hydro2d", "apsi"),
}
NAMES = tuple(_WORKLOADS)


def table(workload):
    """For vmsim generate --application-table."""
    programs = {name: _PROGRAMS[name] for name in _WORKLOADS[workload]}
    sizes = sorted({1, *(its.requested for its in programs.values())})
    lines = [["app", "class", "sizes", *map(str, sizes)]]
    for name, its in programs.items():
        seconds = {1: its.alone, its.requested: its.seconds}
        lines.append([name, its.kind, "rigid", *(str(seconds.get(size, "")) for size in sizes)])
    return "\n".join(",".join(line) for line in lines) + "\n"


def load(workload):
    """Options of vmsim generate: every program makes the same part of it."""
    kinds = [_PROGRAMS[name].kind for name in _WORKLOADS[workload]]
    return [f"--load={LOAD}", "--work=sequential", f"--short-share={kinds.count('short') / len(kinds)}"]


def with_useful_shares(jobs):
    return [replace(job, useful_percent=_PROGRAMS[job.application].useful_percent) for job in jobs]
