# SPDX-License-Identifier: GPL-2.0-or-later
"""One run: a workload under one policy, on a cluster of its own, with all that is kept of it."""

import json
import shutil
from dataclasses import asdict, dataclass

from vmcluster import Cluster, ClusterError

from . import delays, measures, predictions, real_mpi, record, slurmctld_log, timelines, workload
from .play import Player, coarse_limits, framed, script, stands_for

# The last one is 3 s if nothing is set, half a minute by a clock of ten times the speed.
_SLURM_CONF = {"SchedulerParameters": "bf_interval=1,bf_resolution=1,batch_sched_delay=0"}


@dataclass(frozen=True)
class Settings:
    """What all runs have in common that are compared."""

    clock: float  # times as fast as real time
    duration: str  # as vmsim generate takes it; None: the workload's own
    folding_cost: str  # as vmsim run takes it
    one_process: bool  # for all processes of a job on a node
    log: str = None  # of the workload `recorded`
    jobs: int = None  # so many of its first ones


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


def _script_of(build, run, programs):
    """WorkloadJob → the text of its script. `programs`: None, or those of real_mpi."""
    before = run.policy.before_launch
    if programs:
        return lambda job: framed(real_mpi.command(build, programs, job.application), before)
    return lambda job: script(build.stand_in, stands_for(job), run.settings, before)


@dataclass(frozen=True)
class Played:
    """What came of a workload on a cluster. Of the workload's clock are: `rows` as in jobs.csv, `allotments` as in that file."""

    submitted: dict  # job → Submitted
    records: dict  # job → Record
    rows: list
    allotments: list
    log: str  # slurmctld's
    log_errors: list  # of all daemons
    latest_submission: float


def _played(run, jobs, submitted, records, log, log_errors):
    clock = run.settings.clock
    began = min(its.time for its in submitted.values()) - jobs[0].submit / clock
    rows = [measures.row(job, submitted[job.id].time, records[job.id], began, clock) for job in jobs]
    return Played(submitted, records, rows, timelines.allotments(rows, records, began, clock), log, log_errors,
                  max(submitted[job.id].time - began - job.submit / clock for job in jobs))


def play(build, run, jobs, programs, watch):
    """On a cluster of its own. `programs`: those of real_mpi, if `jobs` are of them."""
    policy = run.policy
    with Cluster(None if policy.is_stock else build, "stock" if policy.is_stock else "vmall", run.machine.slurm_nodes(),
                 policy.vmall_conf, {**_SLURM_CONF, **policy.slurm_conf}, cred_expire=policy.cred_expire,
                 partitions={"main": f"Nodes=ALL Default=YES {policy.partition}"}) as cluster:
        submitted = Player(cluster, _script_of(build, run, programs), run, watch).play(jobs)
        log = cluster.slurmctld.log.read_text(encoding="utf-8", errors="replace")
        return _played(run, jobs, submitted, _records(cluster, submitted), log,
                       cluster.log_errors(policy.usual_errors))


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
    played = play(build, run, jobs, programs, watch)
    watch.over()

    (folder / "slurmctld.log").write_text(played.log, encoding="utf-8")
    found = _delays(played.submitted, played.records, played.log)
    if run.policy.is_simulated:
        with_delays = predictions.with_delays(build, run, folder, jobs, found)
    measures.write(folder / "jobs.csv", measures.COLUMNS, played.rows)
    measures.write(folder / "allotments.csv", timelines.ALLOTMENTS, played.allotments)
    measures.write(folder / "usage.csv", timelines.USAGE, timelines.usage(played.rows, played.allotments))
    summary = {
        "policy": run.policy.name, "workload": run.workload, "estimates": run.estimates, "sizes": run.sizes,
        "machine": run.machine.name, "seed": run.seed, "settings": asdict(settings), "programs": programs,
        "measured": measures.summary(played.rows, cores), "predicted": predicted,
        "predicted_with_delays": with_delays,
        # Real seconds, which no clock makes shorter.
        "mean_delays": delays.means(list(found.values())),
        "resizes": slurmctld_log.resizes(played.log),
        "latest_submission": played.latest_submission,
        "latest_end_after_due": max((its.last.ends - its.last.due for its in played.records.values() if its.last.due),
                                    default=None),
        "coarse_time_limits": coarse_limits(jobs, settings.clock) if run.policy.is_stock else 0,
        "log_errors": played.log_errors,
    }
    part = folder / "summary.json.part"
    part.write_text(json.dumps(summary, indent=2) + "\n", encoding="utf-8")
    part.rename(folder / "summary.json")
    return summary
