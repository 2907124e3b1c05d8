# SPDX-License-Identifier: GPL-2.0-or-later
"""test/unsteady.md: few tests, and tests that there are."""

import os
import re
import unittest
from pathlib import Path

TESTS = Path(os.environ["SOURCE"]) / "test"
AT_MOST = 15


def rows():
    """(file, test, what was seen, day, cause) of each."""
    text = (TESTS / "unsteady.md").read_text(encoding="utf-8")
    return re.findall(r"^\| `(\w+/\w+\.py)::(\w+)[^`]*` \| (.+?) \| ([\d-]+) \| (.*?) ?\|$", text, re.MULTILINE)


class Table(unittest.TestCase):
    def test_every_row_is_one(self):
        lines = (TESTS / "unsteady.md").read_text(encoding="utf-8").count("\n| ") - 1
        self.assertEqual(len(rows()), lines)

    def test_is_short(self):
        self.assertLessEqual(len(rows()), AT_MOST)

    def test_names_tests_that_there_are(self):
        for file, test, *_ in rows():
            self.assertIn(f"\ndef {test}(", (TESTS / "cluster" / file).read_text(encoding="utf-8"))

    def test_says_when(self):
        for *_, day, _ in rows():
            self.assertRegex(day, r"^20\d\d-\d\d-\d\d$")
