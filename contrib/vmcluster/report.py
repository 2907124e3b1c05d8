# SPDX-License-Identifier: GPL-2.0-or-later
"""What the quickstart prints and keeps of what it has seen."""

import csv
import json
import math

from . import picture


def _mean(telling, what):
    return sum(getattr(told, what) for told in telling.jobs.values()) / len(telling.jobs)


def print_results(tellings, findings):
    def row(name, pairs):
        print(f"  {name:6}" + "".join(f"{wait:12.1f} s{response:10.1f} s" for wait, response in pairs))

    print("\n        " + "".join(f"{telling.scheduler:>26}" for telling in tellings))
    print("  job   " + f"{'wait':>14}{'response':>12}" * len(tellings))
    for name in tellings[0].jobs:
        row(name, [(telling.jobs[name].wait, telling.jobs[name].response) for telling in tellings])
    row("mean", [(_mean(telling, "wait"), _mean(telling, "response")) for telling in tellings])
    print()
    for name, finding in findings.items():
        verdict = "ok" if finding.passed else "FAILED"
        print(f"{name} {verdict:6} {finding.claim}\n          {finding.seen}", flush=True)


def _write_timeline(path, tellings):
    with open(path, "w", newline="", encoding="utf-8") as file:
        table = csv.writer(file)
        table.writerow(["scheduler", "time", "job", "processes", "cores", "mpl"])
        for telling in tellings:
            for sample in telling.samples:
                for name, cores in sorted(sample.cores.items()):
                    count = telling.jobs[name].processes
                    table.writerow([telling.scheduler, f"{sample.time:.2f}", name, count, len(cores),
                                    math.ceil(count / len(cores))])


def _times(telling):
    jobs = {name: {"processes": told.processes, "wait": round(told.wait, 1), "response": round(told.response, 1)}
            for name, told in telling.jobs.items()}
    return {"jobs": jobs, "mean_wait": round(_mean(telling, "wait"), 1),
            "mean_response": round(_mean(telling, "response"), 1)}


def save(directory, tellings, findings, real, claimed):
    """timeline.csv, summary.json and timeline.svg. `real`, `claimed`: cores of the machine and of Slurm's node."""
    directory.mkdir(parents=True, exist_ok=True)
    _write_timeline(directory / "timeline.csv", tellings)
    summary = {
        "passed": all(finding.passed for finding in findings.values()),
        "checks": {name: vars(finding) for name, finding in findings.items()},
        "schedulers": {telling.scheduler: _times(telling) for telling in tellings},
        "machine": {"real_cores": real, "claimed_cores": claimed},
    }
    (directory / "summary.json").write_text(json.dumps(summary, indent=2) + "\n", encoding="utf-8")
    picture.draw(directory / "timeline.svg", tellings, claimed)
    print(f"\ntimeline.csv, summary.json and timeline.svg are in {directory}")


def explain_kept(cluster, cgroup):
    """How to use the cluster that is left running, and the script that ends it. `cgroup`: that it runs in, or None."""
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
  sbatch --vm-class=long --vm-procs=1-8 --wrap 'srun {cluster.build.kernels}/cg 1000 5000'
  {cluster.build.vmctl} jobs
To end and remove it: {stop}""")
