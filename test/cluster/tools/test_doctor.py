# SPDX-License-Identifier: GPL-2.0-or-later
"""vmctl doctor: says what is wrong with an installation, and what to do, wherever it is asked and whoever asks."""

import json
import os
import pwd
import re
from contextlib import contextmanager

import pytest
from scenario import PEER_GONE, Silenced, restarted_with
from vmcluster import Node, installed_release, munge
from vmcluster.build import stock_plugin_dir
from vmcluster.daemon import Daemon
from vmcluster.ports import listening

CLUSTER = {"nodes": [Node("n1"), Node("n2")]}

WITHOUT_MUNGE = PEER_GONE + r"|[Mm]unge|[Cc]redential|auth|Unspecified error|Protocol"


def wait_for_agents(cluster):
    """slurmd takes jobs a little before its agent listens."""
    ports = {cluster.ports[node.name] + len(cluster.nodes) for node in cluster.nodes}
    cluster.wait_until(lambda: listening() >= ports, "the agents to listen")


@pytest.fixture(autouse=True)
def agents(cluster):
    wait_for_agents(cluster)


def doctor(cluster, status):
    """The checks, and those of them that found something wrong; it ends with this status."""
    done = cluster.vmctl("doctor", "--json", check=False)
    assert done.returncode == status, done.stdout + done.stderr
    checks = json.loads(done.stdout)["checks"]
    return checks, [check for check in checks if not check["ok"]]


def only_wrong(cluster, check, where):
    """What the only check found that found something wrong."""
    _, wrong = doctor(cluster, 1)
    assert [(found["check"], found["where"]) for found in wrong] == [(check, where)], wrong
    return wrong[0]


@contextmanager
def different(file, text):
    """For a while, the file has this text."""
    before = file.read_text()
    file.write_text(text)
    try:
        yield
    finally:
        file.write_text(before)


def split(checks):
    """Those of the hand-over, which each node measures when it has time for it, and all others."""
    return [[check for check in checks if (check["check"] == "hand-over") == wanted] for wanted in (True, False)]


@pytest.mark.core
def test_sound_cluster_is_all_ok(cluster):
    checks, wrong = doctor(cluster, 0)
    assert not wrong
    nodes = ["n1", "n2"]
    hand_overs, checks = split(checks)
    assert sorted(node for check in hand_overs for node in check["where"]) == nodes
    assert [(check["check"], check["where"]) for check in checks] == [
        ("vmall.conf", ["here"]), ("munge", ["here"]), ("plugins", ["here"]), ("plugstack.conf", ["here"]),
        ("ports", ["here"]),
        ("Slurm", ["controller"]), ("slurm.conf", ["controller"]), ("sched/fjt", ["controller"]), ("clock", ["controller"]),
        ("vmall.conf", ["here"]), ("agent", nodes), ("clock", nodes), ("confinement", nodes), ("libvmrt", nodes),
        ("kernel", nodes), ("vmall.conf", nodes)]
    assert all(check["what"] and not check["fix"] for check in checks)
    assert os.uname().release in checks[-2]["what"]
    assert checks[2]["what"] == "select_cons_tres_vmall.so, select_cons_tres.so, sched_fjt.so, sched_backfill.so"


def test_a_user_may_ask_and_gets_a_table(cluster):
    uid = pwd.getpwnam("nobody").pw_uid
    table = cluster.run("setpriv", f"--reuid={uid}", "--clear-groups", cluster.build.vmctl, "doctor").stdout
    header, *lines = table.splitlines()
    assert header.split() == ["CHECK", "WHERE", "RESULT", "WHAT"]
    assert len([line for line in lines if not line.startswith("hand-over ")]) == 16, table
    assert all(line.split()[2] == "ok" for line in lines), table
    assert any(line.split()[:2] == ["agent", "n[1-2]"] for line in lines), table


@pytest.mark.core
@pytest.mark.log_errors(PEER_GONE)
def test_node_with_another_vmall_conf_is_found(cluster):
    cluster.write_vmall_conf(NextRank="sender", MaxMpl=2)  # slurmctld reads MaxMpl at any time
    cluster.restart_slurmd("n2")
    cluster.write_vmall_conf()
    wait_for_agents(cluster)
    wrong = only_wrong(cluster, "vmall.conf", ["n2"])
    assert wrong["what"] == "NextRank=sender instead of round-robin"
    assert "restart slurmd" in wrong["fix"]
    cluster.restart_slurmd("n2")
    wait_for_agents(cluster)
    doctor(cluster, 0)


