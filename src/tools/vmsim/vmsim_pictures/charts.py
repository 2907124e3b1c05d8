# SPDX-License-Identifier: GPL-2.0-or-later
"""The charts of `vmlab reproduce`, whose file experiments/reproduce/chart.hpp describes."""

import math
import re

import numpy
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from . import style
from .problem import Problem
from .results import member, read_json

_FORMAT = "vmsim-charts-1"
_WIDTH = 0.8  # of the bars of a group together
_MOST_COLUMNS = 3
_PAPER_MARK = {"linestyle": "none", "marker": "D", "markersize": 6, "markeredgecolor": "black", "markeredgewidth": 0.9}


def _numbers(where, entry, name, count):
    """As many numbers as x; NaN for null."""
    values = member(where, entry, name, list)
    if len(values) != count:
        raise Problem(f"{where}: {name} has {len(values)} values for {count} of x")
    for value in values:
        if value is not None and (isinstance(value, bool) or not isinstance(value, (int, float))):
            raise Problem(f"{where}: {name} has {value!r} instead of a number or null")
    return numpy.array([math.nan if value is None else value for value in values], dtype=float)


class _Series:
    def __init__(self, where, entry, count):
        self.name = member(where, entry, "name", str)
        self.mean = _numbers(where, entry, "mean", count)
        self.low = _numbers(where, entry, "low", count)
        self.high = _numbers(where, entry, "high", count)
        self.paper = _numbers(where, entry, "paper", count) if "paper" in entry else None


class _Panel:
    def __init__(self, where, entry):
        self.kind = member(where, entry, "kind", str)
        if self.kind not in ("bars", "lines"):
            raise Problem(f'{where}: kind is "{self.kind}" instead of bars or lines')
        self.title = member(where, entry, "title", str)
        self.x_label = member(where, entry, "x_label", str)
        self.y_label = member(where, entry, "y_label", str)
        self.x = member(where, entry, "x", list)
        if self.kind == "lines":
            self.x = _numbers(where, entry, "x", len(self.x))
        self.series = [_Series(f"{where}: series[{index}]", one, len(self.x))
                       for index, one in enumerate(member(where, entry, "series", list))]


class _Chart:
    def __init__(self, where, entry):
        self.name = member(where, entry, "name", str)
        if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9.-]*", self.name):
            raise Problem(f'{where}: name is "{self.name}", which is no name for a file')
        self.title = member(where, entry, "title", str)
        self.marks = member(where, entry, "marks", str) if "marks" in entry else "the paper"
        self.panels = [_Panel(f"{where}: panels[{index}]", panel)
                       for index, panel in enumerate(member(where, entry, "panels", list))]
        if not self.panels:
            raise Problem(f"{where}: has no panels")

    def names(self):
        """Of all series, in order of appearance."""
        return list(dict.fromkeys(series.name for panel in self.panels for series in panel.series))


def _whiskers(series):
    low, high = series.mean - series.low, series.high - series.mean
    there = ~(numpy.isnan(low) | numpy.isnan(high))
    return there, numpy.array([low[there], high[there]])


def _mark_paper(axes, x, series, colour):
    if series.paper is not None:
        axes.plot(x, series.paper, color=colour, **_PAPER_MARK)


def _draw_bars(axes, panel, colours):
    width = _WIDTH / max(1, len(panel.series))
    places = numpy.arange(len(panel.x))
    for index, series in enumerate(panel.series):
        x = places + (index + 0.5) * width - _WIDTH / 2
        axes.bar(x, series.mean, 0.92 * width, color=colours[series.name])
        there, whiskers = _whiskers(series)
        axes.errorbar(x[there], series.mean[there], whiskers, fmt="none", ecolor="black", elinewidth=0.9, capsize=2)
        _mark_paper(axes, x, series, "#eeeeee")
    turned = sum(len(str(text)) for text in panel.x) > 45
    axes.set_xticks(places, [str(text) for text in panel.x], rotation=30 if turned else 0,
                    ha="right" if turned else "center")
    axes.tick_params(axis="x", length=0)
    axes.grid(axis="y")


def _draw_lines(axes, panel, colours):
    for index, series in enumerate(panel.series):
        axes.fill_between(panel.x, series.low, series.high, color=colours[series.name], alpha=0.2, linewidth=0)
        axes.plot(panel.x, series.mean, color=colours[series.name], linewidth=1.6, marker="osD^vPX*"[index % 8],
                  markersize=4)
        _mark_paper(axes, panel.x, series, colours[series.name])
    axes.grid()


def _legend(chart, colours):
    lines = any(panel.kind == "lines" for panel in chart.panels)
    handles = [Line2D([], [], color=colour, linewidth=3, label=name) if lines else Patch(color=colour, label=name)
               for name, colour in colours.items()]
    if any(series.paper is not None for panel in chart.panels for series in panel.series):
        handles.append(Line2D([], [], color="#eeeeee", label=chart.marks, **_PAPER_MARK))
    return handles


def _draw(path, chart):
    columns = 2 if len(chart.panels) == 4 else min(_MOST_COLUMNS, len(chart.panels))
    rows = -(-len(chart.panels) // columns)
    figure, grid = style.subplots(rows, columns, (max(6, 3.6 * columns), 3.3 * rows + 0.9))
    colours = style.colours(chart.names())
    for axes, panel in zip(grid.flat, chart.panels):
        (_draw_bars if panel.kind == "bars" else _draw_lines)(axes, panel, colours)
        axes.set_title(panel.title)
        axes.set_xlabel(panel.x_label)
        axes.set_ylabel(panel.y_label)
        axes.set_ylim(bottom=min(0, axes.get_ylim()[0]) if panel.kind == "bars" else None)
        style.plain_numbers(axes.yaxis)
    for axes in grid.flat[len(chart.panels):]:
        axes.set_axis_off()
    style.title(figure, chart.title)
    style.legend_below(figure, _legend(chart, colours))
    style.save(figure, path)


def draw(directory, path):
    """Every chart of the file, as DIRECTORY/NAME.svg."""
    value = read_json(path)
    if member(path, value, "format", str) != _FORMAT:
        raise Problem(f'{path}: format is "{value["format"]}" instead of {_FORMAT}')
    charts = [_Chart(f"{path}: charts[{index}]", chart)
              for index, chart in enumerate(member(path, value, "charts", list))]
    for chart in charts:
        _draw(directory / f"{chart.name}.svg", chart)
