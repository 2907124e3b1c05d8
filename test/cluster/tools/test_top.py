# SPDX-License-Identifier: GPL-2.0-or-later
"""vmctl top in a real terminal, which tmux is."""

import os
import re
import secrets
import shutil
import signal
import subprocess

import pytest
from scenario import PEER_GONE, fold, submit_vm, wait_cores, wait_reason
from vmcluster.waiting import LIMIT

pytestmark = pytest.mark.skipif(not shutil.which("tmux"), reason="no tmux here (Debian: tmux)")


class Terminal:
    """A window with a shell in it. Ended, with all that runs in it, at the end of the block."""

    def __init__(self, cluster, width=100, height=30):
        self._cluster = cluster
        self._socket = cluster.root / f"tmux.{secrets.token_hex(4)}"
        environment = {name: value for name, value in cluster.environment.items() if name not in ("TMUX", "NO_COLOR")}
        self._environment = {**environment, "TERM": "screen"}
        self._size = ("-x", width, "-y", height)

    def __enter__(self):
        self._tmux("new-session", "-d", *self._size, "sh")
        try:
            self.wait(lambda: self.text.strip(), "a prompt")
        except BaseException:
            self._tmux("kill-server")
            raise
        return self

    def __exit__(self, *_):
        ends = {int(self.fact("pid")), int(self.fact("pane_pid"))}
        self._tmux("kill-server")
        self._cluster.wait_until(lambda: not ends & set(self._cluster.processes()), "tmux and its shell to end")

    def _tmux(self, *words):
        return subprocess.run(["tmux", "-S", self._socket, "-f", "/dev/null", *map(str, words)], env=self._environment,
                              check=True, stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=LIMIT).stdout

    def fact(self, name):
        return self._tmux("display-message", "-p", f"#{{{name}}}").strip()

    @property
    def text(self):
        return self._tmux("capture-pane", "-p")

    @property
    def colours(self):
        """With escape sequences."""
        return self._tmux("capture-pane", "-p", "-e")

    def wait(self, predicate, what):
        try:
            return self._cluster.wait_until(predicate, what)
        except Exception as error:
            raise AssertionError(f"{error}\nThe terminal shows:\n{self.text}") from error

    def wait_line(self, pattern):
        """Until a line matches."""
        self.wait(lambda: re.search(pattern, self.text, re.MULTILINE), f"a line {pattern}")

    def press(self, *keys):
        self._tmux("send-keys", *keys)

    def resize(self, width, height):
        self._tmux("resize-window", "-x", width, "-y", height)

    def type(self, command):
        self._tmux("send-keys", "-l", command)
        self.press("Enter")

    def state(self):
        """What a program may leave behind of itself."""
        return self.fact("alternate_on"), self.fact("cursor_flag"), self.tty_settings()

    def tty_settings(self):
        return subprocess.run(["stty", "-F", self.fact("pane_tty"), "-g"], check=True, capture_output=True, text=True,
                              timeout=LIMIT).stdout

    def top(self, *options):
        self.type(" ".join(["clear;", str(self._cluster.build.vmctl), "top", *options, "; echo ended with $?"]))
        self.wait_line(r"^vmctl top - ")
        assert self.fact("alternate_on") == "1"

    def pid_of_top(self):
        """The shell's only child."""
        return int(subprocess.run(["pgrep", "-P", self.fact("pane_pid")], check=True, capture_output=True, text=True,
                                  timeout=LIMIT).stdout)


@pytest.fixture
def terminal(cluster):
    with Terminal(cluster) as opened:
        yield opened


def quit_by(terminal, how):
    """Ends top and sees that the terminal is as it was before."""
    how()
    terminal.wait_line(r"^ended with 0$")
    terminal.wait(lambda: terminal.state()[:2] == ("0", "1"), "the window to be as before")


@pytest.mark.core
def test_shows_a_folded_job_and_who_waits(cluster, terminal):
    before = terminal.state()
    jobs = fold(cluster)
    waits = submit_vm(cluster, "long", 8)
    wait_reason(cluster, waits, "waits")
    terminal.top("-d", "1")
    terminal.wait_line(rf"^ *{jobs.folded} .* 4 +1/4 .* n1 #---$")
    terminal.wait_line(rf"^ *{jobs.guest} .* 1 +3/3 .* n1 ###$")
    terminal.wait_line(rf"^ *{waits} .* long +8 +waits for ")
    terminal.wait_line(rf"^\d\d:\d\d:\d\d +{jobs.folded} folded +4->1 +to make room for job {jobs.guest}$")
    terminal.wait_line(r"^running 2  folded 1  resizing 0  waiting 1  cores lent 3 of 7  last pass \d\d:\d\d:\d\d, \d+\.\d ms$")
    cluster.run("scancel", waits, jobs.guest)
    wait_cores(cluster, jobs.folded, 4)
    terminal.wait_line(r"^\d\d:\d\d:\d\d \+1 unfolds, now \d+$")
    terminal.wait_line(rf"^ *{jobs.folded} .* 1 +4/4 .* n1 ####$")
    quit_by(terminal, lambda: terminal.press("q"))
    assert terminal.state() == before


