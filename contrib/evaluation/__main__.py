# SPDX-License-Identifier: GPL-2.0-or-later
"""contrib/evaluate, once everything is built."""

import signal
import sys
import time

from vmcluster import Build, ClusterError, SlurmError

from . import options, progress, report
from .run import make
from .workload import WorkloadError


def say(text):
    print(text, flush=True)


def evaluate(asked):
    build = Build(asked.build.resolve())
    out = asked.out.resolve()
    all_runs = options.runs(asked)
    runs = {f"{number} of {len(all_runs)}, {run.name}": run for number, run in enumerate(all_runs, 1)}
    say(f"{len(runs)} runs; the clock of the workload is {asked.clock:g} times as fast as real time")
    summaries = {name: summary for name, run in runs.items() if (summary := run.kept(out))}
    for name in summaries:
        say(f"{name}: is there already")

    def write_report():
        in_order = [summaries[name] for name in runs if name in summaries]
        (out / "report.md").write_text(report.text(in_order), encoding="utf-8")

    def carry_out(run, watch):
        began = time.monotonic()
        watch.say("begins")
        summary = make(build, run, out, watch)
        errors = len(summary["log_errors"])
        watch.say(f"over after {time.monotonic() - began:.0f} s" + (f", {errors} errors in the daemons' logs" if errors else ""))
        return summary

    def done(name, summary):
        summaries[name] = summary
        write_report()

    if summaries:
        write_report()
    left = {name: run for name, run in runs.items() if name not in summaries}
    progress.carry_out(carry_out, left, asked.at_once, say, done)
    say(f"the report is {out / 'report.md'}")


def main():
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    try:
        evaluate(options.parse())
    except (ClusterError, SlurmError, WorkloadError) as error:
        sys.exit(f"evaluate: {error}")


if __name__ == "__main__":
    main()
