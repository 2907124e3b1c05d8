# SPDX-License-Identifier: GPL-2.0-or-later
"""The part of a long time in which single jobs can be told apart, and that is worth looking at."""

import numpy

STRETCHES = 200  # of allotments, that can be told apart in one panel


def whole(results):
    """(the first submission, the last second of all the results)."""
    times = [of_policy[0].usage["time"] for of_policy in results.values()]
    return min(float(one.min()) for one in times), max(float(one.max()) for one in times)


def _folded_time(result, edges):
    """Job seconds folded in each interval."""
    allotments = result.allotments
    folded = allotments["mpl"] > 1
    begin, end = allotments["begin"][folded], allotments["end"][folded]
    return _covered(begin, end, numpy.ones(len(begin)), edges)


def _waiting_time(result, edges):
    """Job seconds waited in each interval."""
    times, waiting = result.usage["time"], result.usage["jobs_waiting"]
    return _covered(times[:-1], times[1:], waiting[:-1], edges)


def _covered(begin, end, weight, edges):
    """In each interval, the sum of weight × the time that [begin, end) has in it."""
    def until(points):
        order = numpy.argsort(points, kind="stable")
        points, weights = points[order], weight[order]
        sums = numpy.concatenate(([0.0], numpy.cumsum(weights)))
        moments = numpy.concatenate(([0.0], numpy.cumsum(weights * points)))
        index = numpy.searchsorted(points, edges, side="right")
        return sums[index] * edges - moments[index]  # sum of weight × time since the point
    return numpy.diff(until(begin) - until(end))


def _score(measure, shown, edges):
    """Every policy counts as much."""
    totals = [measure(result, edges) for result in shown]
    return sum((total / total.max() for total in totals if total.any()), numpy.zeros(len(edges) - 1))


def choose(results, span):
    """((from, to), what is special there): the whole span if it has few allotments, else an interval of a length that
    suits."""
    shown = [of_policy[0] for of_policy in results.values()]
    most = max(len(result.allotments["begin"]) for result in shown)
    if most <= STRETCHES:
        return span, ""
    intervals = max(2, int(most / (STRETCHES / 2)))
    all_run = min(float(result.usage["time"].max()) for result in shown)  # later there is nothing to compare
    edges = numpy.linspace(span[0], all_run, intervals + 1)
    for measure, why in ((_folded_time, "with the most folding"), (_waiting_time, "with the longest queues")):
        score = _score(measure, shown, edges)
        if score.any():
            break
    else:
        why = "at the beginning"
    best = int(numpy.argmax(score))
    return _narrowed(shown, measure, float(edges[best]), float(edges[best + 1])), why


def _narrowed(shown, measure, begin, end):
    """The half with more of what is measured, and so on, until the busiest panel has few allotments."""
    for _ in range(40):
        if max(_count(result, begin, end) for result in shown) <= STRETCHES:
            break
        middle = (begin + end) / 2
        first, second = _score(measure, shown, numpy.array([begin, middle, end]))
        begin, end = (middle, end) if second > first else (begin, middle)
    return begin, end


def _count(result, begin, end):
    allotments = result.allotments
    return numpy.count_nonzero((allotments["begin"] < end) & (allotments["end"] > begin))
