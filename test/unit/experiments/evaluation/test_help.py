# SPDX-License-Identifier: GPL-2.0-or-later
"""experiments/evaluate --help names all that may be asked for."""

import subprocess
import unittest
from pathlib import Path

from evaluation import everything
from evaluation.estimates import ESTIMATES
from evaluation.machines import CLAIMED
from evaluation.policies import POLICIES
from evaluation.sizes import SIZES
from evaluation.workloads import WORKLOADS

PROGRAM = Path(__file__).resolve().parents[4] / "experiments/evaluate"
BETWEEN = {"w2", "w3", "w4", "w5"}  # "w1 ... w6"


class Help(unittest.TestCase):
    def help(self):
        return subprocess.run([PROGRAM, "--help"], text=True, capture_output=True, check=True).stdout

    def test_says_how_many_runs_everything_is(self):
        self.assertIn(f" the {len(everything.keys())} runs of experiments/pages/evaluation.md", self.help())

    def test_names_all_values(self):
        words = self.help().replace(",", " ").split()
        for values in (POLICIES, WORKLOADS, CLAIMED, ESTIMATES, SIZES):
            self.assertEqual(set(values) - BETWEEN - {word.rstrip(":;") for word in words}, set())
