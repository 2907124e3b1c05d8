# SPDX-License-Identifier: GPL-2.0-or-later
"""Starts, watches and removes a throwaway cluster."""

import json
import os
import secrets
import shutil
import signal
import tempfile
import time
import weakref
from dataclasses import dataclass
from pathlib import Path

from . import conf, control_block, invariants, logs, munge, processes
from .accounting import Accounting
from .build import slurm_daemon, stock_plugin_dir
from .confinement import CONFINEMENTS
from .daemon import Daemon
from .interruption import no_interruption
from .ports import Block, listening
from .release import installed_release
from .slurm import Commands, SlurmError
from .waiting import LIMIT, until


class ClusterError(Exception):
    """The cluster did not do what was waited for, or left something behind."""


@dataclass(frozen=True)
class Node:
    name: str
    cpus: int = 8  # all threads of all cores
    sockets: int = 1
    threads: int = 1  # per core
    memory: int = 1000  # MB
    options: str = ""  # more of slurm.conf's line, like Features=big
    dynamic: bool = False  # not in slurm.conf: slurmctld hears of it from its slurmd; one at most

    @property
    def slurmd(self):
        """The command."""
        told = ["-Z", "--conf", conf.shape(self)] if self.dynamic else []
        return [slurm_daemon("slurmd"), "-D", "-N", self.name, *told]


