# SPDX-License-Identifier: GPL-2.0-or-later
"""The workload of MPI programs that compute, on this machine's own cores and by the real clock.

What they take alone with each number of processes is measured first: vmsim makes the workload of it, and predicts."""

import json
import re
from dataclasses import dataclass
from statistics import median

from vmcluster import Cluster, ClusterError
from vmcluster.programs import Kernel, seconds_per_unit

NAME = "real-mpi"
# Work counts as vmsim generate --work=parallel has it.
LOAD = ["--load=0.8", "--work=parallel", "--short-share=0.4"]
DURATION = "1:30"
REPEATS = 3
_SAMPLE = 1  # seconds of the short runs that are measured, likewise


@dataclass(frozen=True)
class _Program:
    kernel: Kernel
    kind: str  # short or long
    seconds: float  # that it is to take alone on all cores, if these make it as many times faster


_PROGRAMS = {its.kernel.name: its for its in (
    # Larger matrices do not stay in the caches, and two cores are no faster than one.
    _Program(Kernel("cg", "srun", before="300", probe=2000), "long", 16),
    _Program(Kernel("stencil", "srun", before="2000", probe=200), "short", 4),
)}


def _sizes(cores):
    return [size for size in range(1, cores + 1) if size & (size - 1) == 0 or size == cores]


def _runs_alone(cluster, kernel, processes, amounts):
    """Seconds that each amount of work takes, with what starting the program takes."""
    script = "\n".join(f"start=$EPOCHREALTIME\n{kernel.script(cluster.build, amount)} || exit\necho from $start to $EPOCHREALTIME"
                       for amount in amounts)
    job = cluster.submit(script, f"--ntasks={processes}", "--vm-class=short", f"--vm-procs={processes}")
    if (state := cluster.wait_end(job).state) != "COMPLETED":
        raise ClusterError(f"{kernel.name} alone with {processes} processes: {state}\n{cluster.output(job)}\n{cluster.log_tails()}")
    return [float(end) - float(start) for start, end in re.findall(r"^from (\S+) to (\S+)$", cluster.output(job), re.MULTILINE)]


def _alone(cluster, kernel, processes, amount, sample):
    """Seconds that the amount takes, from those of nearly none and of a sample. Others may disturb one of the runs."""
    found = _runs_alone(cluster, kernel, processes, [1, sample] * REPEATS)
    start, with_sample = median(found[::2]), median(found[1::2])
    return round(start + (with_sample - start) * amount / sample, 3)


def _measure(build, machine):
    """program → {"amount": of its work, "seconds": {number of processes: what that takes alone}}."""
    found = {}
    with Cluster(build, "vmall", machine.slurm_nodes()) as cluster:
        for name, program in _PROGRAMS.items():
            each = seconds_per_unit(cluster, program.kernel, 1) / machine.cores
            amount, sample = round(program.seconds / each), round(_SAMPLE / each)
            found[name] = {"amount": amount, "seconds": {str(size): _alone(cluster, program.kernel, size, amount, sample)
                                                         for size in _sizes(machine.cores)}}
    return found


def measured(build, run, out, watch):
    """_measure(), once for all runs in `out`."""
    path = out / run.machine.name / NAME / "programs.json"
    if not path.exists():
        watch.say("measures what the programs take alone")
        text = json.dumps(_measure(build, run.machine), indent=2) + "\n"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return json.loads(path.read_text(encoding="utf-8"))


def sizes(programs):
    return list(next(iter(programs.values()))["seconds"])


def rows(programs):
    """name, class, seconds with each number of processes."""
    return [[name, _PROGRAMS[name].kind, *map(str, its["seconds"].values())] for name, its in programs.items()]


def table(programs):
    """For vmsim generate --application-table."""
    numbers = sizes(programs)
    lines = [["app", "class", "sizes", *numbers]]
    lines += [[name, kind, " ".join(numbers), *seconds] for name, kind, *seconds in rows(programs)]
    return "\n".join(",".join(line) for line in lines) + "\n"


def command(build, programs, name):
    """Bash commands that run the program and say what record.read needs. The stand-in says it itself."""
    return f"""run() {{
    local begins=$EPOCHREALTIME status
    echo job: begins $begins node=$SLURMD_NODENAME processes=$SLURM_NTASKS
    [ -z "$VMALL_ALLOTMENT" ] || follow $begins &
    {_PROGRAMS[name].kernel.script(build, programs[name]["amount"])}
    status=$?
    [ $status -ne 0 ] || echo job: ends $EPOCHREALTIME node=$SLURMD_NODENAME
    kill $! 2>/dev/null
    return $status
}}
follow() {{
    local time=$1 had
    while . "$VMALL_ALLOTMENT"; do
        [ "$cores $mpl" = "$had" ] || echo job: has $time node=$SLURMD_NODENAME cores=$cores mpl=$mpl
        had="$cores $mpl"
        sleep 0.2
        time=$EPOCHREALTIME
    done
}}
run"""
