# SPDX-License-Identifier: GPL-2.0-or-later
"""The exit statuses that the manuals have, as far as no controller is needed, and what stands on which stream."""

import os
import subprocess
import unittest

TOOLS = os.environ["TOOLS"]


def run(tool, *arguments):
    return subprocess.run([f"{TOOLS}/{tool}/{tool}", *arguments], capture_output=True, text=True, check=False,
                          env={**os.environ, "SLURM_CONF": "/nonexistent/slurm.conf", "VMALL_CONF": "/nonexistent/vmall.conf"})


class ExitStatus(unittest.TestCase):
    def check(self, status, tool, *arguments):
        done = run(tool, *arguments)
        self.assertEqual(done.returncode, status, done)
        self.assertEqual(bool(done.stdout), status == 0, done)
        self.assertEqual(bool(done.stderr), status != 0, done)
        return done.stderr

    def test_0_for_an_answer(self):
        for tool in ("vmctl", "vmsim"):
            self.check(0, tool, "--version")
            self.check(0, tool, "--help")
        self.check(0, "vmsim", "policies")

    def test_1_without_an_answer(self):
        for name in ("jobs", "queue", "stats", "config", "top"):
            self.assertIn("/nonexistent/", self.check(1, "vmctl", name))
        self.assertIn("/nonexistent/log", self.check(1, "vmsim", "advise", "/nonexistent/log"))

    def test_2_for_a_wrong_command_line(self):
        for arguments in ((), ("nonsense",), ("jobs", "--nonsense"), ("set",), ("set", "MaxMpl"), ("top", "--delay=0"),
                          ("jobs", "--controller=head:0")):
            self.assertIn("vmctl: error:", self.check(2, "vmctl", *arguments))
        for tool in ("vmctl", "vmsim"):
            self.assertIn('"nonsense" is not a subcommand', self.check(2, tool, "nonsense"))
        for arguments in ((), ("nonsense",), ("compare",), ("policies", "--nonsense")):
            self.assertIn("vmsim: error:", self.check(2, "vmsim", *arguments))
