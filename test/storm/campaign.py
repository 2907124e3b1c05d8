# SPDX-License-Identifier: GPL-2.0-or-later
"""Many seeds, some at once, each in a process of its own; and the table in the end."""

import argparse
import json
import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
from pathlib import Path

from vmcluster import Build
from vmcluster.interruption import interrupted_once
from vmcluster.waiting import LIMIT

from . import clock, faults, jobs
from .storm import Storm

# Of so many seeds one has faults of these kinds.
_RARE = {
    "suspend": 5,  # after that stock Slurm, too, gives cores twice, and hides what else would
    "takeover": 3,  # needs a backup slurmctld
    "jump_clock": 7,  # ends most jobs, and has all of Slurm's daemons run with libfaketime
}
_HANGS = 3600  # seconds, beside those for its faults, after which a seed has not ended
_RESIZED = re.compile(r"sched/fjt: ((?:un)?folded) JobId=")
_DEALT = re.compile(r"job \d+: (allotment) is cores \S+, mpl \d+, generation [1-9]")


def _arguments(words, about):
    parser = argparse.ArgumentParser(prog="test/storm/run", description=about)
    parser.add_argument("--build", type=Path, default=Path.cwd(), metavar="DIR", help="where make put what is to be tried (default: here)")
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="the first seed (default: %(default)s)")
    parser.add_argument("--seeds", type=int, default=1, metavar="N", help="how many (default: %(default)s)")
    parser.add_argument("--faults", type=int, default=60, metavar="N", help="of each seed (default: %(default)s)")
    parser.add_argument("--shards", type=int, default=1, metavar="K", help="clusters at once (default: %(default)s)")
    parser.add_argument("--pace", type=float, default=1.5, metavar="SECONDS", help="from one fault to the next (default: %(default)s)")
    parser.add_argument("--kinds", default="all", metavar="LIST", help=f"of jobs and faults: {', '.join([*jobs.KINDS, *faults.FAULTS])}")
    parser.add_argument("--stock", action="store_true", help="nothing of ours: what is found then is Slurm's own")
    parser.add_argument("--node-mode", action="store_true", help="nothing of ours in slurmctld: agents deal the cores of their nodes")
    parser.add_argument("--out", type=Path, metavar="DIR", help="where logs of seeds with findings go (default: a new one)")
    parser.add_argument("--result", type=Path, help=argparse.SUPPRESS)  # of one seed, for the process that started this one
    return parser.parse_args(words)


def _kinds(text):
    """(of jobs, of faults): of either all if none is named."""
    names = list(filter(None, text.split(",")))
    known = {*jobs.KINDS, *faults.FAULTS}
    if text == "all":
        names = []
    if unknown := set(names) - known:
        sys.exit(f"no such kinds: {', '.join(sorted(unknown))}")
    return [name for name in names if name in jobs.KINDS] or list(jobs.KINDS), [name for name in names if name in faults.FAULTS] or list(faults.FAULTS)


def of_seed(kinds, seed):
    """Those of the kinds of faults that a seed has of which nobody says what kinds it is to have."""
    return [kind for kind in kinds if seed % _RARE.get(kind, 1) == 0]


def _one(options):
    """A seed in this process."""
    interrupted_once()  # with what a storm leaves cleaned up
    job_kinds, fault_kinds = _kinds(options.kinds)
    if options.kinds == "all":
        fault_kinds = of_seed(fault_kinds, options.seed)
    if "jump_clock" in fault_kinds and (reason := clock.missing()):
        print(f"seed {options.seed}: no clock jumps: {reason}", flush=True)
        fault_kinds.remove("jump_clock")
    if not fault_kinds:
        sys.exit("no kinds of faults are left")
    storm = Storm(Build(options.build.resolve()), options.seed, fault_kinds, "stock" if options.stock else "node" if options.node_mode else "vmall")
    storm.run(options.faults, options.pace, job_kinds)
    told = [(log, _RESIZED) for log in storm.cluster.controller_logs]
    if options.node_mode:
        told = [(daemon.log, _DEALT) for daemon in storm.cluster.slurmd.values()]
    resizes = Counter(found for log, pattern in told for found in pattern.findall(log.read_text(errors="replace")))
    outcomes = Counter(job.state for job in storm.records.seen().values())
    options.result.write_text(json.dumps({"faults": storm.struck, "resizes": resizes, "jobs": outcomes, "root": str(storm.cluster.root),
                                          "findings": [asdict(finding) for finding in storm.findings]}))


def _end_of(command, limit):
    """The exit status. After so many seconds it is told to end, and cleans up."""
    with subprocess.Popen(command, stdin=subprocess.DEVNULL) as process:
        try:
            return process.wait(limit)
        except subprocess.TimeoutExpired:
            process.terminate()
            return process.wait(LIMIT)
        finally:
            process.kill()


def _in_a_process(options, words, seed, out):
    result = out / f"seed-{seed}.json"
    command = [sys.executable, "-B", Path(__file__).with_name("run"), *words, f"--seed={seed}", f"--result={result}"]
    status = _end_of(command, _HANGS + 10 * options.faults * options.pace)
    if status or not result.exists():
        failed = {"fault": 0, "second": 0, "rule": "the storm itself failed", "what": str(status)}
        return {"faults": {}, "resizes": {}, "jobs": {}, "findings": [failed]}
    outcome = json.loads(result.read_text())
    root = Path(outcome["root"])
    if outcome["findings"]:
        shutil.move(root, out / f"seed-{seed}")
    else:
        shutil.rmtree(root)
    return outcome


def _table(title, counts):
    print(f"\n{title}: {sum(counts.values())}")
    for name, count in sorted(counts.items(), key=lambda row: -row[1]):
        print(f"  {count:6} {name}")


def main(about, words=None):
    words = sys.argv[1:] if words is None else words
    options = _arguments(words, about)
    if options.result:
        _one(options)
        return 0
    _kinds(options.kinds)
    out = options.out or Path(tempfile.mkdtemp(prefix="storm."))
    out.mkdir(exist_ok=True)
    seeds = range(options.seed, options.seed + options.seeds)
    with ThreadPoolExecutor(options.shards) as pool:
        outcomes = list(pool.map(lambda seed: _in_a_process(options, words, seed, out), seeds))
    for what in ("faults", "resizes", "jobs"):
        _table(what, sum((Counter(outcome[what]) for outcome in outcomes), Counter()))
    findings = [(seed, finding) for seed, outcome in zip(seeds, outcomes) for finding in outcome["findings"]]
    same = re.sub(r"--seeds?[= ]\d+ ?|--(shards|out)[= ]\S+ ?", "", " ".join(words))
    print(f"\nfindings: {len(findings)}")
    for seed, finding in findings:
        print(f"  seed {seed}, after fault {finding['fault']}, second {finding['second']}: {finding['rule']}: {finding['what']}")
        print(f"    again: test/storm/run {same} --seed={seed}; logs: {out}/seed-{seed}")
    return 1 if findings else 0
