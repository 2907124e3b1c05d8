# SPDX-License-Identifier: GPL-2.0-or-later
"""The wall clock of Slurm's daemons, which libfaketime tells them: munge's, which credentials go by, is the machine's."""

from pathlib import Path

_LIBRARY = next(Path("/usr/lib").glob("*/faketime/libfaketimeMT.so.1"), None)


def missing():
    """What this machine lacks for it; empty if nothing."""
    return "" if _LIBRARY else "no libfaketime (Debian's faketime)"


class Clock:
    def __init__(self, root):
        self._file = root / "clock"
        self.jump(0)
        # What waits is told by the monotonic clock, as on a machine whose clock is set.
        self.environment = {"LD_PRELOAD": str(_LIBRARY), "FAKETIME_TIMESTAMP_FILE": str(self._file), "FAKETIME_CACHE_DURATION": "1",
                            "FAKETIME_DONT_FAKE_MONOTONIC": "1", "FAKETIME_DISABLE_SHM": "1", "NO_FAKE_STAT": "1"}

    def jump(self, seconds):
        """To so far from the machine's; daemons see it within a second."""
        written = self._file.with_suffix(".new")
        written.write_text(f"{seconds:+}\n")
        written.replace(self._file)
