# SPDX-License-Identifier: GPL-2.0-or-later
"""What bash and zsh offer on the command lines of vmctl and vmsim."""

import os
import subprocess
import unittest

from test_manual import commands, help_of, options

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
ZSH_SCRIPT = os.environ["SOURCE"] + "/src/tools/completion/vmall.zsh"
# The same of zsh, which does not take words apart: it offers what compadd and _describe are given.
ASK_ZSH = """
compset() { PREFIX=${PREFIX##${~2}} }
compadd() { while [[ $1 != -- ]] { shift }; shift; offer "$@" }
_describe() { offer "${(P@)2%%:*}" }
_files() { print '(files)' }
offer() { local word; for word in "$@"; do [[ $word == $PREFIX* ]] && print -r -- "$word"; done; true }
words=("${@[2,-1]}") CURRENT=$(( $# - 1 )) PREFIX=${@[-1]}
script=$1
set --
source "$script"
"""
# Answers as the one that asks slurmctld.
CONFIG = "vmctl() { printf 'MaxMpl 1 default\\nMaxMplPerJob 4 default\\nSizing fjt default\\n'; }; timeout() { shift; \"$@\"; }\n"


def answer(*command):
    path = ":".join(f"{os.environ['TOOLS']}/{tool}" for tool in ("vmctl", "vmsim"))
    done = subprocess.run(command, check=True, capture_output=True, text=True,
                          env={**os.environ, "PATH": path + ":" + os.environ["PATH"]})
    return done.stdout.split("\n")[:-1], done.stderr


def offered(*words, before=""):
    return answer("bash", "-c", before + ASK, "bash", SCRIPT, *words)


def offered_by_zsh(*words, before=""):
    return answer("zsh", "-f", "-c", before + ASK_ZSH, "zsh", ZSH_SCRIPT, *words)


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


class Both(unittest.TestCase):
    """Nothing that --help names is forgotten."""

    def test_all_subcommands_and_options(self):
        for tool in ("vmctl", "vmsim"):
            names = commands(help_of(f"{tool}/{tool}"))
            for ask in (offered, offered_by_zsh):
                self.assertEqual(ask(tool, ""), (names, ""))
                for name in names:
                    self.assertEqual(ask(tool, name, "--"), (options(help_of(f"{tool}/{tool}", name)), ""), (tool, name))


class Zsh(unittest.TestCase):
    def check(self, words, wanted, **settings):
        self.assertEqual(offered_by_zsh(*words, **settings), (wanted, ""), words)

    def test_values_that_an_option_names(self):
        for words in (["--overrun", "r"], ["--overrun=r"]):
            self.check(["vmsim", "import", "dump.txt", *words], ["raise-estimate"])

    def test_policies(self):
        for words in (["-p", "fcfs,rec"], ["--policy", "rec"], ["--policy=rec"]):
            self.check(["vmsim", "run", *words], ["recorded"])

    def test_keys_to_set(self):
        self.check(["vmctl", "set", "MaxMplPerJob=2", "S"], ["Sizing"], before=CONFIG)
        self.check(["vmctl", "set", "MaxMpl"], ["MaxMpl", "MaxMplPerJob"], before=CONFIG)

    def test_files_where_only_people_know(self):
        self.check(["vmsim", "run", "-w", "lo"], ["(files)"])
        self.check(["vmctl", "jobs", ""], [])
        self.check(["vmctl", "set", "MaxMpl="], [], before=CONFIG)
