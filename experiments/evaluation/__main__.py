# SPDX-License-Identifier: GPL-2.0-or-later
"""experiments/evaluate, once everything is built."""

import sys
import time

from vmcluster import Build, ClusterError, SlurmError
from vmcluster.interruption import interrupted_once

from . import kept, options, pictures, progress, report
from .pictures import PictureError
from .run import make
from .workload import WorkloadError


def say(text):
    print(text, flush=True)


def carry_out(asked, build, out):
    """Makes the runs that are not there yet."""
    all_runs = options.runs(asked)
    runs = {f"{number} of {len(all_runs)}, {run.name}": run for number, run in enumerate(all_runs, 1)}
    clocks = dict.fromkeys(f"{run.settings.clock:g}" for run in all_runs)
    say(f"{len(runs)} runs; the clock of the workload is {' or '.join(clocks)} times as fast as real time")
    there = {name for name, run in runs.items() if run.kept(out)}
    for name in runs:
        if name in there:
            say(f"{name}: is there already")

    def make_one(run, watch):
        began = time.monotonic()
        watch.say("begins")
        errors = len(make(build, run, out, watch)["log_errors"])
        watch.say(f"over after {time.monotonic() - began:.0f} s" + (f", {errors} errors in the daemons' logs" if errors else ""))

    def done(_name, _result):
        (out / "report.md").write_text(report.text(kept.runs(out)), encoding="utf-8")

    progress.carry_out(make_one, {name: run for name, run in runs.items() if name not in there}, asked.at_once, say, done)


def write_report(build, out, page):
    """Of all complete runs in `out`. Pictures go into a folder beside the page that is named like it."""
    summaries = kept.runs(out)
    if not summaries:
        sys.exit(f"evaluate: {out} has no complete run to report")
    drawn = pictures.draw(build, kept.groups(summaries), page.with_suffix(""))
    links = [(name, path.relative_to(page.parent)) for name, path in drawn]
    page.write_text(report.text(summaries, links), encoding="utf-8")
    say(f"the report is {page}")


def evaluate(asked):
    build = Build(asked.build.resolve())
    out = asked.out.resolve()
    if not asked.report_only:
        carry_out(asked, build, out)
    write_report(build, out, asked.page.resolve() if asked.page else out / "report.md")


def main():
    interrupted_once()
    try:
        evaluate(options.parse())
    except KeyboardInterrupt:
        sys.exit("evaluate: interrupted; the same command goes on with the runs that are not complete")
    except (ClusterError, SlurmError, WorkloadError, PictureError) as error:
        sys.exit(f"evaluate: {error}")


if __name__ == "__main__":
    main()
