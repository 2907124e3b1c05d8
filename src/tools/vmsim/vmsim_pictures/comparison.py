# SPDX-License-Identifier: GPL-2.0-or-later
"""comparison.svg: mean wait, response and bounded slowdown under each policy, of all jobs and by class."""

import math

import numpy
from matplotlib import ticker
from matplotlib.lines import Line2D

from . import statistics, style
from .results import CLASSES

_MEASURES = (("wait", "wait"), ("response", "response"), ("bounded_slowdown", "bounded slowdown"))


def _groups(results):
    """{name: which jobs of a result}: all, and the classes if there are two."""
    groups = {"all jobs": lambda jobs: numpy.full(len(jobs["class"]), True)}
    there = [index for index in range(len(CLASSES))
             if any((result.jobs["class"] == index).any() for of_policy in results.values() for result in of_policy)]
    if len(there) > 1:
        for index in there:
            groups[f"{CLASSES[index]} jobs"] = lambda jobs, index=index: jobs["class"] == index
    return groups


def _samples(of_policy, measure, chosen):
    """Of each workload."""
    for result in of_policy:
        values = result.jobs[measure][chosen(result.jobs)]
        yield values[~numpy.isnan(values)]


def _bars(results, measure, chosen):
    """[(mean, half interval, median) of each policy]; NaN where there is none."""
    bars = []
    for of_policy in results.values():
        samples = list(_samples(of_policy, measure, chosen))
        together = numpy.concatenate(samples)
        median = float(numpy.median(together)) if len(together) else math.nan
        bars.append((*statistics.of_workloads(samples), median))
    return bars


def _draw_panel(axes, bars, unit, colours):
    for row, ((mean, half, median), colour) in enumerate(zip(bars, colours)):
        if math.isnan(mean):
            continue
        mean, half, median = mean / unit, half / unit, median / unit
        axes.barh(row, mean, 0.75, color=colour)
        axes.plot([median, median], [row - 0.375, row + 0.375], color="black", linewidth=1.2, linestyle=(0, (1.5, 1)))
        end = max(mean, median)
        if not math.isnan(half):
            axes.errorbar(mean, row, xerr=half, color="black", linewidth=0.9, capsize=2.5)
            end = max(end, mean + half)
        axes.annotate(style.number(mean), (end, row), (4, 0), textcoords="offset points", va="center", fontsize=8)
    axes.set_ylim(len(bars) - 0.4, -0.6)
    axes.tick_params(axis="y", length=0)
    axes.grid(axis="x")


def _unit(bars, measure):
    if measure == "bounded_slowdown":
        return 1, ""
    unit, name = style.time_unit(max((bar[0] for bar in bars if not math.isnan(bar[0])), default=0))
    return unit, f" ({name})"


def _draw_column(panels, results, measure, name, groups):
    colours = list(style.colours(results).values())
    for axes, (group, chosen) in zip(panels, groups.items()):
        bars = _bars(results, measure, chosen)
        unit, unit_name = _unit(bars, measure)
        _draw_panel(axes, bars, unit, colours)
        axes.set_title(f"{name}, {group}{unit_name}")
        axes.set_xlim(0, 1.12 * axes.get_xlim()[1])  # for the number at the end of the longest bar
        axes.xaxis.set_major_locator(ticker.MaxNLocator(nbins=4))
        style.plain_numbers(axes.xaxis)


def draw(path, results):
    groups = _groups(results)
    height = len(groups) * (0.7 + 0.24 * len(results)) + 0.9
    figure, panels = style.subplots(len(groups), len(_MEASURES), (style.WIDTH, height), sharey=True)
    for column, (measure, name) in enumerate(_MEASURES):
        _draw_column(panels[:, column], results, measure, name, groups)
    panels[0, 0].set_yticks(range(len(results)), list(results))
    style.title(figure, "Means over the jobs")
    interval = Line2D([], [], color="black", linewidth=0.9, marker="|", label="95 % confidence interval")
    style.legend_below(figure, [interval, Line2D([], [], color="black", linestyle=(0, (1.5, 1)), label="median")])
    style.save(figure, path)
