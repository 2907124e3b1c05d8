# SPDX-License-Identifier: GPL-2.0-or-later
"""The burst of the quickstart, and the table that says what it gained."""

import os
import subprocess
import tempfile
import unittest
from dataclasses import dataclass
from pathlib import Path

from story import gain, gain_picture


def summary(wait, response):
    its = {"jobs": 2, "wait": wait, "response": response}
    return {"classes": {"all": its, "short": its}}


@dataclass
class Played:
    rows: list
    allotments: list


class Burst(unittest.TestCase):
    def test_is_what_vmsim_generates(self):
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "burst.swf"
            subprocess.run([os.environ["VMSIM"], "generate", "--workload=burst-9", "--least-efficiency=0.9",
                            "--processors=60", "--seed=1", f"--output={file}"], check=True, capture_output=True)
            self.assertEqual(file.read_text(), gain.WORKLOAD.read_text())


class Table(unittest.TestCase):
    def test_ratio_is_of_responses_ours_over_the_first(self):
        lines = list(gain.table({"stock Slurm": summary(20, 80), "slurm-vmall": summary(5, 60)}))
        self.assertEqual(lines[2].split(), ["all", "(2)", "20.0", "s", "5.0", "s", "80.0", "s", "60.0", "s", "0.75"])
        self.assertTrue(lines[3].startswith("  short (2)"))

    def test_picture_has_a_panel_for_each_scheduler(self):
        row = {"job": 1, "application": "BT.A", "class": "long", "submit": 0.0, "end": 20.0, "response": 20.0}
        shares = [{"job": 1, "begin": 5.0, "end": 10.0, "cores": 4, "mpl": 1},
                  {"job": 1, "begin": 10.0, "end": 20.0, "cores": 1, "mpl": 4}]
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "gain.svg"
            gain_picture.draw(file, {"stock Slurm": Played([row], shares[:1]), "slurm-vmall": Played([row], shares)})
            text = file.read_text()
        for words in ("stock Slurm: mean response 20 s", "slurm-vmall: mean response 20 s", "BT.A, long"):
            self.assertIn(words, text)
