# SPDX-License-Identifier: GPL-2.0-or-later
"""Jobs by size. Policies choose sizes, so a job's size is its processes under the first policy, whatever another one
gives it."""

import numpy

_MOST = 7  # bins


def _edges(sizes):
    """Ascending, of ranges that double or more."""
    highest = int(sizes.max())
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
        edges = _edges(processes)
        self.found = numpy.digitize(processes, edges) - 1  # bin of each job
        self.bins = [(index, _name(low, min(high - 1, int(processes.max()))))
                     for index, (low, high) in enumerate(zip(edges, edges[1:])) if (self.found == index).any()]
