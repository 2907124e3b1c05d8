# SPDX-License-Identifier: GPL-2.0-or-later
"""How runs are made again."""

import json

from . import everything
from .estimates import RECORDED
from .machines import REAL

# What no option chooses.
_BY_WORKLOAD = {("machine", REAL.name), ("estimates", RECORDED), ("sizes", RECORDED)}


def _distinct(runs, name):
    return ",".join(dict.fromkeys(str(run[name]) for run in runs))


def _by(runs, key):
    alike = {}
    for run in runs:
        alike.setdefault(key(run), []).append(run)
    return alike.values()


def _choices(runs):
    """Lists of options, each of which chooses runs; together they choose all."""
    if set(map(everything.key_of, runs)) == everything.keys():
        return [["--everything"]]
    options = {"machines": "machine", "policies": "policy", "workloads": "workload", "estimates": "estimates", "sizes": "sizes",
               "seeds": "seed"}
    return [[f"--{option}={_distinct(those, name)}" for option, name in options.items() if (name, those[0][name]) not in _BY_WORKLOAD]
            for those in _by(runs, lambda run: run["machine"])]


def _commands(runs):
    settings = runs[0]["settings"]
    words = [f"--clock={settings['clock']:g}", f"--folding-cost={settings['folding_cost']}"]
    words += [f"--duration={settings['duration']}"] if settings["duration"] else []
    words += [f"--log={settings['log']} --jobs={settings['jobs']}"] if settings["log"] else []
    words += ["--one-process"] if settings["one_process"] else []
    return [" ".join(["experiments/evaluate --out DIR", *choice, *words]) for choice in _choices(runs)]


def text(runs):
    """Commands that make these runs at least."""
    lines = [line for those in _by(runs, lambda run: json.dumps(run["settings"], sort_keys=True)) for line in _commands(those)]
    return "```sh\n" + "\n".join(lines) + "\n```\n"
