# SPDX-License-Identifier: GPL-2.0-or-later
"""How runs are made again."""

import json

from . import everything
from .machines import REAL


def _distinct(runs, name):
    return ",".join(dict.fromkeys(str(run[name]) for run in runs))


def _choice(runs):
    """Options that choose these runs."""
    if set(map(everything.key_of, runs)) == everything.keys():
        return ["--everything"]
    return [f"--{option}={_distinct(runs, name)}" for option, name in (
        ("machines", "machine"), ("policies", "policy"), ("workloads", "workload"), ("estimates", "estimates"),
        ("sizes", "sizes"), ("seeds", "seed"))
        if runs[0][name] != REAL.name]


def _command(runs):
    settings = runs[0]["settings"]
    words = [*_choice(runs), f"--clock={settings['clock']:g}", f"--folding-cost={settings['folding_cost']}"]
    words += [f"--duration={settings['duration']}"] if settings["duration"] else []
    words += ["--one-process"] if settings["one_process"] else []
    return " ".join(["contrib/evaluate --out DIR", *words])


def text(runs):
    """A command for each machine and settings, which makes these runs at least."""
    alike = {}
    for run in runs:
        alike.setdefault((run["machine"], json.dumps(run["settings"], sort_keys=True)), []).append(run)
    return "```sh\n" + "".join(_command(those) + "\n" for those in alike.values()) + "```\n"
