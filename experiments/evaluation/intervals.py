# SPDX-License-Identifier: GPL-2.0-or-later
"""Means with 95 % confidence intervals (Student's t), by the code that draws vmsim's pictures."""

import math
import sys
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean

sys.path.append(str(Path(__file__).resolve().parents[2] / "src/tools/vmsim"))
from vmsim_pictures import statistics  # noqa: E402 # pylint: disable=wrong-import-position


@dataclass(frozen=True)
class Interval:
    """`low` and `high` are None for a single value, which has no interval."""

    mean: float
    low: float = None
    high: float = None

    def __str__(self):
        return number(self.mean) + ("" if self.low is None else f" ({number(self.low)} to {number(self.high)})")

    def transformed(self, function):
        return Interval(*(None if value is None else function(value) for value in (self.mean, self.low, self.high)))


def number(value):
    return f"{value:.3g}" if abs(value) < 100 else f"{value:.0f}"


def of_values(values):
    """`values` are independent of each other, and not none."""
    mean = fmean(values)
    if len(values) == 1:
        return Interval(mean)
    half = float(statistics.half_interval(values))
    return Interval(mean, mean - half, mean + half)


def of_ratios(ratios):
    """Around their geometric mean: half as long and twice as long cancel out."""
    return of_values([math.log(ratio) for ratio in ratios]).transformed(math.exp)
