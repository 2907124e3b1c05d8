# SPDX-License-Identifier: GPL-2.0-or-later
"""The computing parts of the pictures."""

import math
import os
import random
import time
import unittest

from types import SimpleNamespace
from unittest import mock

import numpy
from matplotlib import pyplot
from vmsim_pictures import dates, gantt, packing, statistics, steps, style, window
from vmsim_pictures.problem import Problem


class Packing(unittest.TestCase):
    def test_lowest_run_that_is_long_enough(self):
        placed = packing.place([(0, 5, 1, 2), (0, 9, 2, 3), (5, 9, 3, 3), (5, 9, 4, 2)], 8)
        self.assertEqual(placed, [[(0, 2)], [(2, 3)], [(5, 3)], [(0, 2)]])

    def test_in_pieces_if_need_be(self):
        placed = packing.place([(0, 5, 1, 2), (0, 9, 2, 3), (0, 5, 3, 3), (5, 9, 4, 4)], 8)
        self.assertEqual(placed[3], [(0, 2), (5, 2)])

    def test_a_fold_keeps_cores_and_makes_room_for_what_starts(self):
        placed = packing.place([(0, 5, 2, 8), (5, 9, 1, 6), (5, 9, 2, 2), (9, 12, 2, 8)], 8)
        self.assertEqual(placed, [[(0, 8)], [(2, 6)], [(0, 2)], [(0, 8)]])

    def test_too_many_cores(self):
        with self.assertRaisesRegex(Problem, "more than 8 cores in use 1.500 seconds"):
            packing.place([(0, 5, 1, 4), (1.5, 5, 2, 5)], 8)

    def test_records_that_overlap_lie_above_the_machine(self):
        placed = packing.place([(0, 5, 1, 4), (1.5, 5, 2, 5), (5, 9, 3, 8)], 8, overlapping=True)
        self.assertEqual(placed, [[(0, 4)], [(4, 5)], [(0, 8)]])

    def test_records_fill_holes_before_they_lie_above(self):
        placed = packing.place([(0, 5, 1, 2), (0, 9, 2, 3), (0, 5, 3, 3), (5, 9, 4, 5)], 8, overlapping=True)
        self.assertEqual(placed[3], [(0, 2), (5, 3)])

    def test_no_core_is_shared(self):
        numbers = random.Random(7)
        for _ in range(200):
            self._check_random(numbers)

    def _check_random(self, numbers):
        cores, held, stretches, now = 12, {}, [], 0
        for job in range(30):  # at each time some end, some change, one starts
            now += numbers.randint(1, 3)
            held = {one: count for one, count in held.items() if numbers.random() < 0.7}
            for one in list(held):
                others = sum(held.values()) - held[one]
                held[one] = numbers.randint(1, cores - others)
            if sum(held.values()) < cores:
                held[job] = numbers.randint(1, cores - sum(held.values()))
            stretches += [(now, None, one, count) for one, count in held.items()]
        times = sorted({stretch[0] for stretch in stretches}) + [now + 1]
        stretches = [(begin, times[times.index(begin) + 1], job, count) for begin, _, job, count in stretches]
        used = {}
        for (begin, _, _, count), runs in zip(stretches, packing.place(stretches, cores)):
            mine = {core for first, length in runs for core in range(first, first + length)}
            self.assertEqual(len(mine), count)
            self.assertFalse(mine & used.setdefault(begin, set()))
            self.assertLess(max(mine), cores)
            used[begin] |= mine


