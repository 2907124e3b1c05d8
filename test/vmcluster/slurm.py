# SPDX-License-Identifier: GPL-2.0-or-later
"""What Slurm's own commands print, as values."""

import re
import subprocess
from dataclasses import dataclass, field

from .waiting import LIMIT


class SlurmError(Exception):
    """A Slurm command failed."""


# A key of `scontrol -o`: at the start or after a blank, so that a `=` inside a value is none.
_KEY = re.compile(r"(?:^|(?<=\s))([A-Za-z_][\w/:]*)=")


def fields(line):
    """(key, value) pairs of one line of `scontrol -o show`, in order: keys like Nodes repeat."""
    keys = list(_KEY.finditer(line))
    ends = [key.start() for key in keys[1:]] + [len(line)]
    return [(key[1], line[key.end():end].strip()) for key, end in zip(keys, ends)]


def id_set(text):
    """The set that `0-3,6` stands for."""
    ids = set()
    for part in filter(None, text.split(",")):
        low, _, high = part.partition("-")
        ids.update(range(int(low), int(high or low) + 1))
    return ids


def _count(text):
    """The number, or the lower end of the range, that scontrol prints; 0 where it has none to print."""
    low = text.partition("-")[0]
    return int(low) if low.isdigit() else 0


def tres_cpus(text):
    """The number of CPUs in `cpu=4,mem=1G,node=1`."""
    found = re.search(r"(?:^|,)cpu=(\d+)", text)
    return int(found[1]) if found else 0


@dataclass
class Job:
    """A job as `scontrol -d show job` describes it."""

    id: int
    state: str
    reason: str
    cpus: int
    tasks: int
    tres_cpus: int
    cores: dict = field(default_factory=dict)  # node → set of CPU ids
    fields: dict = field(default_factory=dict)  # everything, by scontrol's names

    @property
    def exit_code(self):
        return self.fields["ExitCode"]

    @property
    def holds_cores(self):
        """Cores that nobody else may have: not those of a suspended job, nor of one that is completing."""
        return self.state in ("RUNNING", "CONFIGURING")

    @property
    def core_count(self):
        return sum(map(len, self.cores.values()))


def parse_job(line):
    pairs = fields(line)
    values = dict(reversed(pairs))  # of repeated keys, the first
    cores = {}
    nodes = []
    for key, value in pairs:
        if key == "Nodes":
            nodes = expand_hosts(value)
        elif key == "CPU_IDs":
            for node in nodes:
                cores[node] = id_set(value)
    return Job(id=int(values["JobId"]), state=values["JobState"], reason=values["Reason"],
               cpus=_count(values["NumCPUs"]), tasks=_count(values.get("NumTasks", "")),
               tres_cpus=tres_cpus(values.get("AllocTRES") or values.get("TRES", "")), cores=cores, fields=values)


def expand_hosts(text):
    """The names in `n[1-2],m4`, as scontrol groups them."""
    names = []
    for prefix, ids, plain in re.findall(r"([^,\[]+)\[([^\]]+)\]|([^,\[\]]+)", text):
        if plain:
            names.append(plain)
            continue
        for part in ids.split(","):
            low, _, high = part.partition("-")
            names += [f"{prefix}{i:0{len(low)}d}" for i in range(int(low), int(high or low) + 1)]
    return names


class Commands:
    """Runs Slurm's commands in the environment of one cluster."""

    def __init__(self, environment, directory):
        self.environment = environment
        self.directory = directory  # where jobs start and leave their output

    def run(self, *command, check=True, timeout=LIMIT, **environment):
        """The finished process; its output is text. Extra keywords go into its environment.

        It ignores SIGPIPE, as Python does: on a busy machine munged hangs up, and libmunge then tries again.
        """
        done = subprocess.run([str(word) for word in command], cwd=self.directory,
                              env={**self.environment, **environment}, text=True,
                              stdin=subprocess.DEVNULL, capture_output=True, timeout=timeout,
                              check=False, restore_signals=False)
        if check and done.returncode:
            raise SlurmError(f"{' '.join(map(str, command))}: exit status {done.returncode}\n"
                             f"{done.stdout}{done.stderr}")
        return done

    def jobs(self):
        """All jobs that slurmctld still knows, by id."""
        out = self.run("scontrol", "-o", "-d", "show", "job").stdout
        parsed = [parse_job(line) for line in out.splitlines() if line.startswith("JobId=")]
        return {job.id: job for job in parsed}

    def job(self, job_id):
        line = self.run("scontrol", "-o", "-d", "show", "job", job_id).stdout.splitlines()[0]
        return parse_job(line)

    def node_cpus(self):
        """node → (allocated, all) CPUs of `scontrol show node`."""
        out = self.run("scontrol", "-o", "show", "node").stdout
        nodes = [dict(fields(line)) for line in out.splitlines() if line.strip()]
        return {node["NodeName"]: (int(node["CPUAlloc"]), int(node["CPUTot"])) for node in nodes}

    def node_states(self):
        out = self.run("sinfo", "-N", "-h", "-o", "%N %T").stdout
        return dict(line.split() for line in out.splitlines())

    def sinfo_allocated(self):
        """node → allocated CPUs of `sinfo %C`."""
        out = self.run("sinfo", "-N", "-h", "-o", "%N %C").stdout
        pairs = [line.split() for line in out.splitlines()]
        return {node: int(counts.split("/")[0]) for node, counts in pairs}

    def backfill_cycles(self):
        """How often sched/backfill has gone over the queue since slurmctld started."""
        backfill = self.run("sdiag").stdout.partition("Backfilling stats")[2]
        return int(re.search(r"Total cycles: (\d+)", backfill)[1])

    def squeue_cpus(self):
        """job → CPUs of `squeue %C`, for jobs that run."""
        out = self.run("squeue", "-h", "-t", "R", "-o", "%A %C").stdout
        return {int(job): int(cpus) for job, cpus in (line.split() for line in out.splitlines())}
