# SPDX-License-Identifier: GPL-2.0-or-later
"""timeline.svg: which job had which cores when, one panel per scheduler."""

import matplotlib

matplotlib.use("svg")
from matplotlib import pyplot  # noqa: E402 # pylint: disable=wrong-import-position

_COLOURS = {"A": "#4477aa", "B": "#cc6677", "C": "#ddaa33", "D": "#228833"}
_TITLES = {"vmall": "select/vmall + sched/fjt", "stock": "select/cons_tres + sched/backfill"}


def _spans(samples):
    """(job, core) → list of (start, length) from one sample to the next."""
    spans = {}
    for sample, following in zip(samples, samples[1:]):
        for name, cores in sample.cores.items():
            for core in cores:
                spans.setdefault((name, core), []).append((sample.time, following.time - sample.time))
    return spans


def _label(axes, samples, told):
    """The job's name and processes, in the middle of its longest stretch on the same cores."""
    stretches = []
    for sample in samples:
        cores = sample.cores.get(told.job.name)
        if stretches and stretches[-1][2] == cores:
            stretches[-1][1] = sample.time
        else:
            stretches.append([sample.time, sample.time, cores])
    start, end, cores = max((item for item in stretches if item[2]), key=lambda item: (item[1] - item[0]) * len(item[2]))
    middle = (min(cores) + max(cores)) / 2
    axes.text((start + end) / 2, middle, f"{told.job.name}\n{told.processes} processes", ha="center", va="center",
              fontsize=9, color="white", fontweight="bold")


def _panel(axes, telling, cores):
    for (name, core), spans in _spans(telling.samples).items():
        axes.broken_barh(spans, (core - 0.5, 1), color=_COLOURS.get(name, "grey"), linewidth=0)
    for told in telling.jobs.values():
        _label(axes, telling.samples, told)
    for fold in telling.folds:
        verb = "folds" if len(fold.after) < len(fold.before) else "unfolds"
        axes.annotate(f"{fold.name} {verb}", (fold.time, cores - 0.5), (fold.time, cores - 0.1), ha="center", fontsize=8,
                      arrowprops={"arrowstyle": "-", "linewidth": 0.6})
    axes.set_ylim(-0.5, cores + 0.4)
    axes.set_yticks(range(cores))
    axes.set_ylabel("core")
    axes.set_title(_TITLES[telling.scheduler], fontsize=10, loc="left")
    for core in range(cores):
        axes.axhline(core + 0.5, color="white", linewidth=0.5)


def draw(path, tellings, cores):
    figure, panels = pyplot.subplots(len(tellings), 1, sharex=True, squeeze=False, figsize=(10, 3.2 * len(tellings)))
    for axes, telling in zip(panels[:, 0], tellings):
        _panel(axes, telling, cores)
    panels[-1, 0].set_xlabel("seconds since the first submission")
    figure.tight_layout()
    figure.savefig(path)
    pyplot.close(figure)
