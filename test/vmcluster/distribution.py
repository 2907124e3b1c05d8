# SPDX-License-Identifier: GPL-2.0-or-later
"""Whether what runs is what the distribution's packages installed."""

import hashlib
import re
import subprocess
from pathlib import Path

from .waiting import LIMIT


def _package_of(file):
    out = subprocess.run(["dpkg-query", "-S", str(file)], text=True, capture_output=True, check=False, timeout=LIMIT).stdout
    return out.partition(": ")[0].partition(",")[0] or None


def _recorded_md5(package, file):
    """What the package says the file's MD5 is."""
    for name in (package, package.partition(":")[0]):
        sums = Path(f"/var/lib/dpkg/info/{name}.md5sums")
        if sums.exists():
            lines = (line.split(maxsplit=1) for line in sums.read_text().splitlines())
            return next((md5 for md5, path in lines if "/" + path == str(file)), None)
    return None


def differences(pids):
    """What of the running binaries, and of the programs and libraries of their packages, is not as it was
    packaged; and the packages with their versions."""
    wrong, packages = [], set()
    for pid in pids:
        running = Path(f"/proc/{pid}/exe")
        file = running.readlink()
        package = _package_of(file)
        packages.add(package)
        if package is None:
            wrong.append(f"{file} belongs to no package")
        elif hashlib.md5(running.read_bytes()).hexdigest() != _recorded_md5(package, file):
            wrong.append(f"{file} is not what {package} installed")
    packages.discard(None)
    packages |= {"slurm-client", "slurm-wlm-basic-plugins"}
    for package in sorted(packages):
        out = subprocess.run(["dpkg", "--verify", package], text=True, capture_output=True, check=False, timeout=LIMIT).stdout
        wrong += [f"{package}: {line}" for line in out.splitlines() if re.search(r" /(usr/)?(s?bin|lib)", line)]
    versions = subprocess.run(["dpkg-query", "-W", "-f", "${Package} ${Version}\n", *sorted(packages)], text=True,
                              capture_output=True, check=True, timeout=LIMIT).stdout
    return wrong, versions.splitlines()
