# SPDX-License-Identifier: GPL-2.0-or-later
"""A node that has no configuration file but what slurmctld sends it (slurmd --conf-server)."""

import re
import subprocess

import evidence
import pytest
from scenario import fold, wait_confined, wait_cores, wait_tasks
from vmcluster import Cluster, processes, slurm_daemon
from vmcluster.waiting import LIMIT

NODE = "n1"

# A node of its own as far as /run goes: what slurmd fetches it asks for by munge's default socket, and it leaves a link there.
_ON_A_NODE = """mount -t tmpfs none /run && mkdir /run/munge && ln -s "$1" /run/munge/munge.socket.2 || exit
shift
exec "$@"
"""


class Configless(Cluster):
    """Its jobs' tasks know Slurm's configuration by what slurmctld sent."""

    def tasks(self, job_id):
        return processes.tasks_of_job(self.root / "spool" / NODE / "conf-cache/slurm.conf", job_id)


def _can_have_own_mounts():
    tried = subprocess.run(["unshare", "--mount", "sh", "-c", "mount -t tmpfs none /run"], stderr=subprocess.DEVNULL, check=False,
                           timeout=LIMIT)
    return tried.returncode == 0


def _arguments(cluster):
    """What of vmall.conf daemons read when they start."""
    keys = ("AgentPort", "AgentTimeout", "RuntimeDir", "VmrtLibrary", "MungeSocket")
    return [line for line in cluster.vmall_conf.read_text().split() if line.startswith(keys)]


def _write_plugstack_conf(cluster, *arguments):
    (cluster.root / "plugstack.conf").write_text(" ".join(["required", str(cluster.build.spank), *arguments]) + "\n")


@pytest.fixture(scope="module")
def cluster(build, request):
    if not _can_have_own_mounts():
        pytest.skip("a container without mounts of its own")
    parameters = {"SlurmctldParameters": "enable_configless"}
    configless = Configless(build, slurm_conf=parameters, keep=True)
    _write_plugstack_conf(configless, *_arguments(configless))
    slurmd = [slurm_daemon("slurmd"), "-D", "-N", NODE, "--conf-server", f"localhost:{configless.ports[None]}"]
    socket = configless.root / "munge/socket"
    configless.slurmd[NODE] = configless.daemon(
        f"slurmd {NODE}", ["unshare", "--mount", "sh", "-c", _ON_A_NODE, "sh", socket, *slurmd], f"slurmd-{NODE}.log")
    with evidence.watched(request, configless) as started:
        yield started


@pytest.mark.core
def test_node_without_vmall_conf_folds_a_job_by_the_arguments_in_plugstack_conf(cluster):
    cached = cluster.root / "spool" / NODE / "conf-cache"
    assert (cached / "plugstack.conf").exists()
    assert not (cached / "vmall.conf").exists()
    story = fold(cluster)
    wait_confined(cluster, story.folded)
    cluster.run("scancel", story.guest)
    wait_cores(cluster, story.folded, 4)
    wait_tasks(cluster, story.folded, 4)
    wait_confined(cluster, story.folded)


def test_doctor_finds_that_the_node_has_the_settings_of_the_controller(cluster):
    found = cluster.vmctl("doctor", check=False).stdout
    assert re.search(rf"(?m)^\S*\s*vmall.conf\s.*{NODE}.*the agent has the same", found), found


def _restart_with(cluster, *arguments):
    """slurmctld sends what it read when it started."""
    cluster.slurmd[NODE].stop()
    cluster.slurmctld.stop()
    _write_plugstack_conf(cluster, *arguments)
    cluster.slurmctld.start()
    cluster.wait_until(lambda: cluster.run("scontrol", "ping", check=False).stdout.rstrip().endswith("UP"), "slurmctld to answer")
    cluster.slurmd[NODE].start()
    cluster.wait_ready()


@pytest.mark.core
@pytest.mark.log_errors("spank|virtual malleability")
@pytest.mark.parametrize("argument, error", [
    ("Colour=red", '"Colour": unknown key'),
    ("AgentTimeout=soon", "AgentTimeout: "),
], ids=["unknown key", "bad value"])
def test_bad_argument_is_an_error_that_names_it_and_slurmd_runs_jobs(cluster, argument, error):
    arguments = _arguments(cluster)
    _restart_with(cluster, *arguments, argument)
    line = f"plugstack.conf, arguments of spank_vm.so:{len(arguments) + 1}: {error}"
    cluster.wait_until(lambda: line in cluster.slurmd[NODE].log.read_text(), "slurmd to say what is wrong")
    assert cluster.wait_end(cluster.submit("exec srun true", "-n1")).state == "COMPLETED"
    _restart_with(cluster, *arguments)
