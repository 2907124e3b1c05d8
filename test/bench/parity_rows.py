# SPDX-License-Identifier: GPL-2.0-or-later
"""Compares the outcomes of a job list, and sums them up as a row of parity.csv."""

FIELDS = ("variant", "seed", "jobs", "main", "backfill", "never", "waited", "killed", "again differs", "ours differs")


def differences(one, other):
    """A line for each job of which not the same became."""
    left, right = ({outcome.job: outcome for outcome in side} for side in (one, other))
    return [f"job {job}: {_text(left.get(job))}; {_text(right.get(job))}"
            for job in sorted({*left, *right}) if left.get(job) != right.get(job)]


def _text(outcome):
    if outcome is None:
        return "not there"
    cores = " ".join(f"{node}:{','.join(map(str, cpus))}" for node, cpus in outcome.cores)
    return f"{outcome.state} {outcome.start}-{outcome.end} by {outcome.scheduler} on {cores or 'nothing'}"


def row(variant, seed, stock, again, ours):
    started = [outcome for outcome in stock if outcome.cores]
    return {
        "variant": variant,
        "seed": seed,
        "jobs": len(stock),
        "main": sum(outcome.scheduler == "Main" for outcome in started),
        "backfill": sum(outcome.scheduler == "Backfill" for outcome in started),
        "never": len(stock) - len(started),
        "waited": sum(outcome.start > outcome.eligible + 5 for outcome in started),
        "killed": sum(outcome.state == "TIMEOUT" for outcome in started),
        "again differs": len(differences(stock, again)),
        "ours differs": len(differences(stock, ours)),
    }
