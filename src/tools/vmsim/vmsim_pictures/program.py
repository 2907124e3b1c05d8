# SPDX-License-Identifier: GPL-2.0-or-later
"""The command line."""

import argparse
import pathlib
import sys

from . import charts, comparison, gains, gantt, history, results, study, style, usage, waits, window
from .problem import Problem


def _arguments(words):
    parser = argparse.ArgumentParser(
        prog="vmsim-pictures", allow_abbrev=False,
        description="Draws what vmsim wrote as SVG: the results of `vmsim run` and `vmsim study`, "
                    "the charts of `vmlab reproduce`, what `vmctl history --json` prints.")
    parser.add_argument("source", type=pathlib.Path, metavar="DIRECTORY|CHARTS.json", nargs="?")
    parser.add_argument("-o", "--output", type=pathlib.Path, metavar="DIRECTORY",
                        help="where the pictures go, if not beside what they show")
    parser.add_argument("--begin", type=float, metavar="SECONDS", help="first second of allotments and usage to draw")
    parser.add_argument("--end", type=float, metavar="SECONDS", help="last second")
    parser.add_argument("--timeline", type=pathlib.Path, metavar="FILE",
                        help="draw the history that is read from standard input, and nothing else")
    options = parser.parse_args(words)
    if (options.source is None) == (options.timeline is None):
        parser.error("either DIRECTORY|CHARTS.json or --timeline is needed")
    return options


def _asked(options, whole):
    """The (from, to) of the options; None if they leave that to us."""
    if options.begin is None and options.end is None:
        return None
    span = (whole[0] if options.begin is None else options.begin, whole[1] if options.end is None else options.end)
    if not whole[0] <= span[0] < span[1] <= whole[1]:
        raise Problem(f"nothing to draw from second {span[0]:g} to {span[1]:g}; the run is from {whole[0]:g} to "
                      f"{whole[1]:g}")
    return span


def _draw_timelines(loaded, output, options):
    missing = [str(of_policy[0].directory) for of_policy in loaded.values() if of_policy[0].usage is None]
    if missing:
        print(f"vmsim-pictures: no timelines in {missing[0]}; allotments and usage are not drawn (vmsim run "
              "--timelines)", file=sys.stderr)
        return
    whole = window.whole(loaded)
    asked = _asked(options, whole)
    part, why = (asked, "as asked for") if asked else window.choose(loaded, whole)
    start = next(iter(loaded.values()))[0].start
    gantt.draw(output / "allotments.svg", loaded, part, why and f"{style.duration(part[1] - part[0])} {why}", start)
    usage.draw(output / "usage.svg", loaded, asked or whole, start)


def _draw(options):
    source = options.source
    if options.timeline:
        history.draw(options.timeline, sys.stdin)
    elif source.is_dir() and study.is_one(source):
        study.draw((options.output or source) / "responses.svg", source)
    elif source.is_dir():
        output = options.output or source
        loaded = results.load(source)
        _draw_timelines(loaded, output, options)
        comparison.draw(output / "comparison.svg", loaded)
        waits.draw(output / "waits.svg", loaded)
        gains.draw(output / "gains.svg", loaded)
    else:
        charts.draw(options.output or source.parent, source)


def main(words):
    options = _arguments(words)
    style.use()
    try:
        if options.output:
            options.output.mkdir(parents=True, exist_ok=True)
        _draw(options)
    except Problem as problem:
        print(f"vmsim-pictures: error: {problem}", file=sys.stderr)
        return 1
    except OSError as error:
        print(f"vmsim-pictures: error: {error.filename}: {error.strerror}", file=sys.stderr)
        return 1
    return 0
