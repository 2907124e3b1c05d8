# SPDX-License-Identifier: GPL-2.0-or-later
"""Runs of experiments/evaluate that are carried out at the same time, with runs that do nothing."""

import threading
import time
import unittest

from evaluation import progress


class Lengths(unittest.TestCase):
    def setUp(self):
        self.now = 100
        self.left = progress.TimeLeft(5, 2, clock=lambda: self.now)

    def test_runs_that_have_not_begun_last_as_long_as_the_others(self):
        self.left.begins("a", 30)
        self.left.begins("b", 50)
        self.now += 10
        self.assertEqual((self.left.of("a"), self.left.of("b")), (20, 40))
        self.assertEqual(self.left.of_all(), (20 + 40 + 3 * 40) / 2)
        self.left.over("a")
        self.left.begins("c", 40)
        self.assertEqual(self.left.of_all(), (40 + 40 + 2 * 40) / 2)

    def test_it_lasts_at_least_as_long_as_each(self):
        for run, length in (("a", 10), ("b", 10), ("c", 10), ("d", 10), ("e", 90)):
            self.left.begins(run, length)
        self.now += 10
        self.assertEqual(self.left.of_all(), 80)

    def test_what_takes_longer_than_expected_is_about_to_end(self):
        self.left.begins("a", 30)
        self.now += 40
        self.assertEqual(self.left.of("a"), -10)
        self.assertEqual(self.left.of_all(), 4 * 30 / 2)


class CarryingOut(unittest.TestCase):
    def carry_out(self, work, runs, at_once):
        said, done = [], {}
        progress.carry_out(work, runs, at_once, said.append, done.__setitem__)
        return said, done

    def test_so_many_at_once_and_what_they_say_names_them(self):
        both = threading.Barrier(2, timeout=300)

        def work(run, watch):
            both.wait()  # no one passes alone
            watch.expect(30)
            watch.say_left(f"{run} jobs")
            watch.over()
            return -run

        said, done = self.carry_out(work, {"a": 1, "b": 2}, 2)
        self.assertEqual(done, {"a": -1, "b": -2})
        self.assertRegex(said[0], r"^(a: 1|b: 2) jobs; about 30 s left, about \d+ s for all runs$")

    def test_what_is_over_is_no_longer_waited_for(self):
        def work(_, watch):
            watch.expect(-1)
            watch.say_left("jobs")
            watch.over()

        said, _ = self.carry_out(work, {"a": 1, "b": 2}, 1)
        self.assertIn("a: jobs; it takes longer than expected", said[0])

    def test_one_that_fails_ends_those_that_run_and_those_that_wait(self):
        began, ended = [], []

        def work(run, watch):
            began.append(run)
            if run == 1:
                while len(began) < 2:
                    time.sleep(0.01)
                raise ValueError("run 1")
            try:
                watch.pause(30)
            except progress.Interrupted:
                ended.append(run)
                raise

        with self.assertRaisesRegex(ValueError, "run 1"):
            self.carry_out(work, {"a": 1, "b": 2, "c": 3}, 2)
        self.assertEqual(set(ended), set(began) - {1})  # the third may have begun before anybody knew
        self.assertIn(2, ended)
