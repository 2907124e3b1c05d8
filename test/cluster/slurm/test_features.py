# SPDX-License-Identifier: GPL-2.0-or-later
"""What of Slurm's features keeps a job from starting also keeps others from being folded for it, and the job from
holding them up."""

import json
import re

import pytest
from scenario import (FOREVER, PEER_GONE, WHOLE, Silenced, stays, submit_vm, submit_whole, vmall_conf, wait_confined, wait_cores,
                      wait_passes, wait_tasks)
from vmcluster import Node, control_block

# Of different sizes. With two threads per core Slurm's CPUs are not cores.
CLUSTER = {
    "vmall_conf": WHOLE,
    "nodes": [Node("s1", 8, options="Features=small Gres=card:2,near:2,gpu:5"),
              Node("t1", 8, sockets=2, threads=2, options="Features=smt"),
              Node("c1", 4, options="CoreSpecCount=1")],
    "partitions": {"main": "Nodes=ALL Default=YES", "urgent": "Nodes=s1 PriorityTier=10", "core": "Nodes=c1",
                   "whole": "Nodes=c1 OverSubscribe=EXCLUSIVE", "sockets": "Nodes=s1 SelectTypeParameters=CR_Socket_Memory",
                   "shared": "Nodes=s1 OverSubscribe=YES:2", "own": "Nodes=s1 ExclusiveUser=YES"},
    "gres_conf": """NodeName=s1 Name=card Count=2
NodeName=s1 Name=near Count=2 Cores=0-3
NodeName=s1 Name=gpu File=/dev/null,/dev/zero,/dev/full,/dev/random,/dev/urandom
""",
    "slurm_conf": {"SelectTypeParameters": "CR_Core_Memory", "DefMemPerNode": 10, "GresTypes": "card,near,gpu",
                   "Licenses": "solver:1"},
}


def host_and_guest(cluster, node, procs, guest_procs, guest=(), host=()):
    """A job that has that much of the node, and one for which there is only room if the first is folded."""
    running = submit_vm(cluster, "long", procs, options=["-w", node, *host])
    cluster.wait_state(running, "RUNNING")
    return submit_whole(cluster, guest_procs, *guest), running


def cores(cluster, job_id):
    """node → how many CPUs, of a job that runs."""
    return {node: len(cpus) for node, cpus in cluster.wait_state(job_id, "RUNNING").cores.items()}


def reasons(cluster):
    """job → why it waits, of those that asked."""
    return {row["job_id"]: row["reason"] for row in json.loads(cluster.vmctl("queue", "--json").stdout)["queue"]}


@pytest.mark.core
def test_nobody_is_folded_for_a_job_that_lacks_memory(cluster):
    guest, job_id = host_and_guest(cluster, "s1", 4, 7, ["-w", "s1", "--mem=800"], ["--mem=300"])
    assert stays(cluster, lambda: cluster.job(job_id).core_count == 4)
    assert cluster.job(guest).state == "PENDING"
    assert reasons(cluster)[guest] == "waits for memory"
    unused = cluster.vmctl_stats()["core_seconds_without_memory"]
    cluster.wait_until(lambda: cluster.vmctl_stats()["core_seconds_without_memory"] > unused, "cores that lack memory to be counted")
    cluster.run("scontrol", "update", f"JobId={guest}", "MinMemoryNode=600")
    wait_cores(cluster, job_id, 1)
    cluster.wait_state(guest, "RUNNING")
    unused = cluster.vmctl_stats()["core_seconds_without_memory"]
    assert stays(cluster, lambda: cluster.vmctl_stats()["core_seconds_without_memory"] == unused)


def test_jobs_that_slurm_refuses_hold_nobody_up_however_many_they_are(cluster):
    """More than are tried in a pass."""
    hoarder = cluster.submit("exec sleep 600", "-n1", "-w", "s1", "--gres=card:2", "--time=10")
    cluster.wait_state(hoarder, "RUNNING")
    refused = "sbatch -n1 -w s1 --gres=card:1 --time=10 --output=/dev/null --wrap=true"
    cluster.run("sh", "-c", f"seq 60 | xargs -P4 -I{{}} {refused}")
    behind = submit_vm(cluster, "short", 4, script="exec sleep 600", options=["-w", "s1", "--time=5"])
    cluster.wait_state(behind, "RUNNING")
    refusals = cluster.vmctl_stats()["refusals_by_slurm"]
    wait_passes(cluster)
    assert cluster.vmctl_stats()["refusals_by_slurm"] < refusals + 30, "they are not asked for in every pass"
    cluster.run("scancel", "--user=root", "--state=PENDING")  # before the card is free


