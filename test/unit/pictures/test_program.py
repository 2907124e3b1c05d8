# SPDX-License-Identifier: GPL-2.0-or-later
"""vmsim-pictures on the results of vmsim run: what it writes, and what it says of bad input."""

import contextlib
import io
import os
import pathlib
import subprocess
import tempfile
import time
import unittest
import xml.etree.ElementTree as xml
from dataclasses import dataclass
from unittest import mock

import results_directory
from results_directory import FOLDING, RIGID, many
from vmsim_pictures import program

PICTURES = {"allotments.svg", "comparison.svg", "gains.svg", "usage.svg", "waits.svg"}


@dataclass
class Done:
    returncode: int
    stderr: str


def pictures(*arguments):
    """In this process: to start Python and matplotlib takes far longer."""
    stderr = io.StringIO()
    with contextlib.redirect_stderr(stderr):
        returncode = program.main([str(argument) for argument in arguments])
    return Done(returncode, stderr.getvalue())


def texts(path):
    """Everything that is written in the picture; also checks that it is XML."""
    return [element.text for element in xml.parse(path).iter("{http://www.w3.org/2000/svg}text")]


class Directory(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.path = pathlib.Path(temporary.name) / "results"

    def drawn(self):
        return {path.name for path in self.path.glob("*.svg")}


class Small(unittest.TestCase):
    """Two policies and four jobs, drawn twice."""

    @classmethod
    def setUpClass(cls):
        temporary = tempfile.TemporaryDirectory()
        cls.addClassCleanup(temporary.cleanup)
        cls.path = pathlib.Path(temporary.name) / "results"
        results_directory.write(cls.path, {"easy": RIGID, "bfm": FOLDING})
        cls.done = [pictures(cls.path, *where) for where in ((), ("-o", cls.path / "again" / "there"))]

    def test_draws_every_picture(self):
        for done in self.done:
            self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual({path.name for path in self.path.glob("*.svg")}, PICTURES)

    def test_same_bytes_twice(self):
        for name in PICTURES:
            self.assertEqual((self.path / name).read_bytes(), (self.path / "again" / "there" / name).read_bytes(), name)

    def test_shows_folding(self):
        written = texts(self.path / "allotments.svg")
        self.assertIn("bfm: 3 jobs", written)
        self.assertIn("folded, 4 processes on a core", written)
        self.assertIn("folded, 2 processes on a core", written)
        self.assertNotIn("folded, 3 processes on a core", written)

    def test_says_how_much_of_the_machine_was_used(self):
        # 80 × 8 + 40 × 6 + 40 × 8 core seconds of 160 × 8; 50 × 8 + 40 × 8 + 30 × 8 + 80 × 4 of 200 × 8.
        written = texts(self.path / "usage.svg")
        self.assertIn("easy: 93.8 % of the cores used until the last job ends", written)
        self.assertIn("bfm: 80 % of the cores used", written)

    def test_says_what_changes(self):
        # Against easy, job 1 ends 40 s later, job 2 30 s earlier, job 3 40 s later.
        written = texts(self.path / "gains.svg")
        for text in ("\u221230 s", "+40 s", "+16.7 s"):
            self.assertIn(text, written)

    def test_says_the_means(self):
        # Response under easy: 80, 115 and 153 seconds.
        self.assertIn("116", texts(self.path / "comparison.svg"))


class Large(Directory):
    def test_stays_small_and_shows_where_folding_is(self):
        results_directory.write(self.path, {"easy": many(3000), "bfm": many(3000)})
        self.assertEqual(pictures(self.path).returncode, 0)
        for name in PICTURES:
            self.assertLess((self.path / name).stat().st_size, 300_000, name)
        self.assertTrue(any("with the most folding" in text for text in texts(self.path / "allotments.svg")))


class Choices(Directory):
    def test_draws_the_part_that_is_asked_for(self):
        results_directory.write(self.path, {"easy": RIGID})
        self.assertEqual(pictures(self.path, "--begin=100", "--end=150").returncode, 0)
        written = texts(self.path / "allotments.svg")
        self.assertIn("Allotments: 50 seconds as asked for", written)
        self.assertIn("easy: 2 jobs", written)
        self.assertEqual(self.drawn(), PICTURES - {"gains.svg"})  # there is nobody to gain against

    def test_dates_of_a_workload_whose_dates_are_known(self):
        with mock.patch.dict(os.environ, TZ="UTC"):
            time.tzset()
            results_directory.write(self.path, {"easy": RIGID}, start=1_788_213_600)
            self.assertEqual(pictures(self.path).returncode, 0)
        time.tzset()
        for name in ("allotments.svg", "usage.svg"):
            self.assertIn("2026-08-31 22:00 to 2026-08-31 22:02 (UTC)", texts(self.path / name))

    def test_an_empty_part(self):
        results_directory.write(self.path, {"easy": RIGID})
        done = pictures(self.path, "--begin=500")
        self.assertEqual(done.returncode, 1)
        self.assertIn("nothing to draw from second 500 to 160; the run is from 0 to 160", done.stderr)

    def test_several_workloads_of_a_policy(self):
        results_directory.write(self.path, {"easy/1": RIGID, "easy/2": many(20)})
        self.assertEqual(pictures(self.path).returncode, 0)

    def test_the_program_of_the_build_tree_without_timelines(self):
        results_directory.write(self.path, {"easy": RIGID})
        (self.path / "easy" / "usage.csv").unlink()
        done = subprocess.run([os.environ["VMSIM_PICTURES"], self.path], text=True, capture_output=True, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("no timelines in", done.stderr)
        self.assertEqual(self.drawn(), {"comparison.svg", "waits.svg"})

    def test_says_which_module_is_missing(self):
        # -S: without the modules that are not Python's own
        done = subprocess.run(["/usr/bin/python3", "-BS", os.environ["VMSIM_PICTURES"], self.path], text=True,
                              capture_output=True, check=False)
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr, r"^vmsim-pictures: error: there is no Python module \w+ .*\n$")

    def test_nothing_started(self):
        results_directory.write(self.path, {"easy": [results_directory.Job(1, 0)]})
        done = pictures(self.path)
        self.assertEqual(done.returncode, 1)
        self.assertIn("easy/jobs.csv: no job was started that counts in statistics", done.stderr)


class BadInput(Directory):
    def complaint(self, name, old, new):
        """What is said when `old` is replaced by `new` in a file of good results."""
        results_directory.write(self.path, {"easy": RIGID, "bfm": FOLDING})
        path = self.path / name
        text = path.read_text()
        self.assertIn(old, text)
        path.write_text(text.replace(old, new))
        done = pictures(self.path)
        self.assertEqual(done.returncode, 1)
        self.assertTrue(done.stderr.startswith(f"vmsim-pictures: error: {path}"), done.stderr)
        self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
        return done.stderr[len(f"vmsim-pictures: error: {path}"):-1]

    def test_a_word_for_a_number(self):
        self.assertEqual(self.complaint("bfm/allotments.csv", "1,50,90,2,4", "1,fifty,90,2,4"),
                         ':3: column begin is "fifty" instead of a number')

    def test_a_number_that_is_none(self):
        self.assertEqual(self.complaint("bfm/usage.csv", "\n120,", "\nnan,"),
                         ':7: column time is "nan" which is not finite')

    def test_an_empty_number(self):
        self.assertEqual(self.complaint("easy/jobs.csv", "1,u,", ",u,"), ':2: column job is "" instead of a number')

    def test_an_unknown_class(self):
        self.assertEqual(self.complaint("easy/jobs.csv", "short", "tall"),
                         ':3: column class is "tall" instead of short or long')

    def test_a_column_too_few(self):
        self.assertEqual(self.complaint("bfm/allotments.csv", "3,120,200,4,2", "3,120,200,4"),
                         ":6: has 4 columns instead of 5")

    def test_a_missing_column(self):
        self.assertEqual(self.complaint("bfm/allotments.csv", "mpl", "level"), ": has no column mpl")

    def test_more_cores_than_there_are(self):
        self.assertEqual(self.complaint("bfm/allotments.csv", "2,50,90,6,1", "2,50,90,7,1"),
                         ": more than 8 cores in use 50.000 seconds from the start")

    def test_more_where_they_may_overlap(self):
        results_directory.write(self.path, {"bfm": [results_directory.Job(1, 0, [(0, 60, 8, 1)]), results_directory.Job(2, 0, [(50, 90, 1, 1)])]})
        summary = self.path / "summary.json"
        self.assertEqual(pictures(self.path).returncode, 1)
        summary.write_text(summary.read_text().replace('"policy": "bfm"', '"policy": "bfm", "overlapping": true'))
        done = pictures(self.path)
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_a_job_that_does_not_exist(self):
        self.assertEqual(self.complaint("bfm/allotments.csv", "2,50,90,6,1", "77,50,90,6,1"),
                         ": job 77 is not in jobs.csv")

    def test_no_json(self):
        self.assertIn(": Expecting", self.complaint("summary.json", '"results": ', ""))

    def test_no_results(self):
        self.assertEqual(self.complaint("summary.json", '"results"', '"answers"'), ": has no results")

    def test_a_result_without_a_policy(self):
        self.assertEqual(self.complaint("summary.json", '"policy": "bfm"', '"policy": 3'),
                         ": results[1]: policy is missing or of the wrong type")

    def test_a_start_that_is_no_time(self):
        self.assertEqual(self.complaint("summary.json", '"unix_start_time": null', '"unix_start_time": "now"'),
                         ": results[0]: unix_start_time is missing or of the wrong type")

    def test_no_file(self):
        results_directory.write(self.path, {"easy": RIGID})
        (self.path / "easy" / "jobs.csv").unlink()
        done = pictures(self.path)
        self.assertEqual(done.returncode, 1)
        self.assertIn(f"{self.path / 'easy' / 'jobs.csv'}: No such file or directory", done.stderr)
