# SPDX-License-Identifier: GPL-2.0-or-later
"""gains.svg: who gains and who loses against the first policy, of all jobs, by class and by size."""

import numpy
from matplotlib.patches import Patch

from . import style
from .results import CLASSES
from .sizes import Sizes

_SAME = 60  # seconds
_OUTCOMES = ((f"ends more than {_SAME} s earlier", "#4477aa"), ("about the same", "#dddddd"),
             (f"ends more than {_SAME} s later", "#ee8866"))


def _changes(reference, result):
    """(class, size bin, change of response) of the jobs that count under both."""
    _, before, after = numpy.intersect1d(reference.jobs["job"], result.jobs["job"], assume_unique=True,
                                         return_indices=True)
    change = result.jobs["response"][after] - reference.jobs["response"][before]
    return result.jobs["class"][after], Sizes(reference).found[before], change


def _groups(reference, job_class, size):
    """{name: which of the jobs}."""
    groups = {"all": numpy.full(len(size), True)}
    for index, name in enumerate(CLASSES):
        if (job_class == index).any():
            groups[name] = job_class == index
    for index, name in Sizes(reference).bins:
        groups[name] = size == index
    return {name: chosen for name, chosen in groups.items() if chosen.any()}


def _draw_group(axes, x, change):
    parts = [numpy.mean(change < -_SAME), numpy.mean(abs(change) <= _SAME), numpy.mean(change > _SAME)]
    bottom = 0
    for part, (_, colour) in zip(parts, _OUTCOMES):
        axes.bar(x, 100 * part, 0.8, bottom, color=colour)
        bottom += 100 * part
    axes.annotate(style.change(float(change.mean())), (x, 100), (0, 2), textcoords="offset points", ha="center",
                  fontsize=7.5)


def _draw_panel(axes, policy, reference, result):
    job_class, size, change = _changes(reference, result)
    groups = _groups(reference, job_class, size)
    for x, chosen in enumerate(groups.values()):
        _draw_group(axes, x, change[chosen])
    axes.set_xticks(range(len(groups)), list(groups))
    axes.tick_params(axis="x", length=0)
    axes.set_ylim(0, 100)
    axes.set_ylabel("jobs (%)")
    axes.set_title(policy, pad=14)


def draw(path, results):
    """The first result of each policy; nothing if there is only one policy."""
    (first, (reference, *_)), *others = results.items()
    if not others:
        return
    figure, panels = style.subplots(len(others), 1, (style.WIDTH, 2.3 * len(others) + 1.2), sharex=True)
    for axes, (policy, of_policy) in zip(panels[:, 0], others):
        _draw_panel(axes, policy, reference, of_policy[0])
    panels[-1, 0].set_xlabel(f"jobs: all, by class, by number of processes under {first}")
    style.title(figure, f"Who gains, who loses against {first} (above: mean change of response)")
    style.legend_below(figure, [Patch(color=colour, label=name) for name, colour in _OUTCOMES])
    style.save(figure, path)