def test_job_starts_with_as_many_processes_as_there_is_memory_for(cluster):
    job_id = submit_vm(cluster, "long", "2-8", options=["-w", "s1", "--mem-per-cpu=180"])
    assert cluster.wait_state(job_id, "RUNNING").tasks == 5


def test_job_without_a_time_limit_ends_by_its_deadline(cluster):
    """Its limit is cut to that as it starts, not when Slurm refuses to start it."""
    holder = cluster.submit(FOREVER, "-n1", "-w", "s1", "--gres=card:2")
    cluster.wait_state(holder, "RUNNING")
    refused = cluster.vmctl_stats()["refusals_by_slurm"]
    with vmall_conf(cluster, FoldGres="yes"):
        job_id = submit_vm(cluster, "long", 4, options=["-w", "s1", "--gres=card:1", "--deadline=now+5minutes"])
        cluster.wait_until(lambda: cluster.vmctl_stats()["refusals_by_slurm"] > refused, "a start that Slurm refuses")
        assert cluster.job(job_id).fields["TimeLimit"] == "UNLIMITED"
        cluster.run("scancel", holder)
        started = cluster.wait_state(job_id, "RUNNING").fields
    assert started["StartTime"] < started["EndTime"] <= started["Deadline"]


def test_job_is_helped_on_the_nodes_that_have_its_features(cluster):
    guest, job_id = host_and_guest(cluster, "s1", 4, 7, ["-C", "small"])
    assert "t1" in cluster.run("sinfo", "-h", "-t", "idle", "-o", "%N").stdout
    wait_cores(cluster, job_id, 1)
    assert cores(cluster, guest) == {"s1": 7}


@pytest.mark.core
def test_job_that_waits_for_a_licence_holds_nobody_up(cluster):
    holder = cluster.submit(FOREVER, "-n1", "--licenses=solver")
    cluster.wait_state(holder, "RUNNING")
    waiting = submit_vm(cluster, "long", 4, options=["--licenses=solver"])
    behind = submit_vm(cluster, "long", 4)
    cluster.wait_state(behind, "RUNNING")
    assert cluster.job(waiting).state == "PENDING"
    cluster.run("scancel", holder)
    cluster.wait_state(waiting, "RUNNING")


def reserve(cluster, start, *options, name="booked"):
    cluster.run("scontrol", "create", "reservation", f"reservationname={name}", f"starttime={start}", "duration=10",
                "user=root", *options)


@pytest.fixture
def no_reservation(cluster):
    yield
    cluster.cancel_all()
    for name in ("booked", "later"):
        cluster.run("scontrol", "delete", "reservation", name, check=False)


@pytest.mark.usefixtures("no_reservation")
def test_folded_job_does_not_grow_into_what_reservations_will_need(cluster):
    guest, job_id = host_and_guest(cluster, "s1", 4, 7, ["-w", "s1"], ["--time=60"])
    wait_cores(cluster, job_id, 1)
    cluster.wait_state(guest, "RUNNING")
    reserve(cluster, "now+30minutes", "nodes=s1", "flags=ignore_jobs")
    reserve(cluster, "now+50minutes", "nodes=s1", "flags=ignore_jobs", name="later")
    cluster.run("scancel", guest)
    for name in ("booked", "later"):
        assert stays(cluster, lambda: cluster.job(job_id).core_count == 1)
        cluster.run("scontrol", "delete", "reservation", name)
    wait_cores(cluster, job_id, 4)


@pytest.mark.core
@pytest.mark.usefixtures("no_reservation")
def test_jobs_keep_to_their_reservation_and_others_off_it(cluster):
    reserve(cluster, "now+60minutes", "nodes=s1")
    early = submit_vm(cluster, "long", 8, options=["--reservation=booked"])
    too_long = submit_vm(cluster, "long", 8, options=["-w", "s1", "--time=120"])
    short_enough = submit_vm(cluster, "short", 4, options=["-w", "s1", "--time=5"])
    cluster.wait_state(short_enough, "RUNNING")
    assert [cluster.job(job_id).state for job_id in (early, too_long)] == ["PENDING", "PENDING"]
    cluster.run("scancel", short_enough, too_long)
    # Refused as long as a job is there.
    update = ["scontrol", "update", "reservation=booked", "starttime=now"]
    cluster.wait_until(lambda: cluster.run(*update, check=False).returncode == 0, "the reservation to begin")
    assert cores(cluster, early) == {"s1": 8}


