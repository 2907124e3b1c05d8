# SPDX-License-Identifier: GPL-2.0-or-later
"""test/storm, in short: sixty faults, and nothing wrong afterwards."""

import subprocess
import sys
from pathlib import Path

import pytest

RUN = Path(__file__).resolve().parents[1] / "storm/run"


@pytest.mark.parametrize("seed", [1, 4])  # one for each policy
def test_a_storm_leaves_nothing_wrong(build, tmp_path_factory, seed):
    out = tmp_path_factory.mktemp("storm")
    done = subprocess.run([sys.executable, "-B", RUN, f"--build={build.directory}", f"--seed={seed}", "--faults=30", "--pace=1",
                           f"--out={out}"], stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
