# SPDX-License-Identifier: GPL-2.0-or-later
"""gain.svg: when each job of a burst waited, and how many cores it had then, one panel for each scheduler."""

import matplotlib

matplotlib.use("svg")
from matplotlib import pyplot  # noqa: E402 # pylint: disable=wrong-import-position
from matplotlib.patches import Patch  # noqa: E402 # pylint: disable=wrong-import-position

_WAITS = "#dddddd"
_RUNS = {1: "#4477aa", 2: "#ddaa33", 3: "#ee8833", 4: "#cc6677"}  # by MPL
_NARROWEST_LABEL = 0.05  # of the panel's width


def _draw_job(axes, row, job, allotments, end_of_all):
    axes.broken_barh([(job["submit"], job["end"] - job["submit"])], (row - 0.3, 0.6), facecolor=_WAITS)
    for share in allotments:
        length = share["end"] - share["begin"]
        axes.broken_barh([(share["begin"], length)], (row - 0.4, 0.8), facecolor=_RUNS[share["mpl"]], edgecolor="white",
                         linewidth=0.5)
        if length > _NARROWEST_LABEL * end_of_all:
            axes.text(share["begin"] + length / 2, row, f"{share['cores']}", ha="center", va="center", fontsize=8,
                      color="white", fontweight="bold")


def _draw_panel(axes, name, played, end_of_all):
    for row, job in enumerate(played.rows):
        _draw_job(axes, row, job, [share for share in played.allotments if share["job"] == job["job"]], end_of_all)
    axes.set_yticks(range(len(played.rows)), [f"{job['application']}, {job['class']}" for job in played.rows], fontsize=8)
    axes.set_xlim(0, end_of_all)
    axes.set_xlabel("seconds since they were submitted")
    mean = sum(job["response"] for job in played.rows) / len(played.rows)
    axes.set_title(f"{name}: mean response {mean:.0f} s", fontsize=10, loc="left")


def draw(path, played):
    """`played`: scheduler → Played."""
    end_of_all = max(job["end"] for its in played.values() for job in its.rows)
    figure, panels = pyplot.subplots(1, len(played), sharey=True, squeeze=False, figsize=(11, 4))
    for axes, (name, its) in zip(panels[0], played.items()):
        _draw_panel(axes, name, its, end_of_all)
    panels[0][0].invert_yaxis()  # both share it
    figure.legend(handles=[Patch(color=_WAITS, label="waits"), Patch(color=_RUNS[1], label="runs, on so many cores"),
                           *(Patch(color=_RUNS[mpl], label=f"folded, {mpl} processes on a core") for mpl in (2, 3, 4))],
                  ncols=5, fontsize=8, loc="lower center", frameon=False)
    figure.tight_layout(rect=(0, 0.06, 1, 1))
    figure.savefig(path)
    pyplot.close(figure)
