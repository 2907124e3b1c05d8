# SPDX-License-Identifier: GPL-2.0-or-later
"""The real dates of a workload along the x axis, in local time, as Slurm's commands print them."""

from datetime import datetime

from dateutil import tz
from matplotlib import dates, ticker

_DAY = 86400
# From years to seconds. Ticks between which a greater unit changes show that one.
_FORMATS = ["%Y", "%b %Y", "%d %b", "%H:%M", "%H:%M", "%H:%M:%S"]
_ZERO_FORMATS = ["%Y", "%b %Y", "%d %b", "%d %b", "%H:%M", "%H:%M"]


class _Locator(ticker.Locator):
    """Places that AutoDateLocator likes, in seconds since the start."""

    def __init__(self, start):
        self._start = start
        self.dates = dates.AutoDateLocator(tz=tz.tzlocal(), minticks=4)

    def __call__(self):
        return self.tick_values(*self.axis.get_view_interval())

    def tick_values(self, vmin, vmax):
        ticks = self.dates.tick_values(_date(self._start, vmin), _date(self._start, vmax))
        return [round(tick * _DAY - self._start) for tick in ticks]


class _Formatter(ticker.Formatter):
    def __init__(self, start, locator):
        self._start = start
        self._dates = dates.ConciseDateFormatter(locator.dates, tz.tzlocal(), formats=_FORMATS,
                                                 zero_formats=_ZERO_FORMATS)

    def __call__(self, x, pos=None):
        return self.format_ticks([x])[0]

    def format_ticks(self, values):
        return self._dates.format_ticks([(self._start + value) / _DAY for value in values])


def _date(start, second):
    return datetime.fromtimestamp(start + second, tz.tzlocal())


def axis(axes, span, start):
    """`span`: (from, to) in seconds since `start`, which is in seconds since 1970."""
    locator = _Locator(start)
    axes.set_xlim(span)
    axes.xaxis.set_major_locator(locator)
    axes.xaxis.set_major_formatter(_Formatter(start, locator))
    begin, end = (_date(start, second) for second in span)
    zones = dict.fromkeys((begin.tzname(), end.tzname()))  # one, or two: daylight saving time
    axes.set_xlabel(f"{begin:%Y-%m-%d %H:%M} to {end:%Y-%m-%d %H:%M} ({', '.join(zones)})")