def test_controller_that_is_not_where_it_was_said_to_be_is_found(cluster):
    done = cluster.vmctl("doctor", "--json", "--controller=127.0.0.1:1", check=False)
    wrong = [check for check in json.loads(done.stdout)["checks"] if not check["ok"]]
    assert [(check["check"], "Connection refused" in check["what"]) for check in wrong] == [("sched/fjt", True)]


@pytest.mark.core
@pytest.mark.log_errors(PEER_GONE)
def test_node_without_libvmrt_is_found(cluster):
    cluster.write_vmall_conf(VmrtLibrary="/nonexistent/libvmrt.so")
    cluster.restart_slurmd("n1")
    wait_for_agents(cluster)
    _, wrong = doctor(cluster, 1)
    cluster.write_vmall_conf()
    assert [(check["check"], check["where"]) for check in wrong] == [
        ("vmall.conf", ["here"]), ("libvmrt", ["n1"]), ("vmall.conf", ["n1"])], wrong
    assert wrong[1]["what"] == "/nonexistent/libvmrt.so is not there"
    cluster.restart_slurmd("n1")


@pytest.mark.skipif(installed_release() >= (25, 5), reason="commands load no select plugin any more")
def test_host_that_cannot_read_records_of_nodes_is_found(cluster):
    """libslurm would end the program."""
    conf = cluster.root / "elsewhere.conf"
    conf.write_text(re.sub("(?m)^PluginDir=.*", f"PluginDir={stock_plugin_dir()}", cluster.conf.read_text()))
    done = cluster.run(cluster.build.vmctl, "doctor", "--json", check=False, SLURM_CONF=str(conf))
    assert done.returncode == 1, done.stderr
    wrong = [check for check in json.loads(done.stdout)["checks"] if not check["ok"]]
    assert [(check["check"], check["where"]) for check in wrong] == [("nodes", ["here"])], wrong
    assert "select/cons_tres_vmall" in wrong[0]["what"] and wrong[0]["fix"].startswith("Install slurm-vmall here")
    assert "PluginDir of slurm.conf here" in wrong[0]["fix"]


def test_vmall_conf_that_the_controller_has_not_read_is_found(cluster):
    cluster.write_vmall_conf(MaxMpl=2)
    wrong = only_wrong(cluster, "vmall.conf", ["here"])
    assert wrong["what"] == "MaxMpl=2 instead of 4" and "scontrol reconfigure" in wrong["fix"]
    cluster.write_vmall_conf()
    cluster.vmctl("set", "MaxMpl=2")
    doctor(cluster, 0)
    cluster.vmctl("set", "MaxMpl=4")


@pytest.mark.core
def test_error_in_vmall_conf_is_told(cluster):
    good = cluster.vmall_conf.read_text()
    line = len(good.splitlines()) + 1
    with different(cluster.vmall_conf, good + "WindowMpl=9\n"):
        wrong = only_wrong(cluster, "vmall.conf", ["here"])
    assert f"vmall.conf:{line}: WindowMpl" in wrong["what"] and "vmall.conf(5)" in wrong["fix"]


@pytest.mark.log_errors(PEER_GONE)
def test_node_whose_slurmd_is_stopped_is_found(cluster):
    with Silenced(cluster, "n2", "is dead"):
        wrong = only_wrong(cluster, "agent", ["n2"])
        assert "Connection refused" in wrong["what"] and wrong["fix"].startswith("Start slurmd there.")


@pytest.mark.log_errors(PEER_GONE)
def test_node_whose_slurmd_hangs_is_found(cluster):
    with Silenced(cluster, "n2", "hangs"):
        assert "too slow" in only_wrong(cluster, "agent", ["n2"])["what"]


