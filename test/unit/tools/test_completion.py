# SPDX-License-Identifier: GPL-2.0-or-later
"""What bash offers on the command lines of vmctl and vmsim."""

import os
import subprocess
import unittest

SCRIPT = os.environ["SOURCE"] + "/src/tools/completion/vmall.bash"
# $1 is the script, then come the words of the command line as bash takes them apart; the last one is completed.
ASK = """
source "$1"
compopt() { echo "($*)"; }
shift
COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
word=${COMP_WORDS[COMP_CWORD]}
_vmall "$1" "${word#=}" "${COMP_WORDS[COMP_CWORD - 1]}"
printf '%s\n' "${COMPREPLY[@]}"
"""
# Answers as the one that asks slurmctld.
CONFIG = "vmctl() { printf 'MaxMpl 1 default\\nMaxMplPerJob 4 default\\nSizing fjt default\\n'; }; timeout() { shift; \"$@\"; }\n"


def offered(*words, before=""):
    path = ":".join(f"{os.environ['TOOLS']}/{tool}" for tool in ("vmctl", "vmsim"))
    done = subprocess.run(["bash", "-c", before + ASK, "bash", SCRIPT, *words], check=True, capture_output=True, text=True,
                          env={**os.environ, "PATH": path + ":" + os.environ["PATH"]})
    return done.stdout.split("\n")[:-1], done.stderr


class Completion(unittest.TestCase):
    def check(self, words, wanted, **settings):
        self.assertEqual(offered(*words, **settings), (wanted, ""), words)

    def test_subcommands(self):
        metrics = ["metrics"] if os.path.exists(os.environ["TOOLS"] + "/exporter/vmall-exporter") else []
        self.check(["vmctl", ""], ["jobs", "queue", "config", "stats", *metrics, "history", "timeline", "why", "top", "doctor", "set"])
        self.check(["vmsim", "co"], ["compare"])

    def test_options_of_a_subcommand(self):
        self.check(["vmctl", "jobs", "-"], ["--help", "--json", "--noheader", "--controller"])
        self.check(["vmctl", "set", "--c"], ["--controller"])
        self.check(["vmsim", "run", "--w"], ["--workload", "--warm-up", "--while-arriving"])
        self.check(["vmsim", "--v"], ["--version"])

    def test_files_for_a_picture(self):
        self.check(["vmctl", "timeline", "--out", ""], ["(-o default)", ""])

    def test_values_that_an_option_names(self):
        for words in (["--overrun", "r"], ["--overrun", "=", "r"]):
            self.check(["vmsim", "import", "dump.txt", *words], ["raise-estimate"])
        self.check(["vmsim", "run", "--arrival", "="], ["eligible", "submitted"])

    def test_policies(self):
        for words in (["-p", "bf"], ["--policy", "bf"], ["--policy", "=", "bf"]):
            self.assertIn("bfm", offered("vmsim", "run", *words)[0])
        self.check(["vmsim", "run", "-p", "fcfs,rec"], ["fcfs,recorded"])

    def test_keys_to_set(self):
        self.check(["vmctl", "set", "MaxMplPerJob", "=", "2", "S"], ["(-o nospace)", "Sizing="], before=CONFIG)
        self.check(["vmctl", "set", "MaxMpl"], ["(-o nospace)", "MaxMpl=", "MaxMplPerJob="], before=CONFIG)

    def test_nothing_for_what_only_people_know(self):
        for words in (["vmsim", "run", "-w", "lo"], ["vmctl", "jobs", ""], ["vmctl", "set", "MaxMpl", "=", ""]):
            self.check(words, [""], before=CONFIG)
        self.check(["vmctl", "set", "MaxMpl", "="], [""], before=CONFIG)
