# SPDX-License-Identifier: GPL-2.0-or-later
"""MPI programs that compute: how to run an amount of work with each, and what its result is."""

import re
from dataclasses import dataclass

from .cluster import ClusterError

# One thread per process, as on any machine that runs a process per core.
ENVIRONMENT = {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}


@dataclass(frozen=True)
class Kernel:
    """One of our test/mpi programs: fixed arguments in front of and behind the amount, which is its iterations, or rounds or
    until:FILE (test/mpi/rounds.h)."""

    name: str
    launcher: str
    before: str = ""
    behind: str = ""
    probe: int = 100  # a small amount, to measure the cost with
    highest: int = 10**8

    def script(self, build, amount):
        return f"{self.launcher} {build.kernels / self.name} {self.before} {amount} {self.behind}"

    @staticmethod
    def result(output):
        found = re.search(r" checksum= *(\S+)", output)
        return found and found[1]


@dataclass(frozen=True)
class ScalapackLu:
    """ScaLAPACK's own test of its LU solver, as Debian ships it; the amount is a number of matrices, up to 400."""

    launcher: str
    name: str = "xdlu"
    order: int = 600

    def script(self, build, amount):
        del build  # it is the distribution's
        orders = min(20, amount)
        blocks = max(1, amount // orders)
        return "\n".join([
            "mkdir $SLURM_JOB_ID.lu && cd $SLURM_JOB_ID.lu",
            f"cat >LU.dat <<END\n{self._input(orders, blocks)}END",
            f"{self.launcher} $(ls /usr/lib/*/scalapack/mpich-tests/xdlu)",
        ])

    def _input(self, orders, blocks):
        """The program's input file: so many problems on a grid of 2 x 2 processes."""
        sizes = " ".join([str(self.order)] * orders)
        widths = " ".join([str(24 + 2 * (i % 4)) for i in range(blocks)])
        return (f"'slurm-vmall'\n'MPICH'\n'LU.out'\n6\n{orders}\n{sizes}\n{sizes}\n{blocks}\n{widths}\n"
                "1\n1\n1\n1\n1\n2\n2\n1.0\nF\n")

    @staticmethod
    def result(output):
        """What was solved and whether the residuals are small, without the times that it took."""
        rows = re.findall(r"^WALL +(\d+) +(\d+) +(\d+) .* (\w+)$", output, re.MULTILINE)
        summary = re.search(r"^ *(\d+) tests completed and passed residual checks", output, re.MULTILINE)
        if not rows or not summary or int(summary[1]) != len(rows):
            return None
        return f"{len(rows)} matrices solved: " + " ".join(sorted({"x".join(row) for row in rows}))


def run_alone(cluster, program, processes, amount):
    """(seconds, result) of the program on an otherwise empty cluster."""
    script = f"start=$EPOCHREALTIME\n{program.script(cluster.build, amount)}\necho from $start to $EPOCHREALTIME"
    job_id = cluster.submit(script, f"--ntasks={processes}", "--vm-class=short", f"--vm-procs={processes}",
                            f"--job-name=alone-{program.name}", **ENVIRONMENT)
    job = cluster.wait_end(job_id)
    output = cluster.output(job_id)
    result = program.result(output)
    if job.state != "COMPLETED" or not result:
        raise ClusterError(f"{program.name} {amount} on {processes} processes: {job.state}\n{output}\n"
                           f"{cluster.log_tails()}")
    start, end = map(float, re.search(r"^from (\S+) to (\S+)$", output, re.MULTILINE).groups())
    return end - start, result


def seconds_per_unit(cluster, program, processes):
    """The cost of one more unit of work, alone on the cluster: from two runs, so that starting up does not count,
    the longer one of which takes some seconds."""
    amount, shorter = program.probe, None
    while True:
        seconds, _ = run_alone(cluster, program, processes, amount)
        if shorter and (seconds > 2 or amount == program.highest):
            return max(seconds - shorter[1], 1e-3) / (amount - shorter[0])
        shorter = amount, seconds
        amount = min(program.highest, 4 * amount)