@pytest.mark.log_errors(PEER_GONE)
def test_node_without_the_line_in_plugstack_conf_is_found(cluster):
    plugstack = cluster.root / "plugstack.conf"
    with different(plugstack, "# nothing of ours\n"):
        cluster.restart_slurmd("n1")
        assert "unrecognized option" in cluster.run("sbatch", "--vm-class=long", "--wrap=true", check=False).stderr
        _, wrong = doctor(cluster, 1)
    assert [(check["check"], check["where"]) for check in wrong] == [("plugstack.conf", ["here"]), ("agent", ["n1"])]
    assert f"{plugstack} does not name spank_vm.so" == wrong[0]["what"] and '"required spank_vm.so"' in wrong[0]["fix"]
    assert "plugstack.conf" in wrong[1]["fix"]
    cluster.restart_slurmd("n1")
    wait_for_agents(cluster)
    doctor(cluster, 0)


@pytest.mark.log_errors(WITHOUT_MUNGE)
def test_munged_that_is_stopped_is_found(cluster):
    cluster.munged.stop()
    try:
        wrong = only_wrong(cluster, "munge", ["here"])
    finally:
        cluster.munged.start()
        cluster.wait_until((cluster.root / "munge/socket").exists, "munged's socket")
        cluster.wait_ready()
    assert str(cluster.root / "munge/socket") in wrong["what"] and wrong["fix"].startswith("Start munged")


@pytest.mark.log_errors(WITHOUT_MUNGE)
def test_host_with_another_munge_key_is_found(cluster):
    here = cluster.root / "elsewhere"
    for name in ("munge", "log"):
        (here / name).mkdir(parents=True)
    munge.write_key(here)
    for file in (cluster.conf, cluster.vmall_conf):
        (here / file.name).write_text(file.read_text().replace(f"{cluster.root}/munge", f"{here}/munge"))
    munged = Daemon("munged of another key", munge.command(here), cluster.environment, here / "log/munged.log")
    munged.start()
    try:
        cluster.wait_until((here / "munge/socket").exists, "munged's socket")
        done = cluster.run(cluster.build.vmctl, "doctor", "--json", check=False, SLURM_CONF=str(here / "slurm.conf"))
    finally:
        munged.stop()
    wrong = [check for check in json.loads(done.stdout)["checks"] if not check["ok"]]
    assert [(check["check"], check["where"]) for check in wrong] == [("Slurm", ["controller"])], wrong
    assert "the same key" in wrong[0]["fix"]


@pytest.mark.log_errors(PEER_GONE)
def test_slurmctld_that_is_stopped_is_found(cluster):
    cluster.slurmctld.stop()
    wrong = only_wrong(cluster, "Slurm", ["controller"])
    said = cluster.vmctl("jobs", check=False).stderr
    cluster.slurmctld.start()
    cluster.wait_ready()
    assert "does not answer" in wrong["what"] and wrong["fix"].startswith("Start slurmctld there")
    assert f"port {cluster.ports[None]})" in wrong["what"] and wrong["what"] in said and "vmctl doctor" in said


@pytest.mark.log_errors(PEER_GONE + "|SchedulerType is not sched/fjt")
def test_slurm_conf_without_our_scheduler_is_found(cluster):
    with restarted_with(cluster, lambda line: line.replace("sched/fjt", "sched/backfill")):
        wrong = only_wrong(cluster, "sched/fjt", ["controller"])
    assert "Put SchedulerType=sched/fjt into slurm.conf" in wrong["fix"] and "slurmctld's log" in wrong["fix"]
    cluster.wait_ready()


@pytest.mark.log_errors(PEER_GONE + "|the node agent takes a port of Slurm's")
def test_ports_that_slurm_conf_gives_to_slurm_are_found(cluster):
    agent = cluster.ports["n1"] + len(cluster.nodes)
    first, last = sorted([agent, cluster.control_port])
    given = f"SrunPortRange={first}-{last}"

    def add(line):
        return f"{given}\n{line}" if line.startswith("SlurmctldPort=") else line

    with restarted_with(cluster, add):
        cluster.restart_slurmd("n1")
        wait_for_agents(cluster)
        wrong = only_wrong(cluster, "ports", ["here"])
    conflict = f"is one of {given} of slurm.conf"
    assert wrong["what"] == f"ControlPort={cluster.control_port} {conflict}"
    assert "Give ControlPort of vmall.conf another port" in wrong["fix"]
    assert f"warning: {wrong['what']}: give it another port" in cluster.slurmctld.log.read_text()
    assert f"takes a port of Slurm's: AgentPort={agent} {conflict}" in cluster.slurmd["n1"].log.read_text()
    cluster.restart_slurmd("n1")
    wait_for_agents(cluster)
