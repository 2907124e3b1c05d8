# SPDX-License-Identifier: GPL-2.0-or-later
"""Submits a workload to a cluster at its arrival times, by a faster clock, and waits until all have ended."""

import math
import time
from dataclasses import dataclass

from vmcluster import ClusterError

_LOOK = 1  # seconds between looks at the queue
_TELL = 15  # seconds between lines that say how far it is
_PATIENCE = 120  # seconds without a job that runs; those that run end by themselves
_SLACK = 5  # seconds that a launch on a busy machine may take, of a time limit
_A_DAY = "1-0"  # limits nobody


@dataclass(frozen=True)
class Submitted:
    id: int  # Slurm's
    time: float  # Unix seconds


def _in_minutes(seconds):
    """A time limit of Slurm, which knows only whole minutes."""
    return max(1, math.ceil((seconds + _SLACK) / 60))


def coarse_limits(jobs, clock):
    """How many jobs have a limit more than a tenth above their estimate under stock Slurm, which knows nothing else of them."""
    return sum(_in_minutes(job.estimate / clock) * 60 > 1.1 * job.estimate / clock for job in jobs)


def time_limit(estimate, policy, clock):
    """What the scheduler takes as the time that a job needs, in seconds of the workload's clock like the user's estimate."""
    return _in_minutes(estimate / clock) * 60 * clock if policy.is_stock else estimate


def asks(job, policy, clock, machine):
    """sbatch's options."""
    if policy.is_stock:
        return [f"--ntasks={job.processes}", f"--time={_in_minutes(job.estimate / clock)}"]
    estimate = max(1, math.ceil(job.estimate / clock))
    return [f"--vm-class={job.kind}", f"--vm-procs={job.procs}", f"--vm-estimate={estimate // 60}:{estimate % 60:02}",
            f"--time={_A_DAY}", f"--nodes={machine.nodes_for(job.processes)}"]


def stands_for(job):
    """What the stand-in is told of the job."""
    if job.useful_percent:
        return f"--seconds={job.run_time} --useful={job.useful_percent}"
    return f"--application={job.application}" if job.application else f"--seconds={job.run_time}"


def script(program, what, settings, before_launch=""):
    """A job's, with what record.read needs. `program`: path of the stand-in; `what`: what it is told of the job."""
    launcher = "srun --ntasks=$SLURM_NNODES --ntasks-per-node=1" if settings.one_process else "srun"
    return framed(f"""{launcher} {program} {what} --processes=$SLURM_NTASKS \\
    --folding-cost={settings.folding_cost} --clock={settings.clock}""", before_launch)


def framed(command, before_launch=""):
    """A job's script that runs the command, and says when it begins and ends. A requeue sends SIGTERM to the tasks, to this
    script and soon SIGKILL: it says at once that it has ended, whoever is told first."""
    return f"""{before_launch}
trap : TERM
echo job: started $EPOCHREALTIME tasks=$SLURM_NTASKS nodes=$SLURM_NNODES
{command} &
wait $!
status=$?
echo job: ended $EPOCHREALTIME
exit $status"""


class Player:
    """Plays a workload once. `script_of`: WorkloadJob → the text of its script."""

    def __init__(self, cluster, script_of, run, watch):
        self._cluster = cluster
        self._script_of = script_of
        self._settings = run.settings
        self._policy = run.policy
        self._machine = run.machine
        self._watch = watch
        self._began = time.time()
        self._told = 0

    def play(self, jobs):
        """job's id in the workload → Submitted. Raises Interrupted."""
        submitted = {}
        for job in jobs:
            while (left := (job.submit - jobs[0].submit) / self._settings.clock - self._passed()) > 0:
                self._tell(jobs, submitted)
                self._watch.pause(min(_LOOK, left))
            self._watch.pause(0)  # on a busy machine it may be late all the time
            submitted[job.id] = self._submit(job)
        ran = self._passed()
        while states := self._unfinished():
            self._tell(jobs, submitted)
            if "RUNNING" in states:
                ran = self._passed()
            if self._passed() > ran + _PATIENCE:
                raise ClusterError(f"jobs wait, and none has run for {_PATIENCE} s\n{self._cluster.queue()}\n"
                                   f"{self._cluster.log_tails()}")
            self._watch.pause(_LOOK)
        return submitted

    def _passed(self):
        """Real seconds."""
        return time.time() - self._began

    def _submit(self, job):
        now = time.time()
        job_id = self._cluster.submit(self._script_of(job), f"--job-name={job.application or 'recorded'}",
                                      "--open-mode=append",  # what a requeued job has said
                                      *asks(job, self._policy, self._settings.clock, self._machine))
        return Submitted(job_id, now)

    def _unfinished(self):
        """States of the jobs that are there."""
        return self._cluster.run("squeue", "-a", "-h", "-o", "%T").stdout.split()

    def _tell(self, jobs, submitted):
        passed = self._passed()
        if passed < self._told + _TELL:
            return
        self._told = passed
        states = self._unfinished()
        self._watch.say_left(f"{len(submitted)} of {len(jobs)} jobs submitted, {states.count('RUNNING')} run, "
                             f"{len(submitted) - len(states)} have ended")
