# SPDX-License-Identifier: GPL-2.0-or-later
"""What Slurm grants only to select plugins with "cons_tres" in their name: each case under its own and under ours."""

import json

import evidence
import pytest
from scenario import FOREVER, PEER_GONE, fold, vm_options, wait_confined, wait_cores, wait_tasks
from vmcluster import Cluster, Node, installed_release
from vmcluster.slurm import fields

NODES = [Node("n1", options="Gres=pebble:2"), Node("n2", options="Gres=pebble:2"), Node("d1", dynamic=True)]
SLURM_CONF = {"SelectTypeParameters": None, "GresTypes": "pebble", "SchedulerParameters": "bf_interval=1,permit_job_expansion"}
SOME_MEMORY = "--mem=100"


@pytest.fixture(name="cluster", scope="module", params=["stock", "vmall"])
def either_cluster(request, build):
    either = Cluster(build if request.param == "vmall" else None, request.param, NODES, slurm_conf=SLURM_CONF,
                     gres_conf="NodeName=n[1-2] Name=pebble Count=2\n", keep=True)
    with evidence.watched(request, either) as started:
        yield started


OURS_ONLY = pytest.mark.parametrize("cluster", ["vmall"], indirect=True)


def start(cluster, tasks, *options):
    """A job, once it has its tasks. It asks to be virtually malleable where that means something."""
    asks = vm_options("short", tasks) if cluster.scheduler == "vmall" else [f"-n{tasks}"]
    job_id = cluster.submit(FOREVER, *asks, SOME_MEMORY, *options)
    cluster.wait_state(job_id, "RUNNING")
    wait_tasks(cluster, job_id, tasks)
    return cluster.job(job_id)


def wait_no_room(cluster, *options):
    """Until Slurm has found none for an ordinary job with a task."""
    job_id = cluster.submit(FOREVER, "-n1", SOME_MEMORY, *options)
    cluster.wait_until(lambda: cluster.job(job_id).reason.startswith(("Resources", "ReqNodeNotAvail")), "Slurm to find no room")
    cluster.run("scancel", job_id)


def test_cores_and_memory_are_given_out_where_slurm_conf_does_not_say_what(cluster):
    assert "CR_CORE_MEMORY" in cluster.run("scontrol", "show", "config").stdout
    start(cluster, 1, "--mem=600", "-wn1")
    wait_no_room(cluster, "--mem=600", "-wn1")
    assert start(cluster, 1, "--mem=300", "-wn1").cores.keys() == {"n1"}


def create_reservation(cluster, *settings):
    """Before 23.11 scontrol takes CoreCnt only if slurm.conf names a select plugin of Slurm's own to it."""
    conf = cluster.root / "stock.conf"
    conf.write_text(cluster.conf.read_text().replace("select/cons_tres_vmall", "select/cons_tres"))
    cluster.run("scontrol", "create", "reservation", *settings, SLURM_CONF=conf if installed_release() < (23, 11) else cluster.conf)


@pytest.fixture(name="reserved")
def reserved_cores(cluster):
    """Half of n1."""
    create_reservation(cluster, "ReservationName=half", "StartTime=now", "Duration=10", "Users=root", "Nodes=n1", "CoreCnt=4")
    yield
    cluster.cancel_all()
    cluster.run("scontrol", "delete", "ReservationName=half")


@pytest.mark.core
@pytest.mark.usefixtures("reserved")
def test_cores_can_be_reserved(cluster):
    assert "CoreCnt=4" in cluster.run("scontrol", "show", "reservation", "half").stdout
    inside, outside = start(cluster, 4, "--reservation=half"), start(cluster, 4, "-wn1")
    assert inside.cores["n1"] | outside.cores["n1"] == set(range(8))
    for where in ("--reservation=half", "-wn1"):
        wait_no_room(cluster, where)


def test_a_job_that_expands_another_has_gres_of_its_own(cluster):
    """Slurm 22.05 never ends the job whose nodes the other has got, so that these stay where they are."""
    grows = start(cluster, 1, "-wn1", "--gres=pebble:1")
    other = cluster.submit(FOREVER, "-n2", SOME_MEMORY, "-wn2", "--gres=pebble:2", f"--dependency=expand:{grows.id}")
    assert cluster.wait_state(other, "RUNNING").fields["TresPerNode"].endswith("pebble:2")


def node(cluster, name):
    return dict(fields(cluster.run("scontrol", "-o", "show", "node", name).stdout.strip()))


def test_a_node_that_slurm_conf_does_not_name_takes_jobs(cluster):
    assert "DYNAMIC_NORM" in node(cluster, "d1")["State"]
    assert start(cluster, 8, "-wd1").core_count == 8
    wait_no_room(cluster, "-wd1")


def test_nodes_are_created_and_deleted(cluster):
    cluster.run("scontrol", "create", "NodeName=c1", "State=CLOUD", "CPUs=4")
    start(cluster, 8, "-wd1")
    cluster.run("scontrol", "delete", "NodeName=c1")
    assert start(cluster, 8, "-wn1").core_count == 8


@pytest.mark.core
@OURS_ONLY
@pytest.mark.log_errors(PEER_GONE)
def test_jobs_are_folded_on_a_node_that_slurm_conf_does_not_name(cluster):
    jobs = fold(cluster, where=[SOME_MEMORY, "-wd1"])
    wait_confined(cluster, jobs.folded)
    checks = json.loads(cluster.vmctl("doctor", "--json").stdout)["checks"]
    assert any(check["check"] == "agent" and "d1" in check["where"] for check in checks)

    before = cluster.job(jobs.folded).cores
    cluster.wait_saved()
    cluster.restart_slurmctld()
    assert cluster.job(jobs.folded).cores == before
    cluster.run("scancel", jobs.guest)
    wait_cores(cluster, jobs.folded, 4)
    wait_confined(cluster, jobs.folded)


@pytest.mark.core
def test_the_name_that_the_plugin_had_first_still_works(build, request):
    with evidence.watched(request, Cluster(build, slurm_conf={"SelectType": "select/vmall"}, keep=True)) as first:
        jobs = fold(first)
        wait_confined(first, jobs.folded)
        checks = json.loads(first.vmctl("doctor", "--json").stdout)["checks"]
        assert any(check["what"].startswith("SelectType=select/vmall,") for check in checks)
        assert any(check["what"].startswith("select_vmall.so,") for check in checks)
