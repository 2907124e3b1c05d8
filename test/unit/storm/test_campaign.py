# SPDX-License-Identifier: GPL-2.0-or-later
"""Which kinds of faults a seed has."""

import unittest

from storm import faults
from storm.campaign import of_seed


class Kinds(unittest.TestCase):
    def test_some_seeds_have_the_rare_ones(self):
        self.assertEqual(of_seed(["takeover", "hold", "jump_clock"], 21), ["takeover", "hold", "jump_clock"])
        self.assertEqual(of_seed(["takeover", "hold", "jump_clock"], 6), ["takeover", "hold"])
        self.assertEqual(of_seed(["suspend"], 5), ["suspend"])

    def test_those_of_the_cluster_tests_have_none(self):
        for seed in (1, 4):
            self.assertEqual(set(faults.FAULTS) - set(of_seed(faults.FAULTS, seed)), {"suspend", "takeover", "jump_clock"})
