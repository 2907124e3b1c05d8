# SPDX-License-Identifier: GPL-2.0-or-later
"""F1 to F8: what the quickstart claims, checked on what was seen. Each returns a Finding."""

from dataclasses import dataclass

from vmcluster import distribution

from .cast import BACKFILLED, HEAD


@dataclass(frozen=True)
class Finding:
    passed: bool
    claim: str
    seen: str


def f1_unmodified_binaries(cluster):
    wrong, versions = distribution.differences([daemon.pid for daemon in cluster.daemons])
    return Finding(not wrong, "Slurm's and munge's binaries are the distribution's, unmodified",
                   "; ".join(wrong) or ", ".join(versions))


def f2_backfilled(telling):
    first, later = telling.jobs[BACKFILLED], telling.jobs[HEAD]
    passed = later.submitted < first.submitted and first.started < later.started
    return Finding(passed, "the backfilled job started before the earlier, longer one",
                   f"{HEAD} was submitted at {later.submitted:.1f} s and started at {later.started:.1f} s, {BACKFILLED} was "
                   f"submitted at {first.submitted:.1f} s and started at {first.started:.1f} s")


def f3_folded(telling):
    fold = telling.fold(BACKFILLED)
    claim = ("at expiry it lost three quarters of its cores, kept its processes, and every thread of it was inside the "
             "new allotment when Slurm showed it")
    if not fold:
        return Finding(False, claim, f"{BACKFILLED} was never folded")
    threads_are_there = fold.threads >= telling.jobs[BACKFILLED].processes
    passed = (len(fold.after) * 4 == len(fold.before) and fold.after < fold.before and fold.same_processes
              and threads_are_there and not fold.outside)
    return Finding(passed, claim, f"at {fold.time:.1f} s from {len(fold.before)} to {len(fold.after)} cores, processes "
                   f"{'the same' if fold.same_processes else 'NOT the same'}, {fold.threads} threads, {fold.outside} outside")


def f4_head_on_freed_cores(telling):
    claim = "the long job started on the freed cores while it still ran"
    fold = telling.fold(BACKFILLED)
    sample = next((sample for sample in telling.samples if HEAD in sample.cores), None)
    if not fold or not sample:
        return Finding(False, claim, "no fold, or the head never ran")
    reused = sample.cores[HEAD] & (fold.before - fold.after)
    kept = sample.cores.get(BACKFILLED, set())
    disjoint = bool(kept) and not sample.cores[HEAD] & kept
    return Finding(bool(reused) and disjoint, claim,
                   f"at {sample.time:.1f} s {HEAD} has cores {sorted(sample.cores[HEAD])}, of which {sorted(reused)} were "
                   f"{BACKFILLED}'s; {BACKFILLED} has {sorted(kept)}")


def f5_unfolded(telling):
    claim = "the folded job unfolded when cores were free and nobody waited"
    last = telling.unfold(BACKFILLED)
    if not last:
        return Finding(False, claim, f"{BACKFILLED} never unfolded")
    passed = last.after > last.before and not last.waiting and last.same_processes
    return Finding(passed, claim, f"at {last.time:.1f} s from {len(last.before)} to {len(last.after)} cores, "
                   f"waiting then: {', '.join(last.waiting) or 'nobody'}")


def f6_results(tellings, undisturbed):
    """`undisturbed`: job name → result of a run of as much work on an empty cluster."""
    wrong = [f"{name} under {telling.scheduler}: {told.state}, {told.result} instead of {undisturbed[name]}"
             for telling in tellings for name, told in telling.jobs.items()
             if told.state != "COMPLETED" or not told.result or told.result != undisturbed[name]]
    compared = sum(len(telling.jobs) for telling in tellings)
    return Finding(not wrong, "every program's result equals that of an undisturbed run",
                   "; ".join(wrong) or f"{compared} results compared")


def f7_truth(tellings):
    wrong = [f"{sample.time:.1f} s: {sentence}" for telling in tellings for sample in telling.samples
             for sentence in sample.violations]
    looked = sum(len(telling.samples) for telling in tellings)
    return Finding(not wrong, "squeue, sinfo and scontrol agreed with each other and with the cores at every step",
                   "; ".join(wrong[:5]) or f"{looked} samples, all cores disjoint and added up")


def f8_nothing_left(left):
    """`left`: what was found after the end, as sentences."""
    claim = "at the end no core is allocated, no log has an error line, no file, process or cgroup is left"
    return Finding(not left, claim, "; ".join(left) or "nothing")
