# SPDX-License-Identifier: GPL-2.0-or-later
"""One run: a workload under one policy, on a cluster of its own, with all that is kept of it."""

import json
import shutil
from dataclasses import asdict, dataclass

from vmcluster import Cluster, ClusterError

from . import delays, measures, predictions, real_mpi, record, slurmctld_log, timelines, workload
from .play import Player, coarse_limits, framed, script

# The last one is 3 s if nothing is set, half a minute by a clock of ten times the speed.
_SLURM_CONF = {"SchedulerParameters": "bf_interval=1,bf_resolution=1,batch_sched_delay=0"}


@dataclass(frozen=True)
class Settings:
    """What all runs have in common that are compared."""

    clock: float  # times as fast as real time
    duration: str  # as vmsim generate takes it; None: the workload's own
    folding_cost: str  # as vmsim run takes it
    one_process: bool  # for all processes of a job on a node


@dataclass(frozen=True)
class Run:
    policy: object
    workload: str
    estimates: str
    sizes: str
    machine: object
    seed: int
    settings: Settings

    @property
    def name(self):
        return (f"{self.policy.name}, {self.workload} on {self.machine.name}, estimates {self.estimates}, sizes {self.sizes}, "
                f"seed {self.seed}")

    def folder(self, out):
        return out / self.machine.name / self.workload / self.estimates / self.sizes / self.policy.name / f"seed-{self.seed}"

    def kept(self, out):
        """Its summary, if it has been made already. Raises ClusterError if that was with other settings."""
        path = self.folder(out) / "summary.json"
        if not path.exists():
            return None
        summary = json.loads(path.read_text(encoding="utf-8"))
        if summary["settings"] != asdict(self.settings):
            raise ClusterError(f"{path} was made with other settings, {summary['settings']}: choose another --out")
        return summary


def _records(cluster, submitted):
    """job → Record. Raises ClusterError that says which jobs did not end as they should."""
    records, bad = {}, []
    for job, its in submitted.items():
        try:
            records[job] = record.read(cluster.output(its.id))
        except record.IncompleteRecord as error:
            bad.append(f"job {its.id} (number {job} of the workload): {error}")
    if bad:
        raise ClusterError("jobs that did not end as they should:\n" + "\n".join(bad) + "\n" + cluster.log_tails())
    return records


def _delays(submitted, records, log):
    """job → Delay."""
    held = slurmctld_log.held(log)

    def of(slurm, attempt):
        return delays.Delay(slurm.noticed_after, attempt.started - slurm.started,
                            slurm.ended - slurm.started - (attempt.ends - attempt.begins))

    return {job: of(held[submitted[job].id], its.last) for job, its in records.items()}


def _keep_timelines(folder, jobs, records, began, clock):
    allotments = [{"job": job, "begin": round((share.time - began) * clock, 3), "end": round((end - began) * clock, 3),
                   "cores": share.cores, "mpl": share.mpl} for job, its in records.items() for share, end in its.stretches()]
    measures.write(folder / "allotments.csv", timelines.ALLOTMENTS, allotments)
    measures.write(folder / "usage.csv", timelines.USAGE, timelines.usage(jobs, allotments))


def _script_of(build, run, programs):
    """WorkloadJob → the text of its script. `programs`: None, or those of real_mpi."""
    before = run.policy.before_launch
    if programs:
        return lambda job: framed(real_mpi.command(build, programs, job.application), before)
    return lambda job: script(build.stand_in, job.application, run.settings, before)


def _play(build, run, jobs, programs, watch):
    """(Submitted by job, Record by job, slurmctld's log, error lines of the daemons' logs)."""
    policy = run.policy
    with Cluster(None if policy.is_stock else build, "stock" if policy.is_stock else "vmall", run.machine.slurm_nodes(),
                 policy.vmall_conf, {**_SLURM_CONF, **policy.slurm_conf}, cred_expire=policy.cred_expire,
                 partitions={"main": f"Nodes=ALL Default=YES {policy.partition}"}) as cluster:
        submitted = Player(cluster, _script_of(build, run, programs), run, watch).play(jobs)
        log = cluster.slurmctld.log.read_text(encoding="utf-8", errors="replace")
        return submitted, _records(cluster, submitted), log, cluster.log_errors()


def make(build, run, out, watch):
    """Carries it out: its summary. summary.json is written last: without it, a run is not complete."""
    folder = run.folder(out)
    if folder.exists():  # of one that was interrupted
        shutil.rmtree(folder)
    folder.mkdir(parents=True)
    settings = run.settings
    cores = run.machine.cores
    programs = real_mpi.measured(build, run, out, watch) if run.workload == real_mpi.NAME else None
    jobs = workload.generate(build, folder / "workload.swf", run, programs)
    predicted = with_delays = None  # of a policy that vmsim does not have
    if run.policy.is_simulated:
        predicted = predictions.without_delays(build, run, folder)
    # Of what is not simulated, what it takes at least.
    makespan = predicted["makespan"] if predicted else max(job.submit + job.run_time for job in jobs)
    watch.expect(makespan / settings.clock)
    submitted, records, log, errors = _play(build, run, jobs, programs, watch)
    watch.over()

    (folder / "slurmctld.log").write_text(log, encoding="utf-8")
    found = _delays(submitted, records, log)
    began = min(its.time for its in submitted.values()) - jobs[0].submit / settings.clock
    rows = [measures.row(job, submitted[job.id].time, records[job.id], began, settings.clock) for job in jobs]
    if run.policy.is_simulated:
        with_delays = predictions.with_delays(build, run, folder, jobs, found)
    measures.write(folder / "jobs.csv", measures.COLUMNS, rows)
    _keep_timelines(folder, rows, records, began, settings.clock)
    summary = {
        "policy": run.policy.name, "workload": run.workload, "estimates": run.estimates, "sizes": run.sizes,
        "machine": run.machine.name, "seed": run.seed, "settings": asdict(settings), "programs": programs,
        "measured": measures.summary(rows, cores), "predicted": predicted,
        "predicted_with_delays": with_delays,
        # Real seconds, which no clock makes shorter.
        "mean_delays": delays.means(list(found.values())),
        "resizes": slurmctld_log.resizes(log),
        "latest_submission": max(submitted[job.id].time - began - job.submit / settings.clock for job in jobs),
        "latest_end_after_due": max((its.last.ends - its.last.due for its in records.values() if its.last.due), default=None),
        "coarse_time_limits": coarse_limits(jobs, settings.clock) if run.policy.is_stock else 0,
        "log_errors": errors,
    }
    part = folder / "summary.json.part"
    part.write_text(json.dumps(summary, indent=2) + "\n", encoding="utf-8")
    part.rename(folder / "summary.json")
    return summary
