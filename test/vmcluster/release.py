# SPDX-License-Identifier: GPL-2.0-or-later
"""Which release of Slurm is installed."""

import functools
import re
import subprocess

from .build import slurm_daemon
from .waiting import LIMIT


@functools.lru_cache(maxsize=None)
def installed_release():
    """(year, month) of slurmctld, like (22, 5)."""
    text = subprocess.run([slurm_daemon("slurmctld"), "-V"], capture_output=True, text=True, check=True, timeout=LIMIT).stdout
    return tuple(map(int, re.search(r"(\d+)\.(\d+)\.\d+", text).groups()))
