# SPDX-License-Identifier: GPL-2.0-or-later
"""From the rows of `fold --csv` to tables, as Markdown."""

import csv
import dataclasses
import math
import statistics

from pages import BadRow, table

BORDER = 1.1  # where folding stops to be cheap
CLOSE = 1.05  # what the choice of a way to wait may lose
SYNTHETIC = ("ring", "send.", "imbalanced")  # how the names of programs begin that only exist to be measured

SIDES = ("unfolded", "ours", "spin", "messages", "sender", "periodic boost", "busy", "time shared", "lewi",
         "stock", "yield", "unfolded Open MPI", "ours Open MPI", "stock Open MPI", "yield Open MPI")


@dataclasses.dataclass
class Row:  # pylint: disable=too-many-instance-attributes
    table: str
    program: str
    grain_us: int
    mpl: int
    side: str
    values: list
    state: str
    note: str

    @property
    def key(self):
        return self.table, self.program, self.grain_us, self.mpl, self.side

    @property
    def median(self):
        """More than which it is, if it was ended."""
        return statistics.median(self.values)

    @property
    def has_values(self):
        return bool(self.values) and self.state in ("measured", "over")

    @property
    def is_real(self):
        return not self.program.startswith(SYNTHETIC)


def read(path):
    """Of rows measured twice, the later."""
    rows = {}
    with open(path, newline="", encoding="utf-8") as file:
        for number_of_line, line in enumerate(csv.DictReader(file), 2):
            try:
                row = Row(line["table"], line["program"], int(line["grain_us"]), int(line["mpl"]), line["side"],
                          [float(value) for value in line["values"].split(";") if value], line["state"], line["note"])
            except (KeyError, TypeError, ValueError, AttributeError) as error:
                raise BadRow(f"{path}, line {number_of_line}: {error}") from error
            rows[row.key] = row
    return list(rows.values())


def number(value):
    return f"{value:.2f}" if value < 9.995 else f"{value:.0f}"


def cell(row):
    if row is None:
        return ""
    if row.state == "over":
        return f"> {number(row.median)}"
    if not row.has_values:
        return row.state
    if len(row.values) == 1:
        return number(row.median)
    return f"{number(row.median)} ({number(min(row.values))}–{number(max(row.values))})"


def unique(values):
    return list(dict.fromkeys(values))


def find(rows, **wanted):
    """Rows with these fields; a tuple allows several values."""
    def fits(row):
        return all(getattr(row, name) in (value if isinstance(value, tuple) else (value,))
                   for name, value in wanted.items())
    return [row for row in rows if fits(row)]


def one(rows, **wanted):
    found = find(rows, **wanted)
    return found[0] if found else None


def medians(rows):
    return [row.median for row in rows if row.has_values]


def by_side(rows, sides, more_heads=(), more_cells=lambda program, mpl: ()):
    """A line for each program and MPL, a column for each of the sides that there is, and the medians below."""
    sides = [side for side in sides if find(rows, side=side)]
    lines = [[program, str(mpl), *(cell(one(rows, program=program, mpl=mpl, side=side)) for side in sides),
              *more_cells(program, mpl)]
             for program, mpl in unique((row.program, row.mpl) for row in rows)]
    for mpl in unique(row.mpl for row in rows):
        values = [medians(find(rows, mpl=mpl, side=side)) for side in sides]
        lines.append(["**median**", str(mpl),
                      *(f"**{number(statistics.median(some))}**" if some else "" for some in values),
                      *("" for _ in more_heads)])
    return table(["program", "MPL", *sides, *more_heads], lines)


def stretch(rows, program, mpl):
    """For how long a core computes from one hand-over to the next."""
    row = one(rows, table="stretches", program=program, mpl=mpl)
    return f"{float(f'{row.median:.2g}'):g} µs" if row else ""


def hand_overs_alone(rows, program):
    """What so many hand-overs cost if each takes what the kernel takes for one of four processes, as time over the ideal."""
    row = one(rows, table="stretches", program=program, mpl=4)
    kernel = one(rows, table="calls", program="hand-over of 4 without MPI")
    return 1 + kernel.median / 1000 / row.median if row and kernel and row.median > 0 else None


def alone(rows, program):
    value = hand_overs_alone(rows, program)
    return number(value) if value else ""


IN_SHORT = {"MPL 4": ("programs", 4, "ours"), "stock": ("stock", 4, "stock"), "`sched_yield`": ("stock", 4, "yield"),
            "MPL 2": ("programs", 2, "ours"), "unfolded": ("programs", 1, "unfolded")}


def in_short(rows):
    """A line for each program, of medians."""
    names = unique(row.program for row in find(rows, table="programs", side="ours", mpl=4))
    columns = [[one(rows, table=table_, program=program, mpl=mpl, side=side) for program in names]
               for table_, mpl, side in IN_SHORT.values()]
    lines = [[name, *(cell(dataclasses.replace(row, values=[row.median]) if row and row.has_values else row) for row in found),
              stretch(rows, name, 4), alone(rows, name)] for name, *found in zip(names, *columns)]
    middles = [medians(filter(None, column)) for column in columns]
    lines.append(["**median**", *(f"**{number(statistics.median(some))}**" if some else "" for some in middles), "", ""])
    return table(["program", *IN_SHORT, "computes between hand-overs", "hand-overs alone"], lines) if names else ""


