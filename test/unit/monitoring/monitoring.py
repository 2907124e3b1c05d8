# SPDX-License-Identifier: GPL-2.0-or-later
"""What the tests here share."""

import json
import os
import re
import shutil
import subprocess
import unittest
from pathlib import Path

SOURCE = Path(os.environ["SOURCE"])
BUILT = Path(os.environ["BUILT"])
MONITORING = SOURCE / "contrib/monitoring"

needs_promtool = unittest.skipUnless(shutil.which("promtool"), "no promtool (Debian: prometheus)")


def exposition(jobs=2):
    return subprocess.run([BUILT / "show_metrics", str(jobs)], check=True, capture_output=True, text=True).stdout


def types(text=None):
    """name → type of each metric of the text, or that there is."""
    text = text or exposition() + exposition("node")
    return dict(re.findall(r"^# TYPE (\S+) (\S+)$", text, re.MULTILINE))


def names_that_can_be_asked_for():
    found = set()
    for name, kind in types().items():
        found |= {name + end for end in ("_bucket", "_sum", "_count")} if kind == "histogram" else {name}
    return found


def names_in(expression):
    return set(re.findall(r"\bslurm_vm_\w+", expression))


def dashboard():
    return json.loads((MONITORING / "dashboard.json").read_text(encoding="utf-8"))


def promtool(*arguments, text=None):
    return subprocess.run(["promtool", *map(str, arguments)], input=text, capture_output=True, text=True, check=False)
