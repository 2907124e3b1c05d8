# SPDX-License-Identifier: GPL-2.0-or-later
"""Which release of Slurm is installed."""

import functools
import re
import subprocess


@functools.lru_cache(maxsize=None)
def installed_release():
    """(year, month) of the distribution's slurmctld, like (22, 5)."""
    text = subprocess.run(["/usr/sbin/slurmctld", "-V"], capture_output=True, text=True, check=True).stdout
    return tuple(map(int, re.search(r"(\d+)\.(\d+)\.\d+", text).groups()))
