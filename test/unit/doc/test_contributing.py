# SPDX-License-Identifier: GPL-2.0-or-later
"""The table at the head of CONTRIBUTING.md: to add something, touch these files. They are there."""

import os
import re
import unittest
from pathlib import Path

SOURCE = Path(os.environ["SOURCE"])


def rows():
    """(what is added, the files)."""
    text = (SOURCE / "CONTRIBUTING.md").read_text(encoding="utf-8")
    for what, files in re.findall(r"^\| (an? .*?) \| (.*) \|$", text.partition("\n## From")[0], re.MULTILINE):
        yield what, [name for name in re.findall(r"`([^`\s]+)`", files) if "/" in name]


class Table(unittest.TestCase):
    def test_has_what_people_add(self):
        self.assertEqual([what for what, _ in rows()], [
            "a policy", "a key of `vmall.conf`", "a release of Slurm", "a subcommand of `vmctl`", "an MPI engine"])

    def test_names_files_that_there_are(self):
        for what, files in rows():
            self.assertGreater(len(files), 2, what)
            self.assertEqual([name for name in files if not (SOURCE / name).exists()], [], what)
