# SPDX-License-Identifier: GPL-2.0-or-later
"""What may keep a job from being folded deeper has one list of names, in the code, the schema and the manual."""

import json
import os
import re
import unittest
from pathlib import Path

SOURCE = Path(os.environ["SOURCE"])


def property_named(name, schema):
    """Wherever it is in there."""
    for key, value in schema.items():
        if isinstance(value, dict):
            if key == name:
                return value
            if found := property_named(name, value):
                return found
    return None


class Restraints(unittest.TestCase):
    def setUp(self):
        code = (SOURCE / "src/common/restraint.hpp").read_text()
        self.names = re.findall(r'return "(\w+)";', code)
        self.assertGreater(len(self.names), 10)

    def test_schema_has_them_all(self):
        schema = json.loads((SOURCE / "doc/schema/vmctl-jobs.json").read_text())
        self.assertEqual(self.names, property_named("restraint", schema)["enum"])

    def test_manual_has_them_all(self):
        manual = (SOURCE / "doc/man/vmctl.1").read_text().partition(".SS vmctl why")[2].partition(".SS ")[0]
        told = [name for heads in re.findall(r"\.TP\n\.BR? (.*)", manual) for name in re.findall(r"\w+", heads)]
        self.assertEqual(sorted(self.names), sorted(told))
