# SPDX-License-Identifier: GPL-2.0-or-later
"""The manual pages have every command and option that --help names, and what libvmrt says."""

import os
import pathlib
import re
import subprocess
import unittest

SOURCE = pathlib.Path(os.environ["SOURCE"])
TOOLS = pathlib.Path(os.environ["TOOLS"])


def help_of(tool, *command):
    return subprocess.run([TOOLS / tool, *command, "--help"], check=True, capture_output=True, text=True).stdout


def options(text):
    return re.findall(r"^ +(?:-\w[ ,\w]*)?(--[\w-]+)", text, re.MULTILINE)


def commands(text):
    return re.findall(r"^  (\w+)", text.partition("\nSubcommands:\n")[2], re.MULTILINE)


def missing(page, words):
    text = (SOURCE / "doc/man" / page).read_text().replace("\\-", "-")
    return [word for word in words if not re.search(rf"(?<![\w-]){word}(?![\w-])", text)]


class Manual(unittest.TestCase):
    def check_commands(self, tool):
        names = commands(help_of(f"{tool}/{tool}"))
        self.assertGreater(len(names), 4)
        self.assertEqual(missing(f"{tool}.1", [f"{tool} {name}" for name in names]), [])
        shown = {name: options(help_of(f"{tool}/{tool}", name)) for name in names}
        self.assertTrue(all("--help" in found for found in shown.values()))
        lacking = {name: missing(f"{tool}.1", found) for name, found in shown.items()}
        self.assertEqual(lacking, {name: [] for name in names})

    def test_vmctl(self):
        self.check_commands("vmctl")

    def test_vmsim(self):
        self.check_commands("vmsim")

    def test_vmsim_pictures(self):
        found = options(help_of("vmsim/vmsim-pictures"))
        self.assertEqual(found, ["--help", "--output", "--begin", "--end", "--timeline"])
        self.assertEqual(missing("vmsim-pictures.1", found), [])

    def test_vmall_exporter(self):
        if not (TOOLS / "exporter/vmall-exporter").exists():
            self.skipTest("configured --without-metrics")
        found = options(help_of("exporter/vmall-exporter"))
        self.assertEqual(found, ["--help", "--version"])
        self.assertEqual(missing("vmall-exporter.8", found), [])

    def test_libvmrt(self):
        said = [message for file in (SOURCE / "src/libvmrt").rglob("*.cpp")
                for message in re.findall(r'debug\("(.*?)"\)', file.read_text())]
        self.assertGreater(len(said), 5)
        self.assertEqual(missing("libvmrt.7", said), [])
