# SPDX-License-Identifier: GPL-2.0-or-later
"""usage.svg: how much of the machine was used, and how many jobs waited, over time; one panel for each policy, and one
for all their queues."""

import numpy

from . import steps, style


class _Usage:
    def __init__(self, result):
        usage = result.usage
        self.times = usage["time"]
        self.used = 100 * usage["cores_used"] / result.cores
        self.waiting = usage["jobs_waiting"]


def _from(begin, times, values):
    """Nothing is there before the first change."""
    return numpy.concatenate(([min(begin, times[0])], times)), numpy.concatenate(([0], values))


def _draw_used(axes, policy, usage, span, colour):
    edges, means = steps.thinned(*_from(span[0], usage.times, usage.used), *span)
    axes.stairs(means, edges, fill=True, color=colour)
    last = min(span[1], usage.times[-1])
    mean = float((means * numpy.diff(edges)).sum() / (last - span[0])) if last > span[0] else 0
    axes.set_title(f"{policy}: {style.number(mean)} % of the cores used"
                   + (" until the last job ends" if last < span[1] else ""))
    axes.set_ylim(0, 100)
    axes.set_yticks([0, 50, 100])
    axes.set_ylabel("cores used (%)")
    axes.grid(axis="y")


def _draw_queues(axes, usages, span):
    strokes = style.strokes(usages)
    for policy, usage in usages.items():
        edges, means = steps.thinned(*_from(span[0], usage.times, usage.waiting), *span)
        axes.stairs(means, edges, linewidth=1.2, baseline=None, **strokes[policy])
    axes.set_title("jobs waiting")
    axes.set_ylabel("jobs")
    axes.set_ylim(bottom=0)
    axes.grid(axis="y")
    style.plain_numbers(axes.yaxis)


def draw(path, results, span, start):
    """The first result of each policy. `span`: (from, to) in seconds; `start`: see style.time_axis()."""
    usages = {policy: _Usage(of_policy[0]) for policy, of_policy in results.items()}
    colours = style.colours(usages)
    rows = len(usages) + 1
    figure, panels = style.subplots(rows, 1, (style.WIDTH, 1.3 * len(usages) + 2.9), sharex=True,
                                    gridspec_kw={"height_ratios": [1] * len(usages) + [1.7]})
    for axes, (policy, usage) in zip(panels[:, 0], usages.items()):
        _draw_used(axes, policy, usage, span, colours[policy])
    _draw_queues(panels[-1, 0], usages, span)
    style.time_axis(panels[-1, 0], span, start)
    style.title(figure, "Use of the machine over time")
    style.legend_below(figure, style.lines(usages))
    style.save(figure, path)