@pytest.mark.core
def test_throttled_array_of_virtually_malleable_jobs(cluster):
    array = submit_vm(cluster, "short", "2,4", options=["--array=0-3%2", "-w", "s1"])

    def running():
        """Ids of their own that elements have when they run."""
        out = cluster.run("squeue", "-h", "-r", "-t", "R", "-o", "%A", "-j", str(array)).stdout
        return {int(job_id) for job_id in out.split()}

    first = cluster.wait_until(lambda: len(ids := running()) == 2 and ids, "two elements to run")
    cluster.wait_until(lambda: first <= set(cluster.vmctl_jobs()), "vmctl to show both")
    assert stays(cluster, lambda: running() == first)
    assert cluster.jobs()[array].tasks == 2, "the shape of those that started is not that of the others"
    cluster.run("scancel", f"{array}_[0-1]")
    cluster.wait_until(lambda: len(ids := running()) == 2 and not ids & first, "the other two to run")
    cluster.run("scancel", array)


def test_element_with_a_request_of_its_own_leaves_the_rest_of_its_array_alone(cluster):
    array = submit_vm(cluster, "short", 2, options=["--array=0-1", "--hold"])
    cluster.run("scontrol", "update", f"JobId={array}_0", "NumCPUs=3")
    cluster.run("scontrol", "release", f"{array}_0")

    def elements():
        return {job.fields["ArrayTaskId"]: job for job in cluster.jobs().values()
                if job.fields.get("ArrayJobId") == str(array)}

    before = elements()["1"].cpus
    cluster.wait_until(lambda: elements()["0"].state == "RUNNING", "the element to run")
    assert elements()["1"].cpus == before < 3


@pytest.mark.core
def test_dependent_job_starts_after_the_other_and_holds_nobody_up(cluster):
    first = submit_vm(cluster, "short", 2, script="exec srun sleep 4")
    dependent = submit_vm(cluster, "long", 2, options=[f"--dependency=afterok:{first}"])
    other = submit_vm(cluster, "short", 2)
    cluster.wait_state(other, "RUNNING")
    assert cluster.job(dependent).state == "PENDING" or cluster.job(first).state == "COMPLETED"
    cluster.wait_state(dependent, "RUNNING")
    assert cluster.job(first).state == "COMPLETED"


def test_job_in_two_partitions_starts_in_the_one_that_has_room(cluster):
    full = submit_vm(cluster, "long", 8, options=["-p", "urgent"])
    cluster.wait_state(full, "RUNNING")
    job_id = submit_vm(cluster, "long", 3, options=["-p", "urgent,core"])
    assert cores(cluster, job_id) == {"c1": 3}
    assert cluster.job(job_id).fields["Partition"] == "core"


def test_partition_of_higher_tier_comes_first_on_shared_nodes(cluster):
    running = submit_whole(cluster, 8, "-w", "s1")
    cluster.wait_state(running, "RUNNING")
    later = submit_whole(cluster, 8, "-w", "s1")
    urgent = submit_whole(cluster, 8, "-p", "urgent")
    cluster.run("scancel", running)
    cluster.wait_state(urgent, "RUNNING")
    assert cluster.job(later).state == "PENDING"


@pytest.mark.parametrize("options, expected", [
    (["-w", "t1"], {"t1": 8}),
    (["-w", "t1", "--hint=nomultithread"], {"t1": 8}),
    (["-w", "s1", "--overcommit"], {"s1": 4}),
    (["-w", "s1", "--ntasks-per-node=4"], {"s1": 4}),
    (["--exclude=s1,c1"], {"t1": 8}),
], ids=["two threads per core", "one of two threads", "overcommit", "tasks per node", "excluded nodes"])
def test_four_processes_have_four_cores(cluster, options, expected):
    job_id = submit_vm(cluster, "long", 4, options=options)
    assert cores(cluster, job_id) == expected
    assert cluster.job(job_id).tasks == 4


def test_specialized_core_is_nobodys(cluster):
    job_id = submit_whole(cluster, "3,4", "-w", "c1")
    assert cores(cluster, job_id) == {"c1": 3}


def test_job_folds_by_cores_where_a_core_has_two_threads(cluster):
    guest, job_id = host_and_guest(cluster, "t1", 2, 3, ["-w", "t1"])
    wait_cores(cluster, job_id, 2)
    assert cores(cluster, guest) == {"t1": 6}
    cluster.run("scancel", guest)
    wait_cores(cluster, job_id, 4)


