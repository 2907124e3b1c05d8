# SPDX-License-Identifier: GPL-2.0-or-later
"""One daemon that we start in the foreground, and end by its own process id."""

import signal
import subprocess
import time
from pathlib import Path

from .waiting import LIMIT


class Daemon:
    """`log` is the file the daemon itself writes; its standard error is kept beside it."""

    def __init__(self, name, command, environment, log):
        self.name = name
        self.log = Path(log)
        self._command = command
        self._environment = environment
        self._process = None
        self._told_to_end = False

    @property
    def pid(self):
        return self._process.pid if self.running() else None

    def crashed(self):
        """How it ended, if nobody told it to; else None."""
        if self._process is None or self._told_to_end or self._process.poll() is None:
            return None
        code = self._process.returncode
        how = f"died of {signal.Signals(-code).name}" if code < 0 else f"ended with status {code}"
        return f"{self.name} {how}"

    def running(self):
        return self._process is not None and self._process.poll() is None

    def start(self, *options):
        assert not self.running(), f"{self.name} is running already"
        self._told_to_end = False
        with open(self.log.with_suffix(".stderr"), "ab") as stderr:
            # A session of its own: Ctrl-C is for us, who then stop the daemons in order.
            self._process = subprocess.Popen([*self._command, *options], env=self._environment, cwd=self.log.parent,
                                             stdin=subprocess.DEVNULL, stdout=stderr,
                                             stderr=stderr, start_new_session=True)

    def signal(self, number):
        self._process.send_signal(number)

    def kill(self):
        """SIGKILL, as when the machine loses the process."""
        self._told_to_end = True
        self.signal(signal.SIGKILL)
        self._process.wait(LIMIT)

    def tell_to_end(self):
        """SIGTERM, without waiting."""
        self._told_to_end = True
        self.signal(signal.SIGTERM)

    def let_end(self):
        """It was told to otherwise."""
        self._told_to_end = True

    def wait_end(self, timeout=LIMIT):
        """The status with which it ends by itself, as it should."""
        self.let_end()
        return self._process.wait(timeout)

    def stop(self, timeout=LIMIT):
        """SIGTERM, and SIGKILL if that does not end it. What went wrong, or None."""
        if not self.running():
            return self.crashed()
        self._told_to_end = True
        self.signal(signal.SIGCONT)
        if not self._ends_within(timeout):
            self.kill()
            return f"{self.name} did not end on SIGTERM:\n{self.tail(5)}"
        # A daemon that has not set up its signals yet dies of it, slurmdbd 26.05 at times of what it wakes its threads with.
        harmless = (0, -signal.SIGTERM, -signal.SIGUSR1) if self.name == "slurmdbd" else (0, -signal.SIGTERM)
        if self._process.returncode in harmless:
            return None
        return f"{self.name} ended with status {self._process.returncode} on SIGTERM"

    def _ends_within(self, timeout):
        # Again now and then: munged can miss one until its next client.
        deadline = time.monotonic() + timeout
        while time.monotonic() < deadline:
            self.signal(signal.SIGTERM)
            try:
                self._process.wait(2)
                return True
            except subprocess.TimeoutExpired:
                pass
        return False

    def tail(self, lines=25):
        """The ends of the log, and of standard error, where it says what it dies of."""
        written = [file for file in (self.log, self.log.with_suffix(".stderr")) if file.exists() and file.stat().st_size]
        ends = (f"--- {file}\n" + "\n".join(file.read_text(errors="replace").splitlines()[-lines:]) for file in written)
        return "\n".join(ends) or f"--- {self.name}: no log"
