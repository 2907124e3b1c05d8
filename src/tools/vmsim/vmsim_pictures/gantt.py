# SPDX-License-Identifier: GPL-2.0-or-later
"""allotments.svg: which job had how many cores when, one panel for each policy."""

import numpy
from matplotlib.patches import Patch, PathPatch
from matplotlib.path import Path

from . import packing, style
from .problem import Problem
from .results import CLASSES

# By class: neighbours differ in lightness.
_SHADES = {"short": ("#ee9977", "#e57750", "#f3b49a"), "long": ("#5b8db8", "#3d6f9e", "#86add0")}
_HATCHES = {1: None, 2: "///", 3: "xxx", 4: "xxxxx"}
_LABEL_POINTS = (5.5, 8)  # width of a digit, height of a line


def _stretches(result, span):
    """(begin, end, job, cores, mpl) of what is in the span, by begin."""
    table = result.allotments
    inside = numpy.flatnonzero((table["begin"] < span[1]) & (table["end"] > span[0]))
    rows = sorted((max(float(table["begin"][i]), span[0]), float(table["end"][i]), int(table["job"][i]),
                   int(table["cores"][i]), int(table["mpl"][i])) for i in inside)
    return rows


def _rectangles(boxes):
    """One path for all (x, y, width, height): far smaller than a path for each."""
    corners, codes = [], []
    for x, y, width, height in boxes:
        corners += [(x, y), (x + width, y), (x + width, y + height), (x, y + height), (x, y)]
        codes += [Path.MOVETO, Path.LINETO, Path.LINETO, Path.LINETO, Path.CLOSEPOLY]
    return Path(corners, codes)


def _label(axes, job, box, scale, colour):
    x, y, width, height = box
    text = str(job)
    if width * scale[0] > _LABEL_POINTS[0] * (len(text) + 1) and height * scale[1] > _LABEL_POINTS[1]:
        axes.text(x + width / 2, y + height / 2, text, ha="center", va="center_baseline", fontsize=7.5,
                  color=style.ink_on(colour), fontweight="bold", clip_on=True,
                  bbox={"facecolor": colour, "linewidth": 0, "pad": 1.5})


def _draw_jobs(axes, result, span, scale):
    """(MPLs in use, jobs, the highest core in use)"""
    stretches = _stretches(result, span)
    try:  # records of a site overlap by a second here and there
        placed = packing.place([stretch[:4] for stretch in stretches], result.cores, result.overlapping)
    except Problem as problem:
        raise Problem(f"{result.directory / 'allotments.csv'}: {problem}") from None
    by_style = {}
    for (begin, end, job, _, mpl), runs in zip(stretches, placed):
        shades = _SHADES[result.class_of(job)]
        for first, count in runs:
            box = (begin, first, min(end, span[1]) - begin, count)
            colour = shades[job % len(shades)]
            by_style.setdefault((colour, min(mpl, 4)), []).append(box)
            _label(axes, job, box, scale, colour)
    line = min(0.4, 0.2 * scale[1])  # a job with one core must not vanish between its lines
    for (colour, mpl), boxes in sorted(by_style.items()):
        axes.add_patch(PathPatch(_rectangles(boxes), facecolor=colour, edgecolor="white", linewidth=line,
                                 hatch=_HATCHES[mpl]))
    highest = max((first + count for runs in placed for first, count in runs), default=0)
    return {mpl for _, mpl in by_style}, len({stretch[2] for stretch in stretches}), highest


def _legend(mpls):
    handles = [Patch(color=_SHADES[name][0], label=f"{name} jobs") for name in CLASSES]
    handles += [Patch(facecolor="#888888", edgecolor="white", hatch=_HATCHES[mpl],
                      label=f"folded, {mpl} processes on a core") for mpl in sorted(mpls) if mpl > 1]
    return handles


def draw(path, results, span, part, start):
    """The first result of each policy. `span`: (from, to) in seconds; `part`: which part of the run that is; `start`:
    see style.time_axis()."""
    height = 2.6
    figure, panels = style.subplots(len(results), 1, (style.WIDTH, height * len(results) + 1.2), sharex=True)
    mpls = set()
    for axes, (policy, of_policy) in zip(panels[:, 0], results.items()):
        result = of_policy[0]
        scale = (72 * 0.92 * style.WIDTH / (span[1] - span[0]), 72 * 0.75 * height / result.cores)
        used, jobs, highest = _draw_jobs(axes, result, span, scale)
        mpls |= used
        axes.set_title(f"{policy}: {jobs} jobs")
        axes.set_ylim(0, max(result.cores, highest))
        if highest > result.cores:
            axes.axhline(result.cores, color="black", linewidth=0.8)
        axes.set_ylabel("cores")
        axes.yaxis.get_major_locator().set_params(integer=True)
    style.time_axis(panels[-1, 0], span, start)
    style.title(figure, "Allotments" + (f": {part}" if part else ""))
    style.legend_below(figure, _legend(mpls))
    style.save(figure, path)
