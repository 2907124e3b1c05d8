# SPDX-License-Identifier: GPL-2.0-or-later
"""A throwaway cluster whose slurmctld lives in virtual time, and whose nodes only answer."""

import subprocess
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
# pylint: disable=wrong-import-position
from vmcluster import Cluster, ClusterError, Node, slurm_daemon  # noqa: E402,F401
from vmcluster.controllers import IN_CHARGE, times  # noqa: E402
from vmcluster.daemon import Daemon  # noqa: E402
from vmcluster.ports import listening  # noqa: E402
from parity_priority import leave_cpu_cgroups  # noqa: E402

EPOCH = 1893456000  # 2030-01-01 00:00:00 UTC
STARTED = 100  # seconds after it slurmctld has certainly registered its nodes

_CLOCK_SIZE = 1 << 14

_SLURM_CONF = {
    "SchedulerParameters": "bf_interval=30",  # Slurm's own default
    "SlurmdTimeout": 0,  # nodes need not be asked whether they live
    "TreeWidth": 65533,  # each of them is spoken to directly
    "MinJobAge": 1000000,  # jobs are looked at when all are over
}


class Conductor:
    """The process that moves the clock and plays the nodes (parity_conductor.cpp); like a Daemon otherwise."""

    name = "parity-conductor"

    def __init__(self, program, clock, ports, environment, log):
        self._command = [program, clock, *(f"{node}:{port}" for node, port in ports.items())]
        self._environment = environment
        self._log = log
        self._process = None

    def start(self):
        with open(self._log, "wb") as log:
            self._process = subprocess.Popen(self._command, env=self._environment, text=True, bufsize=1,
                                             stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log,
                                             start_new_session=True)

    def tell(self, command):
        """Waits until it has been done."""
        try:
            self._process.stdin.write(command + "\n")
            done = self._process.stdout.readline()
        except BrokenPipeError:
            done = ""
        if not done:
            raise ClusterError(f"{self.name} ended\n{self.tail()}")

    def crashed(self):
        ended = self._process is not None and not self._process.stdin.closed and self._process.poll() is not None
        return f"{self.name} ended with status {self._process.returncode}" if ended else None

    def stop(self, timeout=20):
        if self._process is None or self._process.stdin.closed:
            return None
        crash = self.crashed()
        self._process.stdin.close()
        self._process.wait(timeout)
        return crash

    def tail(self, lines=25):
        return f"--- {self._log}\n" + "\n".join(self._log.read_text(errors="replace").splitlines()[-lines:])


class VirtualCluster(Cluster):
    """As a Cluster; `now` is the time there, in seconds after EPOCH. Time stands still but for `run_until`."""

    def __init__(self, build, programs, slurm_conf, **settings):
        """`programs`: the directory of parity-conductor and virtual_clock.so."""
        super().__init__(build, slurm_conf={**_SLURM_CONF, **slurm_conf}, **settings)
        self.environment["TZ"] = "UTC"
        self.now = 0
        clock = self.root / "clock"
        clock.write_bytes((EPOCH * 1000000).to_bytes(8, sys.byteorder).ljust(_CLOCK_SIZE, b"\0"))
        self._conductor = Conductor(programs / "parity-conductor", clock,
                                    {node.name: self.ports[node.name] for node in self.nodes}, self.environment,
                                    self.root / "log/conductor.stderr")
        virtual = {"LD_PRELOAD": str(programs / "virtual_clock.so"), "VIRTUAL_CLOCK": str(clock)}
        self.slurmctld = Daemon("slurmctld", [slurm_daemon("slurmctld"), "-D"], {**self.environment, **virtual},
                                self.root / "log/slurmctld.log")
        self.slurmd = {}

    @property
    def daemons(self):
        return [self.slurmctld, self._conductor, self.munged]

    def start(self):
        self.munged.start()
        self.wait_until((self.root / "munge/socket").exists, "munged's socket")
        self._conductor.start()
        leave_cpu_cgroups(self.munged.pid)
        self._conductor.tell(f"watch {self.munged.pid}")
        self.slurmctld.start("-c")
        leave_cpu_cgroups(self.slurmctld.pid)
        self._conductor.tell(f"adopt {self.slurmctld.pid}")
        # From 24.11 on it listens first of all, and starts while nothing of it seems to be at work, but what it has forked is.
        self.wait_until(lambda: times(self.slurmctld, IN_CHARGE) and self.ports[None] in listening(), "slurmctld to be in charge")
        self.run_until(STARTED)
        self.wait_ready()

    def stop(self):
        self._conductor.tell("free")
        super().stop()

    def run_until(self, time):
        """Lets happen what is due until then, each thing when those before it have had all their effects."""
        self._conductor.tell(f"until {EPOCH + time}")
        self.now = time

    def settle(self):
        """Lets happen what is due now."""
        self.run_until(self.now)
