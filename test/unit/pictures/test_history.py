# SPDX-License-Identifier: GPL-2.0-or-later
"""vmsim-pictures --timeline: what it draws of a history, and what it says of something else."""

import contextlib
import io
import json
import pathlib
import tempfile
import unittest
import xml.etree.ElementTree as xml
from unittest import mock

from vmsim_pictures import program

NOON = 1767265200


def event(seconds, job, kind, cores, mpl=1, job_class="long"):
    return {"time": NOON + seconds, "job_id": job, "event": kind, "class": job_class, "cores_after": cores, "mpl": mpl,
            "user_id": 0}


# Job 43 starts on what 41 gives up, and outlives it; 42 is told of twice.
STORY = [event(0, 41, "started", 8), event(300, 41, "folded", 2, 4), event(300, 43, "started", 6, job_class="short"),
         event(900, 41, "unfolded", 8), event(900, 43, "ended", 0, job_class="short"), event(1500, 41, "ended", 0),
         event(1500, 42, "seen", 4), event(1600, 42, "seen", 8)]


class History(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.path = pathlib.Path(temporary.name) / "timeline.svg"

    def draw(self, value):
        """(exit code, what was said)"""
        stderr = io.StringIO()
        text = value if isinstance(value, str) else json.dumps(value)
        with contextlib.redirect_stderr(stderr), mock.patch("sys.stdin", io.StringIO(text)):
            return program.main(["--timeline", str(self.path)]), stderr.getvalue()

    def texts(self):
        return [element.text for element in xml.parse(self.path).iter("{http://www.w3.org/2000/svg}text")]

    def test_jobs_classes_and_folds_are_drawn(self):
        self.assertEqual(self.draw({"history": STORY, "until": NOON + 2400}), (0, ""))
        texts = self.texts()
        for text in ("41", "42", "43", "folded, 4 processes on a core", "virtually malleable jobs: 3 jobs", "cores"):
            self.assertIn(text, texts)

    def test_who_ended_before_is_not_drawn(self):
        self.assertEqual(self.draw({"history": STORY, "since": NOON + 1000, "until": NOON + 2400}), (0, ""))
        self.assertNotIn("43", self.texts())
        self.assertIn("41", self.texts())

    def test_no_part_of_a_core_is_marked(self):
        self.assertEqual(self.draw({"history": [event(0, 41, "started", 3)], "until": NOON + 2400}), (0, ""))
        texts = self.texts()
        self.assertIn("3", texts)
        self.assertNotIn("2.5", texts)

    def test_the_same_history_gives_the_same_bytes(self):
        pictures = []
        for _ in range(2):
            self.draw({"history": STORY, "until": NOON + 2400})
            pictures.append(self.path.read_bytes())
        self.assertEqual(*pictures)

    def test_until_now_if_nobody_says(self):
        self.assertEqual(self.draw({"history": STORY}), (0, ""))

    def test_what_cannot_be_drawn_is_said(self):
        for value, said in [("nonsense", "the history: Expecting value"), ([], "is no JSON object"),
                            ({}, "history is missing or of the wrong type"),
                            ({"history": []}, "no job held cores in the time that is to be drawn"),
                            ({"history": [7]}, "history[0]: time is missing"),
                            ({"history": [event(0, 1, "started", -1)]}, "history[0]: cannot be"),
                            ({"history": STORY, "since": NOON + 3000, "until": NOON + 2000}, "no job held cores")]:
            code, stderr = self.draw(value)
            self.assertEqual(code, 1)
            self.assertIn(said, stderr)
            self.assertTrue(stderr.startswith("vmsim-pictures: error: "))
            self.assertFalse(self.path.exists())

    def test_a_picture_that_cannot_be_written_is_said(self):
        self.path = self.path.parent / "missing" / "timeline.svg"
        code, stderr = self.draw({"history": STORY})
        self.assertEqual(code, 1)
        self.assertIn("missing", stderr)

    def test_one_thing_is_drawn(self):
        for words in ([], ["--timeline", "x.svg", "results"]):
            with contextlib.redirect_stderr(io.StringIO()) as stderr, self.assertRaises(SystemExit):
                program.main(words)
            self.assertIn("either DIRECTORY|CHARTS.json or --timeline", stderr.getvalue())
