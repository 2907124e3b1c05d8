# SPDX-License-Identifier: GPL-2.0-or-later
"""The report's pictures, drawn by vmsim-pictures. Its charts.py and results.py say what it reads."""

import json
import subprocess
import tempfile
from pathlib import Path

from . import intervals, kept, machines
from .headline import QUESTIONS, STOCK

_MEASURES = ("response", "wait", "execution")


class PictureError(Exception):
    """vmsim-pictures failed."""


def _draw(build, source, folder):
    done = subprocess.run([str(build.pictures), str(source), "--output", str(folder)], text=True, capture_output=True, check=False)
    if done.returncode:
        raise PictureError(f"vmsim-pictures: {done.stderr.strip()}")


def _point(group, policy, kind, measure, side):
    """None where there are no such jobs, or nothing is predicted."""
    values = [kept.mean(run, kind, measure, side) for run in group.of(policy, kind).values() if run[side]]
    return intervals.of_values(values) if values else None


def _series(policy, groups, kind, measure):
    points, predicted = ([_point(group, policy, kind, measure, side) for group in groups] for side in ("measured", "predicted"))
    return {"name": policy, **{name: [point and getattr(point, name) for point in points] for name in ("mean", "low", "high")},
            "paper": [point and point.mean for point in predicted]}


def _panel(groups, kind, measure):
    policies = dict.fromkeys(name for group in groups for name in group.policies())
    return {"kind": "bars", "title": f"{kind} jobs", "x_label": "workload", "y_label": f"mean {measure} (s)",
            "x": [group.workload for group in groups], "series": [_series(policy, groups, kind, measure) for policy in policies]}


def _families(groups):
    """{name of a picture: groups in it}: related workloads under the same settings."""
    differences = list(dict.fromkeys(group.difference for group in groups))
    families = {}
    for group in groups:
        family = group.workload.partition("-")[0].rstrip("123456")
        number = differences.index(group.difference)
        families.setdefault(f"{family}-{number + 1}" if number else family, []).append(group)
    return families


def _caption(measure, groups):
    """Settings are too long for a title."""
    return ", ".join(filter(None, [measure.capitalize(), *(group.workload for group in groups), groups[0].difference]))


def charts(groups):
    """What vmsim-pictures draws as bars: measured means with their intervals, and marks where vmsim has them."""
    for name, those in _families(groups).items():
        for measure in _MEASURES:
            yield {"name": f"{name}-{measure}", "title": measure.capitalize(), "marks": "vmsim",
                   "panels": [_panel(those, kind, measure) for kind in ("short", "long")]}


def _results(runs):
    """Of single runs of several policies, each measured and then as vmsim has it."""
    for run in runs:
        predicted = next(path.parent for path in (run["folder"] / "predicted").glob("*/jobs.csv"))
        for side, folder in (("measured", run["folder"]), ("vmsim", predicted)):
            yield {"directory": str(folder.resolve()), "policy": f"{run['policy']}, {side}", "workload": run["workload"],
                   "cores": machines.named(run["machine"]).cores, "overlapping": side == "measured"}


def shown(groups):
    """Runs with the same jobs under stock Slurm and the policies that the report asks about: of the first workload and seed that
    have two of them at least."""
    for group in groups:
        by_seed = [group.of(policy) for policy in (STOCK, *QUESTIONS)]
        for seed in sorted(by_seed[0]):
            runs = [of[seed] for of in by_seed if seed in of]
            if len(runs) > 1:
                return runs
    return []


def _draw_allotments(build, runs, folder):
    with tempfile.TemporaryDirectory() as scratch:
        (Path(scratch) / "summary.json").write_text(json.dumps({"results": list(_results(runs))}), encoding="utf-8")
        _draw(build, scratch, scratch)
        (folder / "allotments.svg").write_bytes((Path(scratch) / "allotments.svg").read_bytes())


def draw(build, groups, folder):
    """(what it shows, file) of each picture."""
    folder.mkdir(parents=True, exist_ok=True)
    drawn = list(charts(groups))
    with tempfile.TemporaryDirectory() as scratch:
        path = Path(scratch) / "charts.json"
        path.write_text(json.dumps({"format": "vmsim-charts-1", "charts": drawn}), encoding="utf-8")
        _draw(build, path, folder)
    pictures = [(_caption(measure, those), folder / f"{name}-{measure}.svg") for name, those in _families(groups).items()
                for measure in _MEASURES]
    if runs := shown(groups):
        _draw_allotments(build, runs, folder)
        pictures.append((f"Allotments, {runs[0]['workload']}, seed {runs[0]['seed']}", folder / "allotments.svg"))
    return pictures
