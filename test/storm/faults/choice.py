# SPDX-License-Identifier: GPL-2.0-or-later
"""Whom a fault hits: drawn among those that are there."""


def one(storm, things):
    things = sorted(things)
    return storm.rng.choice(things) if things else None


def node(storm):
    return one(storm, storm.cluster.slurmd)


def job(storm, *states):
    return one(storm, [job.id for job in storm.records.last().values() if job.state in states])
