# SPDX-License-Identifier: GPL-2.0-or-later
"""What all pictures have in common. The same input gives the same bytes: no date, no random ids, text left as text."""

import matplotlib

matplotlib.use("svg")
from matplotlib import pyplot, ticker  # noqa: E402 # pylint: disable=wrong-import-position
from matplotlib.colors import to_rgb  # noqa: E402 # pylint: disable=wrong-import-position
from matplotlib.lines import Line2D  # noqa: E402 # pylint: disable=wrong-import-position

from . import dates  # noqa: E402 # pylint: disable=wrong-import-position
from .problem import Problem  # noqa: E402 # pylint: disable=wrong-import-position

WIDTH = 10  # inches

# Paul Tol's bright scheme, and darker ones of the same hues: to be told apart by the colour-blind.
SERIES = ("#4477aa", "#ee6677", "#228833", "#ccbb44", "#66ccee", "#aa3377", "#777777",
          "#223b55", "#8f2c3a", "#124d1d", "#6e6421", "#26768f")
_DASHES = ("-", (0, (5, 2)), (0, (1.5, 1.5)))
GRID = "#dddddd"
TEXT = "#333333"

_SETTINGS = {
    "svg.fonttype": "none", "svg.hashsalt": "vmsim",
    "font.family": "DejaVu Sans", "font.size": 9,
    "axes.titlesize": 10, "axes.titlelocation": "left", "axes.edgecolor": "#888888", "axes.labelcolor": TEXT,
    "axes.spines.top": False, "axes.spines.right": False, "axes.axisbelow": True,
    "text.color": TEXT, "xtick.color": TEXT, "ytick.color": TEXT,
    "grid.color": GRID, "grid.linewidth": 0.6, "legend.frameon": False, "hatch.linewidth": 0.6,
    "text.parse_math": False, "path.simplify": False,
}


def use():
    """Before anything is drawn; settings of the user's own matplotlibrc do not count."""
    matplotlib.rcdefaults()
    matplotlib.rcParams.update(_SETTINGS)


def subplots(rows, columns, size, **more):
    return pyplot.subplots(rows, columns, squeeze=False, figsize=size, layout="constrained", **more)


def colours(names):
    """{name: colour}, by place."""
    return {name: SERIES[index % len(SERIES)] for index, name in enumerate(names)}


def ink_on(colour):
    """Black or white, whichever is to be read better on it (contrast as WCAG 2 has it)."""
    parts = [part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in to_rgb(colour)]
    luminance = 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]
    return "white" if 1.05 / (luminance + 0.05) > (luminance + 0.05) / 0.05 else "black"


def strokes(names):
    """{name: how its line is drawn}: of two lines in one place both are seen, the solid one below."""
    kinds = [index % len(_DASHES) for index in range(len(names))]
    return {name: {"color": colour, "linestyle": _DASHES[kind], "zorder": 2 + 0.1 * kind}
            for (name, colour), kind in zip(colours(names).items(), kinds)}


def lines(names):
    """Handles of a legend."""
    return [Line2D([], [], linewidth=2, label=name, **stroke) for name, stroke in strokes(names).items()]


def title(figure, text):
    figure.suptitle(text, x=0.01, ha="left", fontsize=12, fontweight="bold")


def legend_below(figure, handles):
    """Under all panels, in as many columns as there is room for."""
    if not handles:
        return
    widest = 0.6 + 0.08 * max(len(handle.get_label()) for handle in handles)  # inches
    columns = max(1, min(len(handles), int(figure.get_figwidth() / widest)))
    rows = -(-len(handles) // columns)
    room = (0.1 + 0.2 * rows) / figure.get_figheight()
    figure.get_layout_engine().set(rect=(0, room, 1, 1 - room))
    figure.legend(handles=handles, loc="lower center", ncol=columns)


def _settle(figure):
    """The layout is solved but for the last bits, which differ from run to run; names in the SVG depend on them."""
    figure.draw_without_rendering()
    figure.set_layout_engine("none")
    for axes in figure.axes:
        axes.set_position([round(float(bound), 6) for bound in axes.get_position().bounds])


def save(figure, path):
    _settle(figure)
    try:
        figure.savefig(path, format="svg", metadata={"Date": None, "Creator": None})
    except OSError as error:
        raise Problem(f"{path}: {error.strerror}") from None
    finally:
        pyplot.close(figure)


_DAY = 86400
_TIME_UNITS = ((3 * _DAY, _DAY, "days"), (3 * 3600, 3600, "hours"), (3 * 60, 60, "minutes"))

_SHORT = {"days": "d", "hours": "h", "minutes": "min", "seconds": "s"}


def time_unit(seconds):
    """(seconds in a unit, its name) that suits times up to these."""
    for least, unit, name in _TIME_UNITS:
        if seconds >= least:
            return unit, name
    return 1, "seconds"


def duration(seconds):
    """"3.2 days"."""
    unit, name = time_unit(abs(seconds))
    return f"{seconds / unit:.3g} {name}"


def change(seconds):
    """"+3.2 d"."""
    if abs(seconds) < 0.5:
        return "0"
    unit, name = time_unit(abs(seconds))
    sign = "+" if seconds > 0 else "\u2212"
    return f"{sign}{number(abs(seconds) / unit)} {_SHORT[name]}"


def time_axis(axes, span, start):
    """The x axis runs over that span of seconds since the start of the workload, which was at `start` in seconds since
    1970 if that is known."""
    if start is not None:
        dates.axis(axes, span, start)
        return
    unit, name = time_unit(span[1] - span[0])
    day = int(span[0] // _DAY) if unit < _DAY else 0
    axes.set_xlim(span)
    axes.xaxis.set_major_locator(_Multiples(unit, day * _DAY))
    axes.xaxis.set_major_formatter(ticker.FuncFormatter(lambda value, _: f"{(value - day * _DAY) / unit:g}"))
    axes.set_xlabel(f"{name} since the start of " + (f"day {day} of the workload" if day else "the workload"))


class _Multiples(ticker.MaxNLocator):
    """Round numbers of a unit since an origin."""

    def __init__(self, unit, origin):
        super().__init__(nbins=10, steps=[1, 2, 3, 6, 10] if unit == 3600 else [1, 2, 5, 10])
        self._unit = unit
        self._origin = origin

    def tick_values(self, vmin, vmax):
        low, high = ((value - self._origin) / self._unit for value in (vmin, vmax))
        return self._origin + self._unit * super().tick_values(low, high)


def plain_numbers(axis):
    """0.5, 2000, 1.2 million … instead of powers of ten."""
    axis.set_major_formatter(ticker.FuncFormatter(lambda value, _: number(value)))


def number(value):
    """Three digits, "12 300" for large ones."""
    if abs(value) >= 1000:
        return f"{round(value, 2 - len(str(int(abs(value)))) + 1):,.0f}".replace(",", "\u2009")
    return f"{value:.3g}"
