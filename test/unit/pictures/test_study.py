# SPDX-License-Identifier: GPL-2.0-or-later
"""vmsim-pictures on what vmsim study wrote."""

import json
import pathlib
import tempfile
import unittest

from test_program import pictures, texts

STUDY = {"format": "vmsim-study-1", "rows": [
    {"variant": "default, one node", "response_ratios": [0.001, 0.5, 1, 1, 2]},
    {"variant": "MaxMpl=1"},
    {"variant": "50 % take part", "response_ratios": [1, 1, 1, 1, 1]}]}


class Study(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.directory = pathlib.Path(temporary.name)

    def draw(self, study, *options):
        (self.directory / "summary.json").write_text(json.dumps(study))
        return pictures(self.directory, *options)

    def test_draws_a_line_for_each_row_that_has_ratios(self):
        done = self.draw(STUDY)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        written = texts(self.directory / "responses.svg")
        for text in ("default, one node", "50 % take part", "0.3", "1"):
            self.assertIn(text, written)
        self.assertNotIn("MaxMpl=1", written)

    def test_same_bytes_twice(self):
        for output in ("a", "b"):
            self.assertEqual(self.draw(STUDY, "-o", self.directory / output).returncode, 0)
        first, second = ((self.directory / output / "responses.svg").read_bytes() for output in ("a", "b"))
        self.assertEqual(first, second)

    def test_bad_input_is_named(self):
        for study, said in ((dict(STUDY, rows=[]), "has no responses to draw"),
                            (dict(STUDY, rows=[{"response_ratios": [1]}]), "variant is missing"),
                            (dict(STUDY, rows=[{"variant": "a", "response_ratios": [0]}]), "no numbers above 0")):
            done = self.draw(study)
            self.assertEqual(done.returncode, 1)
            self.assertIn(said, done.stderr)
