# SPDX-License-Identifier: GPL-2.0-or-later
"""spank_vm.so and libvmrt.so want nothing of Slurm's but what its public headers declare: one file for all releases."""

import os
import re
import subprocess
import unittest
from pathlib import Path

BUILD = Path(os.environ["BUILD"])
# Of other libraries, without versions, or of none.
OTHERS = re.compile(r"hwloc_|munge_|_ITM_|__gmon_start__$|__(a|ub)san_")


def wanted(library):
    """Names that it takes from elsewhere, apart from those that its libraries have by version."""
    listed = subprocess.run(["nm", "-D", "--undefined-only", BUILD / library], check=True, capture_output=True, text=True)
    names = [line.split()[-1] for line in listed.stdout.splitlines()]
    return {name for name in names if "@" not in name and not OTHERS.match(name)}


def declared():
    """Functions that Slurm's public headers declare."""
    source = "#include <slurm/spank.h>\n#include <slurm/slurm.h>\n#include <slurm/slurm_errno.h>\n"
    command = ["gcc", *os.environ["SLURM_HEADERS"].split(), "-E", "-P", "-x", "c", "-"]
    text = subprocess.run(command, input=source, check=True, capture_output=True, text=True).stdout
    return set(re.findall(r"\b(\w+)\s*\(", text))


class PublicSymbols(unittest.TestCase):
    def test_plugin_wants_public_functions_only(self):
        self.assertEqual(wanted("src/spank_vm/.libs/spank_vm.so") - declared(), set())

    def test_runtime_wants_nothing_of_slurms(self):
        self.assertEqual(wanted("src/libvmrt/.libs/libvmrt.so"), set())

    def test_check_finds_what_is_not_public(self):
        self.assertIn("slurm_xfree", wanted("src/spank_vm/.libs/vmall_srun.so") - declared())


if __name__ == "__main__":
    unittest.main()
