# SPDX-License-Identifier: GPL-2.0-or-later
"""slurmctld with thousands of nodes, for which one process answers (sched_nodes.c)."""

import json
import mmap
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
# pylint: disable=wrong-import-position
from vmcluster import conf, munge  # noqa: E402
from vmcluster.build import slurm_daemon, stock_plugin_dir  # noqa: E402
from vmcluster.confinement import CONFINEMENTS  # noqa: E402
from vmcluster.daemon import Daemon  # noqa: E402
from vmcluster.ports import Block  # noqa: E402

CORES = 128  # of a node
JOBS_TO_FILL = 400  # that run at once, about, whatever the number of nodes; two share a node
# For long queues; times are short so that enough cycles can be seen.
PARAMETERS = ("defer,default_queue_depth=500,sched_min_interval=1000000,bf_continue,bf_max_job_test=500,"
              "bf_resolution=300,bf_window=2880,bf_yield_interval=1000000,bf_interval=1,bf_max_time=2,max_rpc_cnt=150")
_SLURM_CONF = {
    "SchedulerParameters": PARAMETERS,
    "MaxJobCount": 300000,
    "SlurmdTimeout": 0,  # nodes need not be asked whether they live
    "TreeWidth": 65533,  # each of them is spoken to directly
    "SlurmctldDebug": "error",
    "MessageTimeout": 100,
    "MinJobAge": 10,
}
_METER_ROWS = ("main", "backfill", "fjt")  # lock_meter.h; others follow