def test_follows_the_size_of_the_window(cluster, terminal):
    job_id = submit_vm(cluster, "short", 4)
    cluster.wait_state(job_id, "RUNNING")
    terminal.top("--delay=1")
    terminal.wait_line(rf"^ *{job_id} script\.\S+ +root +short .* n1 ####$")
    terminal.resize(44, 12)
    terminal.wait_line(rf"^ *{job_id} +1 +4/4 .* n1 ####$")
    terminal.wait(lambda: max(map(len, terminal.text.splitlines())) == 44, "lines as long as the window is wide")
    terminal.resize(160, 40)
    terminal.wait_line(rf"^ *{job_id} script\.\S+ +root +short .* n1 ####$")
    terminal.wait(lambda: len(terminal.text.splitlines()[0]) == 160, "lines as long as the window is wide")
    quit_by(terminal, lambda: terminal.press("q"))


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP], ids=lambda number: number.name)
def test_ends_by_signals_and_leaves_the_terminal_as_it_was(cluster, terminal, number):
    before = terminal.state()
    terminal.top()
    if number == signal.SIGINT:
        quit_by(terminal, lambda: terminal.press("C-c"))
    else:
        quit_by(terminal, lambda: os.kill(terminal.pid_of_top(), number))
    assert terminal.state() == before


@pytest.mark.log_errors(PEER_GONE)
def test_goes_on_when_the_controller_dies_and_comes_back(cluster, terminal):
    job_id = submit_vm(cluster, "short", 4)
    cluster.wait_state(job_id, "RUNNING")
    cluster.wait_saved()
    row = rf"^ *{job_id} .* n1 ####$"
    terminal.top("-d", "1")
    terminal.wait_line(row)
    cluster.slurmctld.kill()
    terminal.wait_line(rf"^No answer since .* port {cluster.control_port}:")
    terminal.wait_line(row)
    cluster.slurmctld.start()
    cluster.wait_ready()
    terminal.wait(lambda: "No answer" not in terminal.text, "an answer")
    terminal.wait_line(row)
    quit_by(terminal, lambda: terminal.press("q"))


@pytest.mark.log_errors(PEER_GONE)
def test_quits_while_the_controller_hangs(cluster, terminal):
    cluster.slurmctld.signal(signal.SIGSTOP)
    try:
        terminal.type(f"clear; {cluster.build.vmctl} top; echo ended with $?")
        terminal.wait_line(r"^vmctl top ")
        quit_by(terminal, lambda: terminal.press("q"))
    finally:
        cluster.slurmctld.signal(signal.SIGCONT)
    cluster.wait_ready()


@pytest.mark.core
def test_prints_once_where_there_is_no_terminal_and_when_told(cluster, terminal):
    job_id = submit_vm(cluster, "short", 4)
    cluster.wait_state(job_id, "RUNNING")
    row = rf"(?m)^ *{job_id} .* n1 ####$"
    cluster.wait_until(lambda: re.search(row, cluster.vmctl("top").stdout), "the job's row")
    assert "\x1b" not in cluster.vmctl("top").stdout
    terminal.type(f"clear; {cluster.build.vmctl} top --batch; echo ended with $?")
    terminal.wait_line(r"^ended with 0$")
    assert re.search(row, terminal.text) and terminal.fact("alternate_on") == "0"


def test_colours_are_for_terminals_that_did_not_say_no(cluster, terminal):
    wrong = f"{cluster.build.vmctl} doctor --controller=127.0.0.1:1"
    terminal.type(f"clear; {wrong}; echo ended with $?")
    terminal.wait_line(r"^ended with 1$")
    assert re.search(r"\x1b\[[\d;]*31m(\x1b\[[\d;]*m)*WRONG", terminal.colours)
    terminal.type(f"clear; NO_COLOR=1 {wrong}; echo ended so with $?")
    terminal.wait_line(r"^ended so with 1$")
    assert "WRONG" in terminal.text and "\x1b" not in terminal.colours
