# SPDX-License-Identifier: GPL-2.0-or-later
"""What the quickstart prints and keeps of what it has seen."""

import csv
import json
import math

from . import picture
from .cast import CORES


def _mean(telling, what):
    return sum(getattr(told, what) for told in telling.jobs.values()) / len(telling.jobs)


def print_findings(findings):
    """A line each, and what was seen instead where one does not hold."""
    print()
    for name, finding in findings.items():
        print(f"{name} {'ok' if finding.passed else 'FAILED':6} {finding.claim}" + ("" if finding.passed else f"\n          {finding.seen}"),
              flush=True)


def _print_times(ours, stock):
    def row(name, *times):
        print(f"  {name:6}" + "".join(f"{time:>11.1f} s" for time in times) + f"{times[3] / times[2]:>8.2f}")

    print(f"\nWhat would you gain? The jobs of the story at once, with the same work, on {CORES} cores of this machine:\n")
    print(f"{'':8}{'wait':^26}{'response':^26}\n{'':8}" + f"{'stock Slurm':>13}{'slurm-vmall':>13}" * 2 + f"{'ratio':>8}")
    for name, told in ours.jobs.items():
        other = stock.jobs[name]
        row(name, other.wait, told.wait, other.response, told.response)
    row("mean", *(_mean(telling, what) for what in ("wait", "response") for telling in (stock, ours)))


def show_times(directory, ours, stock):
    """The table, and gain.svg."""
    _print_times(ours, stock)
    picture.draw(directory / "gain.svg", [ours, stock], CORES)
    print(f"Four jobs are no proof: experiments/pages/evaluation.md has many. Who had which core when: {directory / 'gain.svg'}")


def _write_timeline(path, telling):
    with open(path, "w", newline="", encoding="utf-8") as file:
        table = csv.writer(file)
        table.writerow(["time", "job", "processes", "cores", "mpl"])
        for sample in telling.samples:
            for name, cores in sorted(sample.cores.items()):
                count = telling.jobs[name].processes
                table.writerow([f"{sample.time:.2f}", name, count, len(cores), math.ceil(count / len(cores))])


def save_findings(directory, findings, others):
    """summary.json, with others of its members."""
    summary = {
        "passed": all(finding.passed for finding in findings.values()),
        "checks": {name: vars(finding) for name, finding in findings.items()},
        **others,
    }
    (directory / "summary.json").write_text(json.dumps(summary, indent=2) + "\n", encoding="utf-8")


def save(directory, telling, findings, real_cores):
    """timeline.csv, timeline.svg and summary.json."""
    _write_timeline(directory / "timeline.csv", telling)
    save_findings(directory, findings, {
        "jobs": {name: {"processes": told.processes, "rounds": told.rounds, "wait": round(told.wait, 1),
                        "response": round(told.response, 1)} for name, told in telling.jobs.items()},
        "machine": {"real_cores": real_cores, "claimed_cores": CORES},
    })
    picture.draw(directory / "timeline.svg", [telling], CORES)


def say_what_next():
    print("""
Try next: contrib/quickstart --keep     leaves such a cluster running, for jobs of your own
          README.md                     whether it suits your site, and how to get it there
          experiments/pages             evaluation.md there: many workloads on a real Slurm, ours beside stock Slurm's""")


def explain_kept(cluster, cgroup, options="--vm-class=long --vm-procs=1-8"):
    """How to use the cluster that is left running, and the script that ends it. `cgroup`: that it runs in, or None; `options`: of
    a job."""
    stop = cluster.root / "stop"
    pids = " ".join(str(daemon.pid) for daemon in cluster.daemons)
    stop.write_text(f"""#!/bin/sh
# Ends this cluster and removes it, with the build that it runs from.
export SLURM_CONF={cluster.conf}
squeue -h -o %A | xargs -r scancel
while [ -n "$(squeue -h -o %A)" ]; do sleep 1; done
kill {pids}
for pid in {pids}; do
    while [ -d /proc/$pid ]; do sleep 1; done
done
rm -rf {cluster.root} {cluster.build.directory}
{f"rmdir {cgroup}" if cgroup else ""}
""")
    stop.chmod(0o755)
    print(f"""
The cluster is still running. To use it:
  export SLURM_CONF={cluster.conf}
  sinfo; squeue
  sbatch {options} --wrap 'srun {cluster.build.kernels}/cg 1000 5000'
  {cluster.build.vmctl} jobs
To end and remove it: {stop}""")
