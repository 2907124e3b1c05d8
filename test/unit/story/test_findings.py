# SPDX-License-Identifier: GPL-2.0-or-later
"""F2 to F8 on stories that are made up: the right one, and each thing that can be wrong with it."""

import copy
import unittest

from story import verify
from story.cast import BACKFILLED, CAST, HEAD, LAST, LEADER
from story.teller import Resize, Sample, Telling, Told

RESULTS = {job.name: f"result of {job.name}" for job in CAST}


def right_story():
    """C starts before B, is folded from cores 4-7 to 4 when A has ended, and unfolds when B has."""
    times = {LEADER: (0, 0, 5), HEAD: (1, 6, 9), BACKFILLED: (2, 2, 12), LAST: (3, 9, 13)}
    telling = Telling("vmall")
    for number, job in enumerate(CAST):
        submitted, started, ended = times[job.name]
        telling.jobs[job.name] = Told(job, number, submitted, 10, started, ended, processes=4, state="COMPLETED",
                                      result=RESULTS[job.name])
    telling.samples = [Sample(4, {LEADER: {0, 1, 2, 3}, BACKFILLED: {4, 5, 6, 7}}, [HEAD, LAST], []),
                       Sample(6, {HEAD: {0, 1, 2, 3, 5, 6, 7}, BACKFILLED: {4}}, [LAST], []),
                       Sample(10, {LAST: {0, 1, 2, 3}, BACKFILLED: {4, 5, 6, 7}}, [], [])]
    telling.resizes = [Resize(6, BACKFILLED, {4, 5, 6, 7}, {4}, [HEAD, LAST], True, threads=8, outside=0),
                       Resize(10, BACKFILLED, {4}, {4, 5, 6, 7}, [], True, threads=8, outside=0)]
    return telling


def f6(telling):
    return verify.f6_results([telling], RESULTS)


def f7(telling):
    return verify.f7_truth([telling])


def no_fold(telling):
    telling.resizes.pop(0)


def no_unfold(telling):
    telling.resizes.pop()


def change_job(name, **values):
    def change(telling):
        vars(telling.jobs[name]).update(values)
    return change


def change_resize(number, **values):
    def change(telling):
        vars(telling.resizes[number]).update(values)
    return change


def change_sample(**cores):
    def change(telling):
        telling.samples[1].cores.update(cores)
    return change


def disagree(telling):
    telling.samples[1].violations.append("core 4 of n1 belongs to jobs 2 and 3")


WRONG = [
    ("C was submitted first", verify.f2_backfilled, change_job(BACKFILLED, submitted=0.5)),
    ("C started later", verify.f2_backfilled, change_job(BACKFILLED, started=7)),
    ("never folded", verify.f3_folded, no_fold),
    ("half of the cores", verify.f3_folded, change_resize(0, after={4, 5})),
    ("other cores", verify.f3_folded, change_resize(0, after={3})),
    ("other processes", verify.f3_folded, change_resize(0, same_processes=False)),
    ("a thread outside", verify.f3_folded, change_resize(0, outside=1)),
    ("processes not found", verify.f3_folded, change_resize(0, threads=3)),
    ("B on cores that were free", verify.f4_head_on_freed_cores, change_sample(B={0, 1, 2, 3})),
    ("B on C's core", verify.f4_head_on_freed_cores, change_sample(B={3, 4, 5, 6})),
    ("C had ended", verify.f4_head_on_freed_cores, change_sample(C=set())),
    ("no fold before B", verify.f4_head_on_freed_cores, no_fold),
    ("never unfolded", verify.f5_unfolded, no_unfold),
    ("unfolded while B waits", verify.f5_unfolded, change_resize(1, waiting=[HEAD])),
    ("unfolded to other cores", verify.f5_unfolded, change_resize(1, after={0, 1, 2, 3})),
    ("unfolded with other processes", verify.f5_unfolded, change_resize(1, same_processes=False)),
    ("another result", f6, change_job(BACKFILLED, result="another")),
    ("no result", f6, change_job(BACKFILLED, result=None)),
    ("failed", f6, change_job(BACKFILLED, state="FAILED")),
    ("a core twice", f7, disagree),
]


class Findings(unittest.TestCase):
    def test_all_hold_for_the_right_story(self):
        telling = right_story()
        for finding in {finding for _, finding, _ in WRONG}:
            self.assertTrue(finding(telling).passed, finding(telling))
        self.assertTrue(verify.f8_nothing_left([]).passed)

    def test_what_is_wrong_is_found(self):
        for name, finding, change in WRONG:
            with self.subTest(name):
                telling = copy.deepcopy(right_story())
                change(telling)
                self.assertFalse(finding(telling).passed)
        self.assertFalse(verify.f8_nothing_left(["process 1 (sleep)"]).passed)
