# SPDX-License-Identifier: GPL-2.0-or-later
"""vmsim-pictures on the charts of vmlab reproduce."""

import copy
import json
import pathlib
import tempfile
import unittest

from test_program import pictures, texts

BARS = {"kind": "bars", "title": "long jobs", "x_label": "load (%)", "y_label": "response (s)", "x": ["40", "60"],
        "series": [{"name": "FIFO", "mean": [1, 2], "low": [0.5, 1.5], "high": [1.5, 2.5], "paper": [None, 3]},
                   {"name": "FJT", "mean": [1, None], "low": [None, None], "high": [None, None]}]}
LINES = {"kind": "lines", "title": "efficiency", "x_label": "jobs", "y_label": "", "x": [1, 2, 4],
         "series": [{"name": "FJT", "mean": [1, 2, 3], "low": [1, 1, 1], "high": [2, 3, 4]}]}
CHARTS = {"format": "vmsim-charts-1",
          "charts": [{"name": "first", "title": "A < B", "panels": [BARS, LINES, BARS, LINES]},
                     {"name": "second.2", "title": "lines", "panels": [LINES]}]}


class Charts(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.directory = pathlib.Path(temporary.name)
        self.file = self.directory / "charts.json"

    def test_draws_each_chart_beside_the_file(self):
        self.file.write_text(json.dumps(CHARTS))
        done = pictures(self.file)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        written = texts(self.directory / "first.svg")
        for text in ("the paper", "A < B", "long jobs", "load (%)", "40", "FIFO", "FJT"):
            self.assertIn(text, written)
        for text in ("the paper", "FIFO"):
            self.assertNotIn(text, texts(self.directory / "second.2.svg"))

    def test_marks_may_be_of_something_else(self):
        charts = copy.deepcopy(CHARTS)
        charts["charts"][0]["marks"] = "vmsim"
        self.file.write_text(json.dumps(charts))
        self.assertEqual(pictures(self.file).returncode, 0)
        self.assertIn("vmsim", texts(self.directory / "first.svg"))
        self.assertNotIn("the paper", texts(self.directory / "first.svg"))

    def test_same_bytes_twice(self):
        self.file.write_text(json.dumps(CHARTS))
        for output in ("a", "b"):
            self.assertEqual(pictures(self.file, "-o", self.directory / output).returncode, 0)
        first, second = ((self.directory / output / "first.svg").read_bytes() for output in ("a", "b"))
        self.assertEqual(first, second)

    def complaint(self, change):
        charts = copy.deepcopy(CHARTS)
        change(charts)
        self.file.write_text(json.dumps(charts))
        done = pictures(self.file)
        self.assertEqual(done.returncode, 1)
        self.assertTrue(done.stderr.startswith(f"vmsim-pictures: error: {self.file}: "), done.stderr)
        return done.stderr[len(f"vmsim-pictures: error: {self.file}: "):-1]

    def test_bad_input_is_named(self):
        def panel(charts):
            return charts["charts"][0]["panels"][0]

        cases = [
            ("another format", lambda it: it.update(format="vmsim-charts-9"),
             'format is "vmsim-charts-9" instead of vmsim-charts-1'),
            ("a path for a name", lambda it: it["charts"][1].update(name="../x"),
             'charts[1]: name is "../x", which is no name for a file'),
            ("no panels", lambda it: it["charts"][1].update(panels=[]), "charts[1]: has no panels"),
            ("another kind", lambda it: panel(it).update(kind="pie"),
             'charts[0]: panels[0]: kind is "pie" instead of bars or lines'),
            ("no title", lambda it: panel(it).pop("title"),
             "charts[0]: panels[0]: title is missing or of the wrong type"),
            ("too few values", lambda it: panel(it)["series"][1].update(mean=[1]),
             "charts[0]: panels[0]: series[1]: mean has 1 values for 2 of x"),
            ("a word for a value", lambda it: panel(it)["series"][0].update(low=[1, "two"]),
             "charts[0]: panels[0]: series[0]: low has 'two' instead of a number or null"),
        ]
        for name, change, expected in cases:
            with self.subTest(name):
                self.assertEqual(self.complaint(change), expected)
