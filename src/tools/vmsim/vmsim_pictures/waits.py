# SPDX-License-Identifier: GPL-2.0-or-later
"""waits.svg: which part of the jobs waits longer than a time, by class."""

import numpy
from matplotlib import ticker

from . import style
from .results import CLASSES

_POINTS = 300  # of a curve
_TICKS = {1: "1 s", 10: "10 s", 60: "1 min", 600: "10 min", 3600: "1 h", 6 * 3600: "6 h", 86400: "1 d",
          7 * 86400: "1 w", 28 * 86400: "4 w"}


def _waits(of_policy, job_class):
    """Ascending."""
    parts = [result.jobs["wait"][result.jobs["class"] == job_class] for result in of_policy]
    waits = numpy.concatenate(parts)
    return numpy.sort(waits[~numpy.isnan(waits)])


def _draw_panel(axes, waits, longest):
    strokes = style.strokes(waits)
    at = numpy.geomspace(1, longest, _POINTS)
    for policy, values in waits.items():
        if len(values):
            longer = 100 * (1 - numpy.searchsorted(values, at, side="right") / len(values))
            axes.plot(at, longer, linewidth=1.5, **strokes[policy])
    axes.set_xscale("log")
    axes.set_xlim(1, longest)
    ticks = [tick for tick in _TICKS if tick <= longest]
    axes.xaxis.set_major_locator(ticker.FixedLocator(ticks))
    axes.xaxis.set_major_formatter(ticker.FuncFormatter(lambda value, _: _TICKS.get(value, "")))
    axes.xaxis.set_minor_locator(ticker.NullLocator())
    axes.set_ylim(0, 100)
    axes.grid()
    axes.set_xlabel("wait")


def draw(path, results):
    by_class = {name: {policy: _waits(of_policy, index) for policy, of_policy in results.items()}
                for index, name in enumerate(CLASSES)}
    by_class = {name: waits for name, waits in by_class.items() if any(map(len, waits.values()))}
    longest = max((values[-1] for waits in by_class.values() for values in waits.values() if len(values)), default=1)
    figure, panels = style.subplots(1, max(1, len(by_class)), (style.WIDTH, 3.6), sharey=True)
    for axes, (name, waits) in zip(panels[0], by_class.items()):
        _draw_panel(axes, waits, max(60, 1.1 * longest))
        axes.set_title(f"{name} jobs")
    panels[0, 0].set_ylabel("jobs that wait longer (%)")
    style.title(figure, "How long jobs wait")
    style.legend_below(figure, style.lines(results))
    style.save(figure, path)
