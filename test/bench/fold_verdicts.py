# SPDX-License-Identifier: GPL-2.0-or-later
"""What folding is to cost, against what it was measured to cost."""

import statistics

from fold_tables import (BORDER, CLOSE, border_of, choices, curves, find, hand_overs_alone, medians, number, one, spread, table,
                         unique)

UNFOLDED = 1.01
ABOVE_HAND_OVERS = 1.25
MOVED_MS = 5


def named(rows):
    return ", ".join(f"{row.program} {number(row.median)}" for row in sorted(rows, key=lambda row: -row.median))


def cost(rows):
    real = [row for row in find(rows, table="programs", side="ours", mpl=4) if row.is_real and row.has_values]
    if not real:
        return
    dear = [row for row in real if row.median > BORDER]
    yield ("at MPL 4 every program within 1.10 of the ideal", not dear,
           f"{len(real) - len(dear)} of {len(real)}" + (f"; not {named(dear)}" if dear else ""))
    middle = statistics.median(medians(real))
    yield "at MPL 4 the median within 1.05", middle <= 1.05, number(middle)
    counted = [row for row in real if hand_overs_alone(rows, row.program)]
    above = [row for row in counted if row.median > ABOVE_HAND_OVERS * hand_overs_alone(rows, row.program)]
    if counted:
        yield ("at MPL 4 no program above 1.25 times what its hand-overs alone cost", not above,
               f"{len(counted) - len(above)} of {len(counted)}" + (f"; not {named(above)}" if above else ""))


def fine_grained(rows):
    for (side, mpl), points in curves(rows).items():
        if side == "ours":
            yield f"the grain at which the cost passes 10 %, MPL {mpl}", None, border_of(points)


def never_slower(rows):
    """By more than the runs of either differ."""
    slower, compared = [], 0
    for ours in find(rows, table="stock", side="ours", state="measured"):
        stock = one(rows, table="stock", program=ours.program, mpl=ours.mpl, side="stock")
        if stock and stock.has_values:
            compared += 1
            if stock.state == "measured" and min(ours.values) > max(stock.values):
                slower.append(f"{ours.program} at MPL {ours.mpl} ({number(ours.median)} against {number(stock.median)})")
    if compared:
        yield ("never slower than stock MPI, beyond the spread", not slower,
               f"{compared - len(slower)} of {compared}" + (f"; not {', '.join(slower)}" if slower else ""))


def out_of_the_way(rows):
    found = [row for row in find(rows, table="programs", side="unfolded") if row.has_values]
    if found:
        middle = statistics.median(medians(found))
        surely = [row for row in found if min(row.values) > UNFOLDED]
        yield ("unfolded at most 1 % over no library: the median, and no program in every run",
               middle <= UNFOLDED and not surely,
               f"{middle:.3f}" + (f"; above in every run: {named(surely)}" if surely else ""))


def change(rows):
    found = [row for row in find(rows, table="switching") if row.has_values]
    if found:
        yield "switching twice a second within 5 %", all(row.median <= CLOSE for row in found), named(found)


def moving(rows):
    for row in find(rows, table="move"):
        if row.has_values:
            late = sorted(row.values)[(len(row.values) - 1) * 99 // 100]
            yield ("from the agent's write to the last thread of 8 ranks moved: p99 under 5 ms", late < MOVED_MS,
                   f"{late:.2f} ms (median {row.median:.2f} ms, {len(row.values)} moves)")


def choice_of_way(rows):
    found = choices(rows)
    if not found:
        return
    far = [f"{choice.program} {number(choice.over_best)}" for choice in found if choice.over_best > CLOSE]
    yield ("within 5 % of the best of hand-overs, the kernel's queues and `sched_yield`", not far,
           f"{len(found) - len(far)} of {len(found)}" + (f"; not {', '.join(far)}" if far else ""))


def blocking(rows):
    pairs = [(one(rows, table="programs", program=spin.program, mpl=spin.mpl, side="ours", state="measured"), spin)
             for spin in find(rows, table="programs", side="spin", state="measured")]
    pairs = [(ours, spin) for ours, spin in pairs if ours]
    if pairs:
        better = [ours for ours, spin in pairs if ours.median <= spin.median]
        block, spun = (statistics.median(row.median for row in rows) for rows in zip(*pairs))
        yield ("blocking immediately beats spinning first (medians)", block <= spun,
               f"{number(block)} against {number(spun)}; better for {len(better)} of {len(pairs)} programs")


def competition(rows):
    for program in unique(row.program for row in find(rows, table="rivals")):
        alone, shared = (one(rows, table="rivals", program=program, side=side, state="measured")
                         for side in ("self", "two jobs"))
        if not alone or not shared:
            continue
        # Thesis, table 4.7: what computes most of the time gains from two jobs, what communicates loses.
        computes = program.startswith("gaussian")
        yield (f"{program}: {'two jobs are better' if computes else 'competing with itself is better'}",
               (shared.median < alone.median) == computes, f"{number(alone.median)} against {number(shared.median)}")
        yield (f"{program}: times vary less if it competes with itself", spread(alone) < spread(shared),
               f"{100 * spread(alone):.1f} % against {100 * spread(shared):.1f} %")


def random(rows):
    found = [row for row in find(rows, table="random folds") if row.values]
    if found:
        changes, runs, right = (sum(values) for values in zip(*(row.values for row in found)))
        yield ("right results through 100 random folds", changes >= 100 and right == runs,
               f"{right:.0f} of {runs:.0f} runs right, {changes:.0f} changes")


def verdicts(rows):
    names = {True: "yes", False: "**no**", None: ""}
    lines = [[target, value, names[reached]]
             for judge in (cost, fine_grained, never_slower, out_of_the_way, change, moving, choice_of_way, blocking,
                           competition, random)
             for target, reached, value in judge(rows)]
    return table(["target", "measured", "reached"], lines) if lines else ""
