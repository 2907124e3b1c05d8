# SPDX-License-Identifier: GPL-2.0-or-later
"""responses.svg: which part of the jobs responds within how many times its response under EASY. The file is described
in src/tools/vmsim/study_report.hpp."""

import numpy
from matplotlib import ticker

from . import style
from .problem import Problem
from .results import member, read_json

_FORMAT = "vmsim-study-1"
_TICKS = (0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30, 100, 300, 1000)


def is_one(directory):
    return read_json(directory / "summary.json").get("format") == _FORMAT


def _ratios(where, entry):
    values = member(where, entry, "response_ratios", list)
    if not values or not all(isinstance(value, (int, float)) and value > 0 for value in values):
        raise Problem(f"{where}: response_ratios are no numbers above 0")
    return numpy.array(values, dtype=float)


def _load(path):
    """{variant: ascending percentiles}."""
    rows = member(path, read_json(path), "rows", list)
    return {member(f"{path}: rows[{index}]", row, "variant", str): _ratios(f"{path}: rows[{index}]", row)
            for index, row in enumerate(rows) if "response_ratios" in row}


def _range(curves):
    """Of the axis: what all but the last percent on either side of every curve needs, and 1 in its midst."""
    low = min(numpy.percentile(values, 1) for values in curves)
    high = max(numpy.percentile(values, 99) for values in curves)
    return 0.9 * min(low, 0.5), 1.1 * max(high, 2)


def draw(path, directory):
    curves = _load(directory / "summary.json")
    if not curves:
        raise Problem(f"{directory / 'summary.json'}: has no responses to draw")
    figure, panels = style.subplots(1, 1, (style.WIDTH, 4.2))
    axes = panels[0, 0]
    strokes = style.strokes(curves)
    for name, values in curves.items():
        parts = 100 * numpy.arange(1, len(values) + 1) / (len(values) + 1)
        axes.plot(values, parts, linewidth=1.5, **strokes[name])
    axes.axvline(1, color="#888888", linewidth=0.8)
    axes.set_xscale("log")
    low, high = _range(curves.values())
    axes.set_xlim(low, high)
    axes.xaxis.set_major_locator(ticker.FixedLocator([tick for tick in _TICKS if low <= tick <= high]))
    axes.xaxis.set_minor_locator(ticker.NullLocator())
    style.plain_numbers(axes.xaxis)
    axes.set_ylim(0, 100)
    axes.grid()
    axes.set_xlabel("response over the same job's under EASY on the same machine")
    axes.set_ylabel("jobs up to there (%)")
    style.title(figure, "Response of each job beside EASY")
    style.legend_below(figure, style.lines(curves))
    style.save(figure, path)
