# SPDX-License-Identifier: GPL-2.0-or-later
"""The arguments of experiments/evaluate, which explains them. Run by itself, it only looks whether they are right."""

import argparse
from dataclasses import fields, replace
from pathlib import Path

from . import corbalan, estimates, everything, machines, real_mpi, sizes
from .estimates import ESTIMATES
from .machines import REAL
from .policies import POLICIES
from .run import Run, Settings
from .sizes import SIZES
from .workloads import RECORDED, WORKLOADS


def _list_of(kind):
    def parse(text):
        return [kind(word) for word in text.split(",")]
    return parse


def _number(text, lowest, highest):
    try:
        value = float(text)
    except ValueError:
        value = lowest - 1
    if not lowest <= value <= highest:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number from {lowest:g} to {highest:g}")
    return value


def _one_of(names):
    def parse(name):
        if name not in names:
            raise argparse.ArgumentTypeError(f"{name!r} is not one of {', '.join(names)}")
        return name
    return parse


def _claimed_machine(name):
    try:
        machine = machines.named(name)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from error
    if machine == REAL:
        raise argparse.ArgumentTypeError(f"{name!r} is for {real_mpi.NAME} alone")
    return name


def _whole_number(text, lowest):
    if not (text.isascii() and text.isdigit() and int(text) >= lowest):
        raise argparse.ArgumentTypeError(f"{text!r} is not a whole number of {lowest} or more")
    return int(text)


def _chosen(asked, parser):
    """Options that say which runs are made, of those that were given."""
    return [field.name for field in fields(everything.Part) if getattr(asked, field.name) != parser.get_default(field.name)]


def parse(words=None, needs_build=True):
    parser = argparse.ArgumentParser(prog="evaluate", usage="experiments/evaluate --out DIR [OPTION]... (see --help)",
                                     add_help=False, allow_abbrev=False)
    parser.add_argument("--build", type=Path, required=needs_build)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--policies", type=_list_of(_one_of(POLICIES)), default=list(POLICIES))
    parser.add_argument("--workloads", type=_list_of(_one_of(WORKLOADS)), default=["high-80"])
    parser.add_argument("--machines", type=_list_of(_claimed_machine), default=["1x60"])
    parser.add_argument("--estimates", type=_list_of(_one_of(ESTIMATES)), default=["right"])
    parser.add_argument("--sizes", type=_list_of(_one_of(SIZES)), default=["largest"])
    parser.add_argument("--seeds", type=_list_of(lambda text: _whole_number(text, 0)), default=[1])
    parser.add_argument("--everything", action="store_true")
    parser.add_argument("--duration")
    parser.add_argument("--log", type=Path)
    parser.add_argument("--jobs", type=lambda text: _whole_number(text, 1), default=300)
    parser.add_argument("--clock", type=lambda text: _number(text, 0.01, 1000), default=10)
    # Medians of doc/runtime.md for MPL 2 and 4; 3, which is not measured, lies between.
    parser.add_argument("--folding-cost", default="1.04,1.07,1.11")
    parser.add_argument("--at-once", type=lambda text: _whole_number(text, 1), default=1)
    parser.add_argument("--one-process", action="store_true")
    parser.add_argument("--report-only", action="store_true")
    parser.add_argument("--page", type=Path)
    asked = parser.parse_args(words)
    if asked.everything and (chosen := _chosen(asked, parser)):
        parser.error(f"--everything does not go with --{chosen[0]}")
    if real_mpi.NAME in asked.workloads and asked.at_once > 1:
        parser.error(f"{real_mpi.NAME} needs the machine for itself: it does not go with --at-once={asked.at_once}")
    if asked.one_process and (wait := [name for name in asked.workloads if name in corbalan.NAMES]):
        parser.error(f"the processes of {wait[0]} wait for a part of their time, each its own: it does not go with --one-process")
    if RECORDED in asked.workloads and not asked.log:
        parser.error(f"the workload {RECORDED} needs a --log")
    return asked


def _places(options, part, workload):
    """(Machine, Settings) of the workload."""
    settings = Settings(options.clock, options.duration, options.folding_cost, options.one_process)
    if workload == real_mpi.NAME:
        return [(REAL, replace(settings, clock=1, one_process=False))]
    if workload == RECORDED:
        settings = replace(settings, log=str(options.log), jobs=options.jobs)
    return [(machines.named(machine), settings) for machine in part.machines]


def _asked(part, workload):
    """(estimates, sizes) of its users."""
    if workload == RECORDED:
        return [(estimates.RECORDED, sizes.RECORDED)]
    return [(how, size) for how in part.estimates for size in part.sizes]


def runs(options):
    """In the order in which they are carried out: a seed under all policies, then the next one."""
    parts = everything.PARTS if options.everything else [options]
    return [Run(POLICIES[policy], workload, how, size, machine, seed, settings) for part in parts
            for workload in part.workloads for machine, settings in _places(options, part, workload)
            for how, size in _asked(part, workload) for seed in part.seeds for policy in part.policies
            if POLICIES[policy].is_simulated or machine != REAL]


if __name__ == "__main__":
    parse(needs_build=False)