@pytest.mark.core
@pytest.mark.parametrize("gres", ["card:2", "near:2"], ids=["of the node", "of some cores"])
def test_job_with_gres_gives_back_cores_and_keeps_its_gres_where_the_site_says_so(cluster, gres):
    with vmall_conf(cluster, FoldGres="yes"):
        guest, job_id = host_and_guest(cluster, "s1", 4, 7, ["-w", "s1"], [f"--gres={gres}"])
        for cores_now, after in ((1, "RUNNING"), (4, "CANCELLED")):
            wait_cores(cluster, job_id, cores_now)
            cluster.wait_state(guest, after)
            used = re.search("GresUsed=(.*)", cluster.run("scontrol", "-d", "show", "node", "s1").stdout)[1]
            assert gres in used
            cluster.run("scancel", guest)


@pytest.mark.log_errors(PEER_GONE)
def test_job_keeps_its_cores_if_it_may_not_be_folded_any_more_once_its_nodes_have_done_so(cluster):
    with vmall_conf(cluster, FoldGres="yes"):
        job_id = submit_vm(cluster, "long", 4, options=["-N1", "-w", "s1", "--gres=card:1"])
        wait_tasks(cluster, job_id, 4)
        cluster.wait_until(lambda: not cluster.vmctl_jobs()[job_id]["resize_pending"], "the node to know its allotment")
        with Silenced(cluster, "s1", "hangs"):
            guest = submit_whole(cluster, 7, "-w", "s1")
            cluster.wait_until(lambda: cluster.vmctl_jobs()[job_id]["resize_pending"], "the node to be asked to fold it")
            fold = cluster.vmctl_jobs()[job_id]["generation_wanted"]
            cluster.vmctl("set", "FoldGres=no")
            cluster.wait_until(lambda: job_id not in cluster.vmctl_jobs(), "it not to be virtually malleable any more")
        block = cluster.root / "run/s1" / str(job_id) / "control"
        cluster.wait_until(lambda: control_block.read(block).generation > fold, "the node to widen it again")
        wait_confined(cluster, job_id)
        assert cluster.job(job_id).core_count == 4
        assert cluster.job(guest).state == "PENDING"
        cluster.vmctl("set", "FoldGres=yes")
        wait_cores(cluster, job_id, 1)
        cluster.wait_state(guest, "RUNNING")


def assert_not_ours(cluster, reason, *options):
    job_id = submit_vm(cluster, "short", 3, script="exec sleep 600", options=options)
    assert cluster.wait_state(job_id, "RUNNING").tasks < 3, "it has as many tasks as Slurm was told, not as --vm-procs says"
    assert job_id not in cluster.vmctl_jobs()
    line = rf"JobId={job_id} asked for virtual malleability and is scheduled like the others: (.*)"
    assert re.findall(line, cluster.slurmctld.log.read_text()) == [reason]
    told = f"Job {job_id} asked for virtual malleability and is scheduled like the others: "  # the reason may be another since it runs
    cluster.wait_until(lambda: cluster.vmctl("why", job_id, check=False).stdout.startswith(told), "vmctl why to say so, too")


@pytest.mark.core
@pytest.mark.parametrize("options, reason", [
    (["--gres=card:1", "-n2", "-w", "s1"], "it has GRES (FoldGres of vmall.conf)"),
    (["-p", "whole", "-n2"], "it takes whole nodes (LendWholeNodes of vmall.conf)"),
    (["-p", "sockets", "-n2"], "whole sockets are given out (CR_Socket)"),
    (["-p", "shared", "-n2", "--oversubscribe"], "its partition lets jobs share cores (OverSubscribe)"),
    (["-p", "own", "-n2"], "its nodes are for one user only"),
    (["--exclusive=user", "-n2", "-w", "s1"], "its nodes are for one user only"),
], ids=["GRES", "partition of whole nodes", "partition of whole sockets", "partition of shared cores",
        "partition of nodes of one user", "nodes of one user"])
def test_job_that_cannot_be_folded_is_scheduled_like_others_and_the_log_says_why(cluster, options, reason):
    assert_not_ours(cluster, reason, *options)


# Slurm's own, of a binding to GRES for which gres.conf names no cores.
@pytest.mark.log_errors("gres_min_cpus=8 is greater than avail_cpus=2")
def test_job_whose_gres_fix_its_cores_or_tasks_is_not_folded_wherever_gres_may_be(cluster):
    ways = (["-n2", "--gres=card:1", "--gres-flags=enforce-binding"], ["--gpus=1", "--ntasks-per-gpu=1"],
            ["--gpus-per-socket=1", "--sockets-per-node=1"])
    with vmall_conf(cluster, FoldGres="yes"):
        for way in ways:
            assert_not_ours(cluster, "its GRES are bound to its cores, or counted by its sockets, or count its tasks",
                            "-w", "s1", "-n1", *way)
            cluster.cancel_all()  # 24.11 gives the first all cores of the node