def programs(rows):
    """What matters first, beside what there would be without the runtime."""
    return by_side(find(rows, table="programs", side="ours") + find(rows, table="stock", side=("stock", "yield")),
                   SIDES, ["computes between hand-overs"],
                   lambda program, mpl: [stretch(rows, program, mpl)])


def threads(rows):
    return by_side(find(rows, table="threads"), ("unfolded", "ours", "threads spin"))


def strategies(rows):
    rows = [row for row in find(rows, table="programs") if row.mpl > 1]
    others = [row for row in rows if row.side != "ours"]
    compared = {(row.program, row.mpl) for row in others}
    ours = [row for row in find(rows, side="ours") if (row.program, row.mpl) in compared]
    return by_side(ours + others, SIDES) if others else ""


def unfolded(rows):
    found = find(rows, table="programs", side=("unfolded", "unfolded Open MPI"))
    return by_side(found, SIDES) if found else ""


def crossing(points):
    """Grain, by logarithm between the measured ones, under which the cost is above the border; None: it never is."""
    points = sorted(points, reverse=True)
    for (coarse, cheap), (fine, dear) in zip(points, points[1:]):
        if cheap <= BORDER < dear:
            share = (BORDER - cheap) / (dear - cheap)
            return math.exp(math.log(coarse) + share * (math.log(fine) - math.log(coarse)))
    return points[0][0] if points and points[0][1] > BORDER else None


def curves(rows):
    found = {}
    for row in find(rows, table="grain", state="measured"):
        found.setdefault((row.side, row.mpl), []).append(row)
    return {key: sorted(found[key], key=lambda row: row.grain_us) for key in sorted(found)}


def border_of(points):
    at = crossing([(row.grain_us, row.median) for row in points])
    if at is None:
        return f"below {points[0].grain_us} µs"
    return f"{at:.0f} µs"


def grain(rows):
    grains = sorted(unique(row.grain_us for points in curves(rows).values() for row in points))
    lines = []
    for (side, mpl), points in curves(rows).items():
        at = {row.grain_us: row for row in points}
        lines.append([side, str(mpl), border_of(points), *(cell(at.get(value)) for value in grains)])
    return table(["side", "MPL", "10 % at", *(f"{value} µs" for value in grains)], lines) if lines else ""


def switching(rows):
    lines = [[row.program, cell(row)] for row in find(rows, table="switching")]
    return table(["program", "work expected over work done"], lines) if lines else ""


def nanoseconds(row):
    text = cell(row)
    return text and f"{text} ns"


def calls(rows):
    rows = find(rows, table="calls")
    sides = unique(row.side for row in rows)
    lines = [[program, *(nanoseconds(one(rows, program=program, side=side)) for side in sides)]
             for program in unique(row.program for row in rows)]
    return table(["", *sides], lines) if lines else ""


@dataclasses.dataclass
class Choice:
    """How ranks of a program were found to do best, over hand-overs on their own places."""
    program: str
    kernel: Row
    ours: Row
    sched_yield: Row

    @property
    def best(self):
        return min(1, self.kernel.median, self.sched_yield.median)

    @property
    def over_best(self):
        return self.ours.median / self.best


def choices(rows):
    found = []
    for program in unique(row.program for row in find(rows, table="queues")):
        sides = [one(rows, table="queues", program=program, side=side, state="measured")
                 for side in ("kernel", "ours", "yield")]
        if all(sides):
            found.append(Choice(program, *sides))
    return found


def queues(rows):
    """With what a hand-over takes on that machine, which the ways to wait compete with."""
    found = choices(rows)
    if not found:
        return ""
    lines = [[choice.program, cell(choice.sched_yield), cell(choice.kernel), cell(choice.ours),
              choice.ours.note.replace("chose ", ""), number(choice.over_best)] for choice in found]
    middles = [number(statistics.median(row.median for row in side))
               for side in zip(*((choice.sched_yield, choice.kernel, choice.ours) for choice in found))]
    lines.append(["**median**", *(f"**{middle}**" for middle in middles), "",
                  f"**{number(statistics.median(choice.over_best for choice in found))}**"])
    text = table(["program", "`sched_yield`", "the kernel's", "ours", "ended with", "ours over the best"], lines)
    bare = one(rows, table="calls", program="hand-over of 4 without MPI")
    return text + (f"\n\nA hand-over among four processes took {bare.median / 1000:.1f} µs there." if bare else "")


def spread(row):
    """Coefficient of variation."""
    return statistics.stdev(row.values) / statistics.mean(row.values) if len(row.values) > 1 else 0


def rivals(rows):
    lines = []
    for program in unique(row.program for row in find(rows, table="rivals")):
        both = [one(rows, table="rivals", program=program, side=side) for side in ("self", "two jobs")]
        lines.append([program, *map(cell, both),
                      *(f"{100 * spread(row):.1f} %" if row and row.has_values else "" for row in both)])
    return table(["job", "competes with itself", "two jobs compete", "spread of itself", "spread of two jobs"],
                 lines) if lines else ""


def random_folds(rows):
    lines = [[row.program, *(f"{value:.0f}" for value in row.values)] for row in find(rows, table="random folds")]
    return table(["program", "changes of the allotment", "runs", "right results"], lines) if lines else ""
