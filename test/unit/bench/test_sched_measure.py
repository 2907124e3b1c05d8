# SPDX-License-Identifier: GPL-2.0-or-later
"""What the bench of scheduling makes of what its client saw, in windows of 4 s."""

import unittest

from sched_measure import seen


class Started(unittest.TestCase):
    def test_counts_in_the_window_where_it_was_told(self):
        self.assertEqual(seen(["started 3.9 8", "started 5 12", "started 7.9 24"], 2)["started"], [2, 4])

    def test_window_in_which_nothing_was_told_has_none(self):
        self.assertEqual(seen(["started 3.9 8", "started 11.9 24"], 3)["started"], [2, 0, 4])


class Waits(unittest.TestCase):
    def test_answer_counts_in_each_window_that_it_lasts(self):
        self.assertEqual(seen(["answer 1 0.5", "answer 9 6.5"], 3)["waits"], [0.25, 1, 0.25])

    def test_nothing_counts_after_the_last_window(self):
        self.assertEqual(seen(["answer 1 0.5", "answer 9 6.5"], 1)["waits"], [0.25])

    def test_no_answer_at_all(self):
        self.assertEqual(seen([], 2)["waits"], [0, 0])


class Cycles(unittest.TestCase):
    def test_backfill_by_the_jobs_it_tried(self):
        samples = seen(["main 0.1 2000", "backfill 0.2 30000 3", "backfill 0.3 10 0"], 1)
        self.assertEqual((samples["main"], samples["backfill"], samples["tried"]), ([0.002], [0.03, 1e-05], [0.01]))
