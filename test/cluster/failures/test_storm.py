# SPDX-License-Identifier: GPL-2.0-or-later
"""test/storm, in short: forty faults, and nobody is on the cores of others or computes something wrong.

What else such faults leave behind may be stock Slurm's as well, now and then: that is for whoever runs test/storm to look into."""

import json
import subprocess
import sys

import evidence
import pytest
from scenario import TOP
from vmcluster.waiting import LIMIT

RUN = TOP / "test/storm/run"
NEVER = {"a core allotted twice", "on cores of others", "on CPUs of others", "on cores that Slurm did not give it", "not where the agent says",
         "wrong checksum"}


@pytest.mark.parametrize("seed, options", [(1, ()), (4, ()), (2, ("--node-mode",))])  # one for each policy
def test_a_storm_leaves_nobody_on_the_cores_of_others(build, seed, options):
    with evidence.folder() as out:
        done = subprocess.run([sys.executable, "-B", RUN, f"--build={build.directory}", f"--seed={seed}", *options, "--faults=20",
                               "--pace=1", f"--out={out}"], stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False,
                              timeout=5 * LIMIT)
        said = done.stdout + done.stderr
        result = out / f"seed-{seed}.json"
        assert result.exists(), said
        storm = json.loads(result.read_text())
        assert sum(storm["faults"].values()) == 20, said
        assert [finding for finding in storm["findings"] if finding["rule"] in NEVER] == [], said
