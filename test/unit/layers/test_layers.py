# SPDX-License-Identifier: GPL-2.0-or-later
"""Parts include what is below them, and nothing above or beside them (doc/architecture.md)."""

import collections
import os
import pathlib
import re
import unittest

SOURCE = pathlib.Path(os.environ["SOURCE"])

# The floors of each house, the lowest first: rooms, of which those on one floor do not know each other. A room is a
# folder, or a file with its header. What lies in the house itself, in none of these, is ".".
HOUSES = {
    "": [
        ["src/common"],
        ["src/policy", "src/layout"],
        ["src/config", "src/wire", "src/slurmglue"],
        ["src/plugins", "src/spank_vm", "src/libvmrt"],
        ["src/sim"],
        ["src/tools/usage"],
        ["src/tools/vmctl", "src/tools/vmsim"],
        ["src/tools/exporter"],
        ["experiments"],
    ],
    "src/policy": [
        ["node_set", "row"],
        ["demand"],
        ["model"],
        ["time"],
        ["room", "cost", "reasons", "pools", "overruns", "started_job"],
        ["settings"],
        ["pass"],
        ["folding"],
        ["sizing", "normalise"],
        ["window", "least_work"],
        ["queue"],
        ["sharing"],
        ["policies", "scheduler"],
        ["expected_starts"],
    ],
    "src/plugins": [["cores"], ["select_vmall", "sched_fjt"]],
    "src/plugins/sched_fjt": [["locks", "log"], ["see"], ["account"], ["decide"], ["answer", "resize"], ["start"], ["."]],
    "src/spank_vm": [["node", "options"], ["step", "agent"], ["."]],
    # Values, below those who act.
    "src/spank_vm/agent": [
        ["processes", "core_map", "knowledge", "rank_slots", "step_sockets", "time_lost"],
        ["process_table", "job_state"],
        ["lost_steps", "resident"],
        ["members"],
        ["."],
    ],
    "src/libvmrt": [["."], ["engines"]],
}

# Include less than what is below them: themselves, and these.
NARROW = {
    "src/slurmglue": (),
    "src/wire": ("src/common/",),
}

# Files, and the folder that may include them all the same.
EXCEPTIONS = {
    # The contract between the two plugins.
    "src/plugins/select_vmall/gate.hpp": "src/plugins/sched_fjt",
}

INCLUDE = re.compile(r'^\s*#\s*include\s*["<]([^">]+)[">]', re.MULTILINE)
CODE = {".c", ".h", ".cpp", ".hpp"}

Include = collections.namedtuple("Include", "file included")


def room_of(house, path, rooms):
    """The room of the house that `path` is in; None: it is not in the house."""
    inside = path.removeprefix(house + "/") if house else path
    if house and inside == path:
        return None
    return next((room for room in rooms if inside.startswith((room + "/", room + "."))), ".")


def is_exception(include):
    folder = EXCEPTIONS.get(include.included)
    return folder is not None and include.file.startswith(folder + "/")


def wrongs(include):
    """What is wrong with an include of a file of ours."""
    if is_exception(include):
        return
    for folder, others in NARROW.items():
        if include.file.startswith(folder + "/") and not include.included.startswith((folder + "/", *others)):
            yield f"{folder} includes something else"
    for house, floors in HOUSES.items():
        floor_of = {room: number for number, floor in enumerate(floors) for room in floor}
        by, of = (room_of(house, path, floor_of) for path in include)
        if by is None or of is None or by == of:
            continue
        for room, path in ((by, include.file), (of, include.included)):
            if room not in floor_of:
                yield f"{path} is in no room of the table"
        if {by, of} <= floor_of.keys() and floor_of[of] >= floor_of[by]:
            direction = "up" if floor_of[of] > floor_of[by] else "sideways"
            yield f"{by} includes {direction}"


def ours(name, files):
    """The file that an include finds: paths are relative to src/, those of the experiments to the top."""
    return next((path for path in (f"src/{name}", name) if path in files), None)


def includes_of_the_tree():
    files = {str(path.relative_to(SOURCE)): path for top in ("src", "experiments")
             for path in (SOURCE / top).rglob("*") if path.suffix in CODE}
    return [Include(file, included) for file, path in files.items() for name in INCLUDE.findall(path.read_text())
            if (included := ours(name, files))]


