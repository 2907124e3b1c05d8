# SPDX-License-Identifier: GPL-2.0-or-later
"""Means of what many jobs or several workloads gave, with confidence intervals."""

import math

import numpy

BATCHES = 20
# Student's t for 95 %, by degrees of freedom from 1 on.
_STUDENT = (12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160, 2.145, 2.131,
            2.120, 2.110, 2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042)


def student(freedom):
    """Never too small."""
    return _STUDENT[min(freedom, len(_STUDENT)) - 1]


def half_interval(means):
    """Half the 95 % confidence interval of the mean of independent values; NaN for one value."""
    if len(means) < 2:
        return math.nan
    return student(len(means) - 1) * numpy.std(means, ddof=1) / math.sqrt(len(means))


def of_workloads(samples):
    """(mean, half interval) of one sample of jobs for each workload. Jobs that follow each other depend on each
    other, so with one workload the interval is that of the means of 20 batches of jobs in order of submission; there
    is none for fewer than ten jobs in a batch."""
    samples = [sample for sample in samples if len(sample)]
    if not samples:
        return math.nan, math.nan
    if len(samples) > 1:
        means = [sample.mean() for sample in samples]
        return float(numpy.mean(means)), half_interval(means)
    sample = samples[0]
    if len(sample) < 10 * BATCHES:
        return float(sample.mean()), math.nan
    return float(sample.mean()), half_interval([batch.mean() for batch in numpy.array_split(sample, BATCHES)])
