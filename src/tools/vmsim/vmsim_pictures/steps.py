# SPDX-License-Identifier: GPL-2.0-or-later
"""Values that stay the same from one change to the next, over a time that is too long to draw every change."""

import numpy

MOST = 500  # points across a picture


def _integral(times, values, at):
    """From the first change to each time of `at`."""
    areas = numpy.concatenate(([0.0], numpy.cumsum(values[:-1] * numpy.diff(times))))
    index = numpy.clip(numpy.searchsorted(times, at, side="right") - 1, 0, len(times) - 1)
    return areas[index] + values[index] * (at - times[index])


def thinned(times, values, begin, end):
    """(edges, means between them) from `begin` to `end`: every change if there are few, else equal intervals."""
    inside = times[(times > begin) & (times < end)]
    edges = numpy.concatenate(([begin], inside, [end])) if len(inside) < MOST else numpy.linspace(begin, end, MOST + 1)
    return edges, numpy.diff(_integral(times, values, edges)) / numpy.diff(edges)
