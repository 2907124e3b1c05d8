# SPDX-License-Identifier: GPL-2.0-or-later
"""Jobs by size. Policies choose sizes, so a job's size is its processes under the first policy, whatever another one
gives it."""

import numpy

_MOST = 7  # bins


def _edges(sizes):
    """Ascending, of ranges that double or more; sparse ones at the upper end are one."""
    highest = max(1, int(sizes.max(initial=1)))
    factor = 2
    while factor ** _MOST <= highest:
        factor *= 2
    edges = [1]
    while edges[-1] <= highest:
        edges.append(edges[-1] * factor)
    return edges


def _name(low, high):
    return str(low) if low == high else f"{low}\u2013{high}"


class Sizes:
    """Bins of the jobs of one result."""

    def __init__(self, result):
        processes = result.jobs["processes"]
        known = ~numpy.isnan(processes)
        edges = _edges(processes[known])
        found = numpy.digitize(processes, edges) - 1
        self.bins = [(index, _name(low, min(high - 1, int(processes[known].max(initial=1)))))
                     for index, (low, high) in enumerate(zip(edges, edges[1:])) if (known & (found == index)).any()]
        self._of_job = dict(zip(result.jobs["job"][known].tolist(), found[known].tolist()))

    def of(self, jobs):
        """The bin of each job of these ids; -1 for one that the first policy never started."""
        return numpy.array([self._of_job.get(job, -1) for job in jobs.tolist()], dtype=int)
