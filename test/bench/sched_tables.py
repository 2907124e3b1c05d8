# SPDX-License-Identifier: GPL-2.0-or-later
"""From the rows of `sched --csv` to tables, as Markdown."""

import csv
import dataclasses
import statistics

from pages import table

FEW = 5  # samples, of which the page says how many they are


@dataclasses.dataclass(frozen=True)
class Measure:
    """`stock`: what it is compared with on the other side, if that is another one."""

    name: str
    words: str
    factor: float = 1  # from what the file has to what the page shows
    more_is_better: bool = False
    stock: str = ""


MEASURES = (
    Measure("main", "cycle of Slurm's main loop, ms", 1e3),
    Measure("backfill", "cycle of sched/backfill, ms", 1e3),
    Measure("tried", "time of such a cycle for each job that it tried, ms", 1e3),
    Measure("pass", "pass of sched/fjt against a cycle of sched/backfill, ms", 1e3, stock="backfill"),
    Measure("started", "jobs started per second", more_is_better=True),
    Measure("locked", "share of time that schedulers hold the write lock, %", 100),
    Measure("longest", "longest time in one go that one of them does, ms", 1e3),
    Measure("waits", "share of time that a client waits, %", 100),
)


def read(path):
    """Samples by (nodes, waiting, malleable), side and measure."""
    points = {}
    with open(path, newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            point = tuple(int(row[name]) for name in ("nodes", "waiting", "malleable"))
            samples = [float(value) for value in row["values"].split(";") if value]
            points.setdefault(point, {})[row["side"], row["measure"]] = samples
    return points


@dataclasses.dataclass(frozen=True)
class Comparison:
    measure: Measure
    ours: list
    stock: list

    @property
    def ratio(self):
        """As text."""
        stock = statistics.median(self.stock)
        return f"{statistics.median(self.ours) / stock:.2f}" if stock else "–"

    @property
    def is_good(self):
        """No worse than stock, as far as the page shows it."""
        ours, stock = statistics.median(self.ours), statistics.median(self.stock)
        if not stock:
            return self.measure.more_is_better or not ours
        ratio = round(ours / stock, 2)
        return ratio >= 1 if self.measure.more_is_better else ratio <= 1

    @property
    def is_in_spread(self):
        """Of stock's own samples."""
        return min(self.stock) <= statistics.median(self.ours) <= max(self.stock)

    def __str__(self):
        ours, stock = (_spread(samples, self.measure.factor) for samples in (self.ours, self.stock))
        return f"**{self.ratio}** {ours} / {stock}"


def _number(value):
    return f"{value:.0f}" if value >= 99.95 else f"{value:.3g}"


def _spread(samples, factor):
    low, middle, high = (_number(value * factor)
                         for value in (min(samples), statistics.median(samples), max(samples)))
    return f"{middle} ({low}–{high})" + (f" of {len(samples)}" if len(samples) < FEW else "")


def compare(sides, measure):
    """None: one of them has no samples."""
    ours = sides.get(("vmall", measure.name))
    stock = sides.get(("stock", measure.stock or measure.name))
    return Comparison(measure, ours, stock) if ours and stock else None


def words_of(point):
    return "{} × {}, {} %".format(*point)


def by_point(points, measure):
    shares = sorted({malleable for _, _, malleable in points})
    lines = []
    for nodes, waiting in sorted({point[:2] for point in points}):
        cells = [compare(points.get((nodes, waiting, malleable), {}), measure) for malleable in shares]
        lines.append([f"{nodes:,}", f"{waiting:,}", *(str(cell or "") for cell in cells)])
    return table(["nodes", "waiting jobs", *(f"{malleable} %" for malleable in shares)], lines) if lines else ""


def verdicts(points):
    lines = []
    for measure in MEASURES:
        found = {point: compare(sides, measure) for point, sides in sorted(points.items())}
        found = {point: comparison for point, comparison in found.items() if comparison}
        worse = {point: comparison for point, comparison in found.items() if not comparison.is_good}
        beyond = [f"{words_of(point)} ({comparison.ratio})" for point, comparison in worse.items()
                  if not comparison.is_in_spread]
        lines.append([measure.words, str(len(found)), str(len(found) - len(worse)), str(len(worse) - len(beyond)),
                      f"{len(beyond)}{': ' if beyond else ''}{'; '.join(beyond)}"])
    return table(["measure", "points", "no worse than stock", "within the spread of stock's samples", "worse"],
                 lines) if points else ""