class Cluster(Commands):
    """A context manager: started on entry; on exit all jobs are cancelled, all daemons ended, and what is
    left over (processes, cgroups, shared memory) is an error. The directory goes too, unless `keep`.

    `build`: a Build, or None for a cluster without anything of ours. `scheduler`: "vmall" or "stock"; or "node", which is stock
    Slurm with agents that deal their nodes' cores themselves.
    `vmall_conf`, `slurm_conf`: settings that override those here. `accounting`: with slurmdbd. `partitions`: name →
    what slurm.conf says of it. `gres_conf`: the text of that file. `confinement`: one of CONFINEMENTS. `cred_expire`: seconds
    until a credential has expired, and a requeued job may start again; 5 or more.
    """

    def __init__(self, build, scheduler="vmall", nodes=(Node("n1"),), vmall_conf=None, slurm_conf=None,
                 confinement="none", accounting=False, keep=False, partitions=None, gres_conf=None, cred_expire=15):
        self.build = build
        self.scheduler = scheduler
        self.nodes = list(nodes)
        self.keep = keep
        self._vmall = vmall_conf or {}
        self._slurm = slurm_conf or {}
        self._confinement = CONFINEMENTS[confinement]
        self._partitions = partitions or {"main": "Nodes=ALL Default=YES"}
        self._gres_conf = gres_conf
        self._cred_expire = cred_expire
        with no_interruption():
            self.root = Path(tempfile.mkdtemp(prefix="vmcluster."))
            # Also if it is never started.
            self._remove_root = None if keep else weakref.finalize(self, shutil.rmtree, self.root)
        self.root.chmod(0o755)  # users' jobs read slurm.conf and speak to munged
        self.conf = self.root / "slurm.conf"
        self.vmall_conf = self.root / "vmall.conf"
        environment = {name: value for name, value in os.environ.items()
                       if not name.startswith(("SLURM_", "SBATCH_", "SALLOC_", "PMI_", "VMALL_"))}
        environment.update(SLURM_CONF=str(self.conf), LC_ALL="C.UTF-8")
        super().__init__(environment, self.root / "jobs")
        self._cgroups_before = self._cgroups()
        self._shared_memory = set()  # what its MPI processes were seen to have
        self._write_files(accounting)
        self.munged = self.daemon("munged", munge.command(self.root), "munged.log")
        self.slurmctld = self.daemon("slurmctld", [slurm_daemon("slurmctld"), "-D"], "slurmctld.log")
        self.node_munged = {node.name: self.daemon(f"munged {node.name}", munge.command(self.root, node.name),
                                                   f"munged-{node.name}.log")
                            for node in self.nodes if len(self.nodes) > 1 and munge.can_be_beside()}
        self.slurmd = {node.name: self.daemon(f"slurmd {node.name}", self._slurmd(node), f"slurmd-{node.name}.log")
                       for node in self.nodes}

    def _slurmd(self, node):
        return munge.beside(self.root, node.name, node.slurmd) if node.name in self.node_munged else node.slurmd

    # Files

    def _write_files(self, accounting):
        for name in ("munge", "state", "spool", "log", "jobs", "run"):
            (self.root / name).mkdir(mode=0o755)
        for node in self.nodes:
            (self.root / "spool" / node.name).mkdir(mode=0o755)
            munge.own(self.root, node.name).mkdir(mode=0o755, parents=True)
        (self.root / "jobs").chmod(0o1777)
        munge.write_key(self.root)

        self._ports = Block(3 + 2 * len(self.nodes))
        first = self._ports.first
        self.control_port = first + 1
        self.ports = {None: first}
        self.ports.update({node.name: first + 3 + i for i, node in enumerate(self.nodes)})
        self.accounting = Accounting(self.root, self.environment, first + 2) if accounting else None
        settings = {**(self.accounting.slurm_conf() if accounting else {}), **self._slurm}
        ours = self.build.plugin_dirs if self.build and self.scheduler != "node" else []
        plugin_dirs = [*ours, stock_plugin_dir()]
        self.conf.write_text(conf.slurm_conf(self.root, self.scheduler, self.nodes, self.ports, plugin_dirs,
                                             self._confinement, settings, self._partitions, self._cred_expire))
        if self._gres_conf:
            (self.root / "gres.conf").write_text(self._gres_conf)
        (self.root / "cgroup.conf").write_text(self._confinement.cgroup_conf())
        mode = f" mode=node config={self.vmall_conf}" if self.scheduler == "node" else ""
        (self.root / "plugstack.conf").write_text(f"required {self.build.spank}{mode}\n" if self.build else "")
        if self.build:
            self.write_vmall_conf()

    def write_vmall_conf(self, **changes):
        """Writes vmall.conf anew, with `changes` for this time. Takes effect with `scontrol reconfigure`."""
        self.vmall_conf.write_text(conf.lines({
            "AgentPort": f"+{len(self.nodes)}",
            "ControlPort": self.control_port,
            "RuntimeDir": f"{self.root}/run/%n",
            "VmrtLibrary": self.build.vmrt,
            "MungeSocket": self.root / "munge/socket",
            "AgentTimeout": 10,
            "ScheduleInterval": 1,
            "ResizeRetryInterval": 2,
            **self._vmall,
            **changes,
        }))

    def daemon(self, name, command, log, **environment):
        """`environment`: what it has of its own."""
        return Daemon(name, command, {**self.environment, **environment}, self.root / "log" / log)

    # Life

    @property
    def daemons(self):
        accounting = self.accounting.daemons if self.accounting else []
        return [*self.slurmd.values(), self.slurmctld, *accounting, *self.node_munged.values(), self.munged]

    def __enter__(self):
        try:
            self.start()
        except BaseException:
            self._end()
            raise
        return self

    def __exit__(self, kind, value, trace):
        if kind is None:
            self.stop()
            return
        # Something is wrong already: end everything, but let that error be the one that is seen.
        try:
            self.stop()
        except (ClusterError, SlurmError) as error:
            print(f"while stopping after {kind.__name__}: {error}")

    def start(self):
        self._confinement.prepare()
        for munged in (self.munged, *self.node_munged.values()):
            munged.start()
        sockets = [self.root / "munge/socket", *(munge.own(self.root, node) / "socket" for node in self.node_munged)]
        self.wait_until(lambda: all(socket.exists() for socket in sockets), "munged's sockets")
        if self.accounting:
            self.accounting.start(self.wait_until)
        self.slurmctld.start("-c")  # there is no saved state yet
        for daemon in self.slurmd.values():
            daemon.start()
        self.wait_ready()

    def stop(self):
        """Cancels all jobs, ends all daemons, and complains about what is left."""
        left = []
        try:
            if self.slurmctld.running():
                self.cancel_all()
        except (ClusterError, SlurmError) as error:
            left.append(str(error))
        finally:
            left += self._end()
        if left:
            raise ClusterError("left over: " + "; ".join(left))

    def _end(self):
        """Ends its processes and removes what is on disk. What was left over, as sentences."""
        with no_interruption():
            left = self._end_processes()
            left += [f"cgroup {path}" for path in self._remove_cgroups()]
            left += [f"/dev/shm/{name}" for name in processes.orphaned_shared_memory(self._shared_memory)]
            for control in self.root.glob("run/*/*/control"):  # of jobs whose slurmd was ended before them
                processes.remove_shared_memory(control_block.read(control).runtime_key)
            if self._remove_root:
                self._remove_root()
        if not self._remove_root:
            print(f"kept: {self.root}")
        return left

    def _end_processes(self):
        """What did not end on its own, as sentences."""
        left = [problem for daemon in self.daemons if (problem := daemon.stop())]
        until(lambda: not self.processes())
        for pid in self.processes():
            left.append(f"process {pid} ({processes.command(pid)})")
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
        self._ports.give_up()
        return left

    def processes(self):
        """Ids of all processes of this cluster but its clients: daemons, step managers, tasks."""
        return processes.with_environment(SLURM_CONF=str(self.conf))

    def _cgroups(self):
        found = set()
        for directory, names, _ in os.walk("/sys/fs/cgroup"):
            found.update(f"{directory}/{name}" for name in names
                         if any(name in (f"slurm_{node.name}", f"{node.name}_slurmstepd.scope") for node in self.nodes))
        return found

    def _remove_cgroups(self):
        """What is left of jobs below the nodes' cgroups. The nodes' own, and those of its daemons, slurmd never removes."""
        left = []
        for path in sorted(self._cgroups() - self._cgroups_before):
            for directory, _, _ in os.walk(path, topdown=False):
                if directory not in (path, f"{path}/slurmd", f"{path}/system"):
                    left.append(directory)
                try:
                    os.rmdir(directory)
                except OSError as error:
                    left.append(f"{directory} ({error.strerror})")
        self._confinement.clean_up()
        return left

    # Faults

    def wait_saved(self):
        """Until slurmctld has certainly saved what has happened so far (it does within five seconds)."""
        since = time.time()
        saved = self.root / "state/job_state"
        self.wait_until(lambda: time.time() > since + 6 or saved.exists() and saved.stat().st_mtime > since + 0.1,
                        "slurmctld to save its state")

    def restart_slurmctld(self, kill=False):
        if kill:
            self.slurmctld.kill()
        else:
            self.slurmctld.stop()
        self.start_slurmctld()
        self.wait_ready()

    def start_slurmctld(self):
        """Again. Since 25.05 it refuses to start without -i if it was killed before it had saved usage, as it does every five
        minutes."""
        saved = (self.root / "state/assoc_usage").exists() or installed_release() < (25, 5)
        self.slurmctld.start(*([] if saved else ["-i"]))

    def restart_slurmd(self, node, kill=False):
        if kill:
            self.slurmd[node].kill()
        else:
            self.slurmd[node].stop()
        self.slurmd[node].start()
        self.wait_ready()

    def reconfigure(self):
        """Has slurmctld read its configuration again, and waits until it has: since 23.11 it starts anew for that."""
        def starts():
            return self.slurmctld.log.read_text(errors="replace").count("Running as primary controller")

        before = starts()
        usable = self._usable_nodes()
        self.run("scontrol", "reconfigure")
        if installed_release() >= (23, 11):
            self.wait_until(lambda: starts() > before, "slurmctld to start anew")
            self.wait_ready(nodes=usable)
            if self.build and self.scheduler == "vmall":
                self.wait_until(lambda: self.vmctl_stats().get("passes"), "a pass of sched/fjt")

    # Watching

    def wait_until(self, predicate, what, limit=LIMIT):
        """The predicate's first true value. Fails with the ends of the logs, at once if a daemon crashed. A command that fails,
        or a file or process that is not there, is not yet wrong."""
        failed = None

        def seen():
            nonlocal failed
            crashes = [crash for daemon in self.daemons if (crash := daemon.crashed())]
            if crashes:
                raise ClusterError(f"{'; '.join(crashes)} while waiting for {what}\n{self.log_tails()}")
            try:
                value, failed = predicate(), None
            except (SlurmError, OSError) as error:
                value, failed = None, error
            return value

        value = until(seen, limit)
        if not value:
            raise ClusterError(f"waited {limit} s for {what}\n{self.queue()}\n{self.log_tails()}") from failed
        return value

    def _usable_nodes(self):
        """Names of the nodes that can take jobs, also if sched/backfill has plans with them."""
        usable = ("idle", "planned", "mixed", "mixed-", "allocated", "completing")
        return {node for node, state in self.node_states().items() if state in usable}

    def wait_ready(self, nodes=None):
        """Until slurmctld answers and these nodes, or all, can take jobs."""
        if nodes is None:
            nodes = {node.name for node in self.nodes}
        ports = {self.ports[name] for name in (None, *nodes)}

        self.wait_until(lambda: self._usable_nodes() >= nodes and listening() >= ports, f"{', '.join(sorted(nodes))} to be ready")

    def queue(self):
        out = self.run("squeue", "-a", "-o", "%.6i %.12j %.10T %.5C %.8M %R", check=False)
        return out.stdout + out.stderr

    def log_tails(self, lines=25):
        return "\n".join(daemon.tail(lines) for daemon in self.daemons)

    def log_errors(self, expected=None):
        """Error lines of the daemons' logs, but for those that match `expected` (logs.errors)."""
        return logs.errors(self.root / "log", expected)

    def violations(self):
        if self.scheduler == "node":  # Slurm itself gives cores to several jobs
            return []
        return invariants.violations(self)

    # Jobs

    def submit(self, script, *options, **environment):
        """Submits the text of a batch script; its job id. Output goes to jobs/ID.out."""
        file = self.directory / f"script.{secrets.token_hex(4)}"
        file.write_text("#!/bin/bash\n" + script + "\n")
        file.chmod(0o755)
        out = self.run("sbatch", "--parsable", "--output=%j.out", *options, file, **environment).stdout
        return int(out.split(";")[0])

    def cancel_all(self):
        """Cancels every job and waits until none holds anything."""
        self._shared_memory |= processes.shared_memory(self.processes())
        unfinished = ("PENDING", "CONFIGURING", "RUNNING", "SUSPENDED")
        ids = [job.id for job in self.jobs().values() if job.state in unfinished]
        if ids:
            self.run("scancel", *ids)
        self.wait_until(lambda: not self.run("squeue", "-a", "-h", "-o", "%i").stdout.strip(), "all jobs to end")

    def output(self, job_id):
        file = self.directory / f"{job_id}.out"
        return file.read_text(errors="replace") if file.exists() else ""

    def wait_state(self, job_id, *states):
        """The job once it is in one of the states."""
        what = f"job {job_id} to be {' or '.join(states)}"
        return self.wait_until(lambda: (job := self.job(job_id)).state in states and job, what)

    def wait_end(self, job_id):
        return self.wait_state(job_id, "COMPLETED", "FAILED", "CANCELLED", "TIMEOUT", "NODE_FAIL", "OUT_OF_MEMORY")

    def tasks(self, job_id):
        """rank → process id of the job's MPI processes on this host."""
        tasks = processes.tasks_of_job(self.conf, job_id)
        self._shared_memory |= processes.shared_memory(tasks.values())
        return tasks

    def vmctl(self, *arguments, check=True):
        return self.run(self.build.vmctl, *arguments, check=check)

    def vmctl_jobs(self):
        """job → row of `vmctl jobs`."""
        return {row["job_id"]: row for row in json.loads(self.vmctl("jobs", "--json").stdout)["jobs"]}

    def vmctl_stats(self):
        """name → value of `vmctl stats`."""
        return {row["name"]: row["value"] for row in json.loads(self.vmctl("stats", "--json").stdout)["stats"]}
