# SPDX-License-Identifier: GPL-2.0-or-later
"""Without virtually malleable jobs, the same jobs start at the same times on the same cores as with stock Slurm.

Two of the job lists of test/bench/parity; `slurmctld` lives in virtual time there, so nothing depends on how busy
this machine is.
"""

import pytest
from parity_priority import is_refused
from parity_rows import differences
from parity_side import Side
from parity_variants import VARIANTS

pytestmark = pytest.mark.core

SEED = 0


def outcomes(variant, ours, programs):
    with Side(variant, ours, programs) as side:
        return side.run(SEED)


@pytest.mark.skipif(is_refused(), reason="no real-time priority here, without which threads race")
@pytest.mark.parametrize("name", ["partitions with tiers, priority/multifactor",
                                  "CR_Core_Memory, nodes of three sizes, features"])
def test_same_jobs_start_at_the_same_times_on_the_same_cores(build, name):
    variant = next(variant for variant in VARIANTS if variant.name == name)
    programs = build.directory / "test/bench"
    stock = outcomes(variant, None, programs)
    assert {outcome.scheduler for outcome in stock if outcome.cores} == {"Main", "Backfill"}
    assert not differences(stock, outcomes(variant, build, programs))