class Layers(unittest.TestCase):
    def test_no_include_runs_up_or_sideways(self):
        includes = includes_of_the_tree()
        self.assertGreater(len(includes), 500)
        found = [f"{include.file} includes {include.included}: {wrong}"
                 for include in includes for wrong in wrongs(include)]
        self.assertEqual(found, [], f"{len(found)} includes:\n" + "\n".join(found))

    def test_exceptions_are_needed(self):
        used = {include.included for include in includes_of_the_tree() if is_exception(include)}
        self.assertEqual(used, EXCEPTIONS.keys())

    def test_what_is_wrong_is_seen(self):
        rows = [
            ("src/config/a.cpp", "src/policy/b.hpp", None),
            ("src/config/a.cpp", "src/config/b.hpp", None),
            ("src/policy/a.cpp", "src/config/b.hpp", "src/policy includes up"),
            ("src/config/a.hpp", "src/wire/b.hpp", "src/config includes sideways"),
            ("src/slurmglue/a.c", "src/layout/b.h", "src/slurmglue includes something else"),
            ("src/slurmglue/a.c", "src/slurmglue/internal/b.h", None),
            ("src/wire/a.cpp", "src/common/b.hpp", None),
            ("src/wire/a.cpp", "src/policy/b.hpp", "src/wire includes something else"),
            ("src/tools/vmctl/a.cpp", "src/slurmglue/b.h", None),
            ("src/sim/a.cpp", "experiments/mesh/b.hpp", "src/sim includes up"),
            ("experiments/mesh/a.cpp", "src/tools/vmsim/b.hpp", None),
            ("src/tools/vmsim/a.cpp", "src/tools/vmctl/b.hpp", "src/tools/vmsim includes sideways"),
            ("src/tools/exporter/a.cpp", "src/tools/vmctl/b.hpp", None),
            ("src/libvmrt/a.cpp", "src/spank_vm/node/b.hpp", "src/libvmrt includes sideways"),
            ("src/spank_vm/spank_vm.cpp", "src/spank_vm/agent/b.hpp", None),
            ("src/spank_vm/node/a.hpp", "src/spank_vm/agent/b.hpp", "node includes up"),
            ("src/spank_vm/step/a.cpp", "src/spank_vm/agent/b.hpp", "step includes sideways"),
            ("src/libvmrt/a.cpp", "src/libvmrt/engines/b.hpp", ". includes up"),
            ("src/plugins/sched_fjt/start/a.cpp", "src/plugins/cores/b.hpp", None),
            ("src/plugins/sched_fjt/start/a.cpp", "src/plugins/select_vmall/gate.hpp", None),
            ("src/plugins/sched_fjt/start/a.cpp", "src/plugins/select_vmall/b.hpp", "sched_fjt includes sideways"),
            ("src/plugins/sched_fjt/account/a.hpp", "src/plugins/sched_fjt/see/b.hpp", None),
            ("src/plugins/sched_fjt/see/a.cpp", "src/plugins/sched_fjt/account/b.hpp", "see includes up"),
            ("src/plugins/sched_fjt/account/a.cpp", "src/plugins/sched_fjt/answer/b.hpp", "account includes up"),
            ("src/plugins/sched_fjt/resize/a.cpp", "src/plugins/sched_fjt/answer/b.hpp", "resize includes sideways"),
            ("src/plugins/sched_fjt/see/a.cpp", "src/plugins/sched_fjt/locks.hpp", None),
            ("src/plugins/sched_fjt/see/a.cpp", "src/plugins/sched_fjt/actor.hpp", "see includes up"),
            ("src/spank_vm/agent/job_state.hpp", "src/spank_vm/agent/job.hpp", "job_state includes up"),
            ("src/spank_vm/agent/job.cpp", "src/spank_vm/agent/jobs.hpp", None),
            ("src/attic/a.cpp", "src/common/b.hpp", "src/attic/a.cpp is in no room of the table"),
        ]
        for file, included, wrong in rows:
            with self.subTest(file=file, included=included):
                self.assertEqual(list(wrongs(Include(file, included))), [wrong] if wrong else [])
