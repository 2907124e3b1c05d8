# SPDX-License-Identifier: GPL-2.0-or-later
"""What a job said of itself: its script when it started and ended, its first process what cores it had when."""

import re
from dataclasses import dataclass, field

_LINE = re.compile(r"^(?:stand-in|job): (\w+) (\d+\.\d+)(.*)$", re.MULTILINE)
_VALUE = re.compile(r" (\w+)=([\d.]+)")


class IncompleteRecord(Exception):
    """The job did not end as it should."""


@dataclass(frozen=True)
class Share:
    """From `time` on."""

    time: float
    cores: int
    mpl: int


@dataclass
class Record:
    """Times are Unix seconds. The program's run is from `begins` to `ends`; `due` is when by its model it had to end."""

    started: float = None  # the job's script; None if it did not say so
    ended: float = None
    begins: float = None
    ends: float = None
    due: float = None
    processes: int = 0
    shares: list = field(default_factory=list)  # changes that are none are left out

    @property
    def folds(self):
        return sum(later.cores < before.cores for before, later in zip(self.shares, self.shares[1:]))

    @property
    def unfolds(self):
        return sum(later.cores > before.cores for before, later in zip(self.shares, self.shares[1:]))

    def core_seconds(self):
        """That it held while its program ran."""
        ends = [share.time for share in self.shares[1:]] + [self.ends]
        return sum(share.cores * (end - share.time) for share, end in zip(self.shares, ends))


def _note(record, what, time, values):
    if what == "begins":
        record.begins = time
        record.processes = int(values["processes"])
        record.shares = [Share(time, record.processes, 1)]  # of a job without a control block, to its end
    elif what == "has":
        share = Share(time, int(values["cores"]), int(values["mpl"]))
        if len(record.shares) == 1 and record.shares[0].time == time:
            record.shares = [share]
        elif (share.cores, share.mpl) != (record.shares[-1].cores, record.shares[-1].mpl):
            record.shares.append(share)
    elif what == "ends":
        record.ends = time
        record.due = float(values["due"])
    elif what in ("started", "ended"):
        setattr(record, what, time)


def read(output):
    """The Record in a job's output. Raises IncompleteRecord."""
    record = Record()
    for what, time, rest in _LINE.findall(output):
        _note(record, what, float(time), dict(_VALUE.findall(rest)))
    if None in (record.started, record.begins, record.ends, record.ended):
        raise IncompleteRecord(output.strip()[-300:] or "no output")
    return record