class Steps(unittest.TestCase):
    def test_every_change_of_few(self):
        edges, means = steps.thinned(numpy.array([0, 2, 5]), numpy.array([1, 7, 0]), 1, 6)
        self.assertEqual((edges.tolist(), means.tolist()), ([1, 2, 5, 6], [1, 7, 0]))

    def test_the_area_stays_when_there_are_many(self):
        times = numpy.arange(0, 10_000, 3.0)
        values = (times * 7) % 11
        edges, means = steps.thinned(times, values, 100.5, 9000.25)
        self.assertEqual(len(means), steps.MOST)
        exact = sum(values[int(t // 3)] * 0.25 for t in numpy.arange(100.5, 9000.25, 0.25))
        self.assertAlmostEqual(float((means * numpy.diff(edges)).sum()), exact, places=5)


class Statistics(unittest.TestCase):
    def test_one_workload_with_few_jobs_has_no_interval(self):
        mean, half = statistics.of_workloads([numpy.array([1.0, 3.0])])
        self.assertEqual(mean, 2)
        self.assertTrue(math.isnan(half))

    def test_several_workloads(self):
        mean, half = statistics.of_workloads([numpy.array([1.0, 3.0]), numpy.array([4.0]), numpy.array([])])
        self.assertEqual(mean, 3)
        self.assertAlmostEqual(half, 12.706)  # t(1) × deviation √2 / √2

    def test_batches_of_many_jobs(self):
        _, half = statistics.of_workloads([numpy.repeat(numpy.arange(20.0), 10)])
        self.assertAlmostEqual(half, 2.093 * math.sqrt(35) / math.sqrt(20))

    def test_nothing(self):
        self.assertTrue(math.isnan(statistics.of_workloads([numpy.array([])])[0]))


def _busy(jobs, folded):
    """Jobs of a second, one after the other; one of them is folded."""
    begin = numpy.arange(float(jobs))
    mpl = numpy.ones(jobs)
    mpl[folded] = 2
    return [SimpleNamespace(allotments={"begin": begin, "end": begin + 1, "mpl": mpl},
                            usage={"time": begin, "jobs_waiting": numpy.zeros(jobs)})]


class Window(unittest.TestCase):
    def test_begins_with_the_first_submission(self):
        late = [SimpleNamespace(usage={"time": numpy.array([70.0, 90.0])})]
        later = [SimpleNamespace(usage={"time": numpy.array([80.0, 95.0])})]
        self.assertEqual(window.whole({"easy": later, "bfm": late}), (70, 95))

    def test_what_is_special_stays_in_it(self):
        burst = _busy(1000, 0)  # ten times as busy in the interval in which the other folds
        burst[0].allotments = {name: numpy.repeat(values, 10) for name, values in _busy(100, 99)[0].allotments.items()}
        (begin, end), why = window.choose({"easy": burst, "bfm": _busy(1000, 99)}, (0, 1000))
        self.assertEqual(why, "with the most folding")
        self.assertLess(end - begin, 100)
        self.assertLessEqual(begin, 99)
        self.assertGreater(end, 99)

    def test_nothing_is_special(self):
        quiet = _busy(1000, 0)
        quiet[0].allotments["mpl"][0] = 1
        self.assertEqual(window.choose({"easy": quiet}, (0, 1000)), ((0, 99.9), "at the beginning"))


class Lines(unittest.TestCase):
    def test_solid_ones_lie_below(self):
        strokes = style.strokes(["a", "b", "c", "d"])
        self.assertEqual(strokes["a"]["linestyle"], strokes["d"]["linestyle"])
        self.assertLess(strokes["d"]["zorder"], strokes["b"]["zorder"])


class Ink(unittest.TestCase):
    def test_is_read_well_on_every_shade_of_a_job(self):
        self.assertEqual({colour: style.ink_on(colour) for shades in gantt._SHADES.values() for colour in shades},
                         {"#ee9977": "black", "#e57750": "black", "#f3b49a": "black", "#5b8db8": "black",
                          "#3d6f9e": "white", "#86add0": "black"})


class Dates(unittest.TestCase):
    def setUp(self):
        zone = mock.patch.dict(os.environ, TZ="CET-1CEST,M3.5.0,M10.5.0/3")
        zone.start()
        time.tzset()
        self.addCleanup(time.tzset)
        self.addCleanup(zone.stop)

    def drawn(self, start, seconds):
        """(texts at the ticks, label)"""
        figure, axes = pyplot.subplots()
        self.addCleanup(pyplot.close, figure)
        dates.axis(axes, (0, seconds), start)
        return [text.get_text() for text in axes.get_xticklabels()], axes.get_xlabel()

    def test_a_month(self):
        ticks, label = self.drawn(1_788_213_600, 30 * 86400)
        self.assertEqual(label, "2026-09-01 00:00 to 2026-10-01 00:00 (CEST)")
        self.assertIn("05 Sep", ticks)
        self.assertIn("01 Oct", ticks)

    def test_hours_around_a_change_to_winter_time(self):
        ticks, label = self.drawn(1_792_882_740, 4 * 3600)
        self.assertEqual(label, "2026-10-25 00:59 to 2026-10-25 03:59 (CEST, CET)")
        self.assertIn("03:00", ticks)


class Text(unittest.TestCase):
    def test_numbers(self):
        for value, text in ((0, "0"), (0.01234, "0.0123"), (12.345, "12.3"), (999.4, "999"), (1234.5, "1\u2009230"),
                            (999_999, "1\u2009000\u2009000")):
            self.assertEqual(style.number(value), text)

    def test_durations(self):
        for seconds, text in ((0, "0"), (-30, "\u221230 s"), (600, "+10 min"), (86400, "+24 h"),
                              (-864000, "\u221210 d")):
            self.assertEqual(style.change(seconds), text)
