# SPDX-License-Identifier: GPL-2.0-or-later
"""timeline.svg: which job had which cores when, one panel per scheduler."""

import matplotlib

matplotlib.use("svg")
from matplotlib import pyplot  # noqa: E402 # pylint: disable=wrong-import-position

_COLOURS = {"A": "#4477aa", "B": "#cc6677", "C": "#ddaa33", "D": "#228833"}
_TITLES = {"vmall": "select/cons_tres_vmall + sched/fjt", "stock": "select/cons_tres + sched/backfill"}
_NARROWEST_LABEL = 0.06  # of the panel's width


def _stretches(samples, name):
    """(start, end, cores) for every time in which the job had the same cores."""
    found = []
    for sample, following in zip(samples, samples[1:]):
        cores = sample.cores.get(name)
        if cores and found and found[-1][1:] == (sample.time, cores):
            found[-1] = (found[-1][0], following.time, cores)
        elif cores:
            found.append((sample.time, following.time, cores))
    return found


def _bands(cores):
    """(lowest, count) of every run of neighbouring cores."""
    bands = []
    for core in sorted(cores):
        if bands and sum(bands[-1]) == core:
            bands[-1] = (bands[-1][0], bands[-1][1] + 1)
        else:
            bands.append((core, 1))
    return bands


def _draw_job(axes, telling, told, end_of_all):
    name = told.job.name
    for start, end, cores in _stretches(telling.samples, name):
        bands = _bands(cores)
        for lowest, count in bands:
            axes.broken_barh([(start, end - start)], (lowest - 0.5, count), facecolor=_COLOURS[name],
                             edgecolor="white", linewidth=0.5)
        if end - start < _NARROWEST_LABEL * end_of_all:
            continue
        lowest, count = max(bands, key=lambda band: band[1])
        axes.text((start + end) / 2, lowest - 0.5 + count / 2, f"{name}: {told.processes} on {len(cores)}", ha="center",
                  va="center", fontsize=9, color="white", fontweight="bold")


def _draw_panel(axes, telling, cores, end_of_all):
    for told in telling.jobs.values():
        _draw_job(axes, telling, told, end_of_all)
    for resize in telling.resizes:
        verb = "folds" if resize.is_fold else "unfolds"
        axes.text(resize.time, cores - 0.35, f"{resize.name} {verb}", ha="center", fontsize=8)
        axes.axvline(resize.time, color="black", linewidth=0.6, linestyle=":")
    axes.set_xlim(0, end_of_all)
    axes.set_ylim(-0.5, cores + 0.3)
    axes.set_yticks(range(cores))
    axes.set_ylabel("core")
    axes.set_title(_TITLES[telling.scheduler] + "   (job: processes on cores)", fontsize=10, loc="left")


def draw(path, tellings, cores):
    end_of_all = max(told.ended for telling in tellings for told in telling.jobs.values())
    figure, panels = pyplot.subplots(len(tellings), 1, sharex=True, squeeze=False, figsize=(10, 3.2 * len(tellings)))
    for axes, telling in zip(panels[:, 0], tellings):
        _draw_panel(axes, telling, cores, end_of_all)
    panels[-1, 0].set_xlabel("seconds since the first submission")
    figure.tight_layout()
    figure.savefig(path)
    pyplot.close(figure)
