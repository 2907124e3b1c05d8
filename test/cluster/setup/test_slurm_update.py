# SPDX-License-Identifier: GPL-2.0-or-later
"""Slurm itself moves to a later micro release while a job is folded, as on the day of a security release: the controller
first, the node later, each with the slurm-vmall that was built for it. contrib/check --slurm EARLIER --then LATER runs it."""

import re

import evidence
import pytest
from scenario import PEER_GONE, fold, go_on, wait_confined, wait_cores, wait_in_mpi, wait_tasks
from vmcluster import Build, Cluster, processes
from vmcluster.programs import Kernel

RING = Kernel("ring", "srun", behind="1000")  # each step computes for a millisecond
STEPS_MORE = """
for step in 1 2; do
    until [ -e next.$step.$SLURM_JOB_ID ]; do sleep 0.2; done
    . ./next.$step.$SLURM_JOB_ID
    srun --overlap bash -c 'cat $VMALL_ALLOTMENT'
    echo step $step: $? $(srun --version)
done
wait
"""


@pytest.fixture(name="later")
def later_slurm(request):
    prefix, build = (request.config.getoption(name) for name in ("--later-slurm", "--later-build"))
    if not (prefix and build):
        pytest.skip("there is one Slurm: no --later-slurm and --later-build")
    return prefix.resolve(), Build(build.resolve())


class Moving(Cluster):
    """Each daemon can be started anew from the later Slurm, with a slurm.conf of its own: where packages put the later one and
    its plugins in place of the earlier, here they are elsewhere."""

    def __init__(self, build, later):
        super().__init__(build, slurm_conf={"DebugFlags": "NO_CONF_HASH"}, keep=True)
        prefix, self._build = later
        self._prefix, self._conf = prefix, self.root / "later.conf"
        plugin_dirs = ":".join(map(str, [*self._build.plugin_dirs, prefix / "lib/slurm"]))
        plugstack = self.root / "later.plugstack.conf"
        plugstack.write_text(f"required {self._build.spank}\n")
        self._conf.write_text(re.sub("(?m)^PluginDir=.*", f"PluginDir={plugin_dirs}\nPlugStackConfig={plugstack}",
                                     self.conf.read_text()))
        self._commands = {"PATH": f"{prefix}/bin:{self.environment['PATH']}", "SLURM_CONF": str(self._conf)}
        self.on_moved_node = f"export {' '.join(f'{name}={value}' for name, value in self._commands.items())}\n"

    def _later(self, name, *options):
        return self.daemon(name, [self._prefix / "sbin" / name, "-D", "-f", self._conf, *options], f"{name}-later.log",
                           SLURM_CONF=str(self._conf))

    def processes(self):
        return processes.with_environment(SLURM_CONF=str(self.conf)) + processes.with_environment(SLURM_CONF=str(self._conf))

    def tasks(self, job_id):
        return {**super().tasks(job_id), **processes.tasks_of_job(self._conf, job_id)}

    def move_controller(self):
        self.slurmctld.stop()
        self.slurmctld = self._later("slurmctld")
        self.slurmctld.start()
        self.wait_ready()

    def move_node(self):
        """With its commands: what is submitted from now on finds only those."""
        self.environment.update(self._commands)
        self.build = self._build
        self.write_vmall_conf(VmrtLibrary=self._build.vmrt)
        self.slurmd["n1"].stop()
        self.slurmd["n1"] = self._later("slurmd", "-N", "n1")
        self.slurmd["n1"].start()
        self.wait_ready()


@pytest.fixture(name="cluster")
def cluster_that_moves(request, build, later):
    with evidence.watched(request, Moving(build, later)) as started:
        yield started


@pytest.mark.log_errors(PEER_GONE)
def test_folded_job_survives_when_slurm_itself_is_updated(cluster):
    jobs = fold(cluster, RING.script(cluster.build, RING.highest) + " &" + STEPS_MORE)
    tasks = wait_tasks(cluster, jobs.folded, 4)
    wait_in_mpi(cluster, jobs.folded, 4)
    versions = []
    for step, (move, commands) in enumerate([(cluster.move_controller, ""), (cluster.move_node, cluster.on_moved_node)], 1):
        held = cluster.job(jobs.folded).cores
        cluster.wait_saved()
        move()
        assert cluster.job(jobs.folded).cores == held
        wait_confined(cluster, jobs.folded)
        (cluster.directory / f"next.{step}.{jobs.folded}").write_text(commands)
        said = cluster.wait_until(lambda number=step: re.search(rf"step {number}: (.*)", cluster.output(jobs.folded)),
                                  f"step {step}, which starts now")[1]
        status, version = said.split(" ", 1)
        assert status == "0"
        versions.append(version)
        assert cluster.output(jobs.folded).count("cores=1\nmpl=4\n") == 4 * step

        cluster.run("scancel", jobs.guest)
        wait_cores(cluster, jobs.folded, 4)
        wait_confined(cluster, jobs.folded)
        go_on(cluster, jobs)
        wait_confined(cluster, jobs.folded)
    assert versions[0] != versions[1]
    assert cluster.tasks(jobs.folded) == tasks
    row = cluster.vmctl_jobs()[jobs.folded]
    assert (row["folds"], row["unfolds"], row["ranks"]["attached"]) == (3, 2, 4)
