# SPDX-License-Identifier: GPL-2.0-or-later
"""Error lines in the logs of a cluster's daemons: which of them may be a fault of ours, and which are news of Slurm's own."""

import re
from collections import Counter
from dataclasses import dataclass

from .release import installed_release

_ERROR = re.compile(r"\b(error|fatal): ")

# How the lines of our code begin, and what else names it.
_OURS = r"sched/fjt|select/(cons_tres_)?vmall|spank_vm|vmall\.conf|virtual malleability|the node agent|error: job \d+: "

# What Slurm says when its records of cores do not fit together, when what it gave a job no longer holds, or when it ends of it.
_OF_CORES = (r"underflow|overflow|(de)?alloc|core_?(bitmap|array|cnt)|cpus?_?(used|cnt|count|array)|job_res(rc|ource)|cons_tres|"
             r"\b(cores?|cpus?)\b|bit_select|(job|step) credential|job_cred|fatal: ")

_SUSPECT = re.compile(rf"(?i:{_OURS}|{_OF_CORES})")


@dataclass(frozen=True)
class _Innocent:
    """A line of Slurm's that sounds like the above, and that it says with its stock plugins as well."""

    pattern: str
    why: str
    until: tuple  # the last release of Slurm that was seen to say it, with that meaning


_INNOCENT = [
    _Innocent(r"error: \*\*\* ", "so Slurm tells a job that it is cancelled, and why", (26, 5)),
    _Innocent(r"_remove_accrue_time_internal.*underflow", "counts jobs, and is wrong on stock Slurm as often", (26, 5)),
    _Innocent(r"Invalid job credential .*Job credential revoked", "the job was cancelled while it was being launched", (22, 5)),
    _Innocent(r"Invalid job credential from \d+@127\.0\.0\.1: Invalid job credential$", "likewise", (26, 5)),
    _Innocent(r"_set_used_cnts: No allocated cores found|_set_job_bits2: gres_bit_select NULL",
              "a job that wants GPUs, but no number of nodes, is tried on more nodes than it has tasks", (25, 11)),
]


def _error_lines(directory):
    """(name of the log, line) of each."""
    for log in sorted(directory.glob("*.log")):
        for line in log.read_text(errors="replace").splitlines():
            if _ERROR.search(line):
                yield log.name, line


def suspect(line, release=None):
    """Whether somebody has to look for the cause of this error line in our code."""
    release = release or installed_release()
    return bool(_SUSPECT.search(line)) and not any(release <= row.until and re.search(row.pattern, line) for row in _INNOCENT)


def errors(directory, expected=None):
    """Lines that are suspect, but for those that match `expected`."""
    return [f"{log}: {line}" for log, line in _error_lines(directory)
            if suspect(line) and not (expected and re.search(expected, line))]


def news(directory):
    """What else Slurm reports as an error, as on any busy machine: how often, by what it says without names and numbers."""
    said = Counter()
    for log, line in _error_lines(directory):
        if not suspect(line) and "error: *** " not in line:
            text = re.sub(rf"{re.escape(str(directory.parent))}", "CLUSTER", re.sub(r"^\[[^]]*\] ", "", line))
            said[f"{re.sub('[-.].*', '', log)}: {re.sub(r'0x[0-9a-f]+|[0-9]+', 'N', text)}"] += 1
    return said
