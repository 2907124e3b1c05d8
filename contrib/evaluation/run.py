# SPDX-License-Identifier: GPL-2.0-or-later
"""One run: a workload under one policy, on a cluster of its own, with all that is kept of it."""

import json
import shutil
from dataclasses import asdict, dataclass
from statistics import fmean

from vmcluster import Cluster, ClusterError

from . import measures, record, slurmctld_log, workload
from .play import Player, coarse_limits

_SLURM_CONF = {"SchedulerParameters": "bf_interval=1,bf_resolution=1"}


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
    machine: object
    seed: int
    settings: Settings

    @property
    def name(self):
        return f"{self.policy.name}, {self.workload} on {self.machine.name}, estimates {self.estimates}, seed {self.seed}"

    def folder(self, out):
        return out / self.machine.name / self.workload / self.estimates / self.policy.name / f"seed-{self.seed}"

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


def _mean_launch(submitted, records, log):
    """Seconds, real ones, that a job holds its cores without computing: until its program begins, and after that."""
    held = slurmctld_log.held(log)
    return fmean(held[submitted[job].id] - (its.last.ends - its.last.begins) for job, its in records.items())


def _keep_allotments(path, records, began, clock):
    rows = [{"job": job, "begin": round((share.time - began) * clock, 3), "end": round((end - began) * clock, 3),
             "cores": share.cores, "mpl": share.mpl} for job, its in records.items() for share, end in its.stretches()]
    measures.write(path, ["job", "begin", "end", "cores", "mpl"], rows)


def _play(build, run, jobs, watch):
    """(Submitted by job, Record by job, slurmctld's log, error lines of the daemons' logs)."""
    policy = run.policy
    with Cluster(None if policy.is_stock else build, "stock" if policy.is_stock else "vmall", run.machine.slurm_nodes(),
                 policy.vmall_conf, {**_SLURM_CONF, **policy.slurm_conf}, cred_expire=policy.cred_expire,
                 partitions={"main": f"Nodes=ALL Default=YES {policy.partition}"}) as cluster:
        submitted = Player(cluster, build.stand_in, run.settings, policy, watch).play(jobs)
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
    jobs = workload.generate(build, folder / "workload.swf", run)
    predicted = None
    if run.policy.is_simulated:
        predicted = measures.summary(
            workload.predict(build, folder / "workload.swf", run.policy, settings.folding_cost, folder / "predicted"), cores)
    # Of what is not simulated, what it takes at least.
    makespan = predicted["makespan"] if predicted else max(job.submit + job.run_time for job in jobs)
    watch.expect(makespan / settings.clock)
    submitted, records, log, errors = _play(build, run, jobs, watch)
    watch.over()

    began = min(its.time for its in submitted.values()) - jobs[0].submit / settings.clock
    rows = [measures.row(job, submitted[job.id].time, records[job.id], began, settings.clock) for job in jobs]
    measures.write(folder / "jobs.csv", measures.COLUMNS, rows)
    _keep_allotments(folder / "allotments.csv", records, began, settings.clock)
    summary = {
        "policy": run.policy.name, "workload": run.workload, "estimates": run.estimates, "machine": run.machine.name,
        "seed": run.seed, "settings": asdict(settings),
        "measured": measures.summary(rows, cores), "predicted": predicted,
        # Real seconds, which no clock makes shorter.
        "mean_launch": _mean_launch(submitted, records, log),
        "resizes": slurmctld_log.resizes(log),
        "latest_submission": max(submitted[job.id].time - began - job.submit / settings.clock for job in jobs),
        "latest_end_after_due": max(its.last.ends - its.last.due for its in records.values()),
        "coarse_time_limits": coarse_limits(jobs, settings.clock) if run.policy.is_stock else 0,
        "log_errors": errors,
    }
    part = folder / "summary.json.part"
    part.write_text(json.dumps(summary, indent=2) + "\n", encoding="utf-8")
    part.rename(folder / "summary.json")
    return summary