class Controller:
    """munged, slurmctld and the processes that answer as slurmds and as agents: a context manager. Partitions are down
    at first. `side`: stock or vmall; `build`: what is measured, and the programs beside this file; `state`: a
    StateSaveLocation to begin with; `extra` overrides what is in slurm.conf."""

    seconds = 5  # of the shortest job; the longest runs twice as long
    partitions = {"main": "Nodes=ALL Default=YES"}  # name → what slurm.conf says of it
    vmall_conf = {}  # more of that file
    meter = "lock_meter"  # is preloaded into slurmctld and writes into a page

    def __init__(self, side, build, nodes, state=None, **extra):
        programs = build.directory / "test/bench"
        self._side, self._build, self._clients = side, build, programs / "sched-clients"
        self._root = Path(tempfile.mkdtemp(prefix="sched.", dir="/dev/shm"))
        self._ports = Block(4)
        self._environment = {name: value for name, value in os.environ.items() if not name.startswith("SLURM_")}
        self._environment["SLURM_CONF"] = str(self._root / "slurm.conf")
        first = self._ports.first
        self._write_files(first, nodes, extra)
        self._start_over = state is None
        if state:
            # Files are replaced, never written to again.
            subprocess.run(["cp", "--archive", "--link", f"{state}/.", self.state], check=True)
        root = self._root
        self.munged = self._daemon(munge.command(root))
        self.slurmctld = self._daemon([slurm_daemon("slurmctld"), "-D"], LD_PRELOAD=str(programs / f"{self.meter}.so"),
                                      **{self.meter.upper(): str(root / "meter")})
        self.node_agents = self._daemon([programs / "node-agents", first + 3, root / "munge/socket"])
        self.nodes = self._daemon([programs / "sched-nodes", first + 1, self.seconds, nodes])

    @property
    def state(self):
        return self._root / "state"

    def _daemon(self, command, **environment):
        name = Path(command[0]).name
        return Daemon(name, [str(word) for word in command], {**self._environment, **environment},
                      self._root / f"log/{name}.log")

    def _write_files(self, first, nodes, extra):
        root = self._root
        for name in ("munge", "state", "log", "spool"):
            (root / name).mkdir(mode=0o755)
        munge.write_key(root)
        (root / "meter").write_bytes(bytes(mmap.PAGESIZE))
        plugins = [*(self._build.plugin_dirs if self._side == "vmall" else []), stock_plugin_dir()]
        text = conf.slurm_conf(root, self._side, (), {None: first}, plugins, CONFINEMENTS["none"],
                               {**_SLURM_CONF, **extra}, self.partitions).replace("State=UP", "State=DOWN")
        text += (f"NodeName=n[1-{nodes}] NodeHostname=localhost NodeAddr=127.0.0.1 Port={first + 1} CPUs={CORES} "
                 f"Boards=1 SocketsPerBoard=2 CoresPerSocket={CORES // 2} ThreadsPerCore=1 RealMemory=256000 State=IDLE\n")
        (root / "slurm.conf").write_text(text)
        (root / "plugstack.conf").write_text("")
        (root / "vmall.conf").write_text(conf.lines({"AgentPort": first + 3, "ControlPort": first + 2,
                                                     "MungeSocket": root / "munge/socket", **self.vmall_conf}))

    def __enter__(self):
        try:
            self.munged.start()
            _wait_until((self._root / "munge/socket").exists, 10)
            self.nodes.start()
            self.node_agents.start()
            self.slurmctld.start(*(["-c"] if self._start_over else []))
            _wait_until(lambda: "UP" in self.run("scontrol", "ping", check=False), 60)
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        for daemon in (self.slurmctld, self.node_agents, self.nodes, self.munged):
            if daemon.running():
                daemon.kill()
        self._ports.give_up()
        shutil.rmtree(self._root)

    def run(self, *command, check=True):
        return subprocess.run([str(word) for word in command], env=self._environment, check=check, text=True,
                              stdout=subprocess.PIPE, stderr=None if check else subprocess.DEVNULL).stdout

    def fill(self, count, malleable, width):
        """Submits jobs, of which so many in a hundred are virtually malleable, over so many nodes at least. When
        this returns, slurmctld has ended and their state is saved."""
        self.run(self._clients, "submit", count, malleable, width, "short")
        self.slurmctld.stop(120)

    def settle(self):
        """Some seconds after its start slurmctld asks all nodes whether they are there. This returns when it has."""
        _wait_until(lambda: not self._is_idle(), 30)
        _wait_until(self._is_idle, 120)

    def release(self):
        for partition in self.partitions:
            self.run("scontrol", "update", f"PartitionName={partition}", "State=UP")

    def _is_idle(self):
        return re.search(r"Agent count: +0\n", self.run("sdiag", check=False))

    @contextmanager
    def watch(self, seconds, job):
        """A process that prints what it sees for so long."""
        with subprocess.Popen([self._clients, "watch", str(seconds), str(job)], env=self._environment, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
            try:
                yield process
            finally:
                process.kill()

    def locked(self):
        """Of each scheduler, the seconds for which it has locked the jobs, and the longest since the last call."""
        with open(self._root / "meter", "r+b") as file, mmap.mmap(file.fileno(), 0) as page:
            numbers = memoryview(page).cast("Q")
            rows = {name: (numbers[2 * row] / 1e9, numbers[2 * row + 1] / 1e9) for row, name in enumerate(_METER_ROWS)}
            for row in range(len(_METER_ROWS)):
                numbers[2 * row + 1] = 0
            numbers.release()
        return rows

    def stats(self):
        """name → value of `vmctl stats`; nothing from stock Slurm, or if sched/fjt is too busy to answer."""
        if self._side != "vmall":
            return {}
        text = self.run(self._build.vmctl, "stats", "--json", check=False)
        return {row["name"]: row["value"] for row in json.loads(text)["stats"]} if text else {}

    def passes(self):
        """Of sched/fjt, their number and the seconds they took; 0 if unknown."""
        stats = self.stats()
        return stats.get("passes", 0), stats.get("pass_microseconds", 0) / 1e6


@contextmanager
def filled(build, nodes, waiting, malleable):
    """The state of a controller with this queue, for so many nodes."""
    width = max(1, nodes * 6 // 7 // JOBS_TO_FILL)
    with tempfile.TemporaryDirectory(prefix="sched.", dir="/dev/shm") as kept:
        with Controller("stock", build, 4 * width, AuthType="auth/none", CredType="cred/none") as controller:
            controller.fill(waiting, malleable, width)
            shutil.move(controller.state, kept)
        yield Path(kept) / "state"


def _wait_until(true, seconds):
    deadline = time.monotonic() + seconds
    while not true():
        if time.monotonic() > deadline:
            raise TimeoutError(f"waited {seconds} s in vain")
        time.sleep(0.05)
