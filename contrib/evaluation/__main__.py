# SPDX-License-Identifier: GPL-2.0-or-later
"""contrib/evaluate, once everything is built."""

import signal
import sys
import time

from vmcluster import Build, ClusterError, SlurmError

from . import options, report
from .run import make
from .workload import WorkloadError


def say(text):
    print(text, flush=True)


def evaluate(asked):
    build = Build(asked.build.resolve())
    out = asked.out.resolve()
    runs = options.runs(asked)
    say(f"{len(runs)} runs; the clock of the workload is {asked.clock:g} times as fast as real time")
    summaries = []
    for number, run in enumerate(runs, 1):
        summary = run.kept(out)
        say(f"{number} of {len(runs)}: {run.name}" + (": is there already" if summary else ""))
        if not summary:
            began = time.monotonic()
            summary = make(build, run, out, say)
            errors = len(summary["log_errors"])
            say(f"  over after {time.monotonic() - began:.0f} s" + (f", {errors} errors in the daemons' logs" if errors else ""))
        summaries.append(summary)
        (out / "report.md").write_text(report.text(summaries), encoding="utf-8")
    say(f"the report is {out / 'report.md'}")


def main():
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    try:
        evaluate(options.parse())
    except (ClusterError, SlurmError, WorkloadError) as error:
        sys.exit(f"evaluate: {error}")


if __name__ == "__main__":
    main()
