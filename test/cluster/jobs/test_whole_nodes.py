# SPDX-License-Identifier: GPL-2.0-or-later
"""Partitions that give out whole nodes: jobs there that asked lend each other cores, as LendWholeNodes says, and nobody
else gets a core of their nodes."""

import re
from pathlib import Path

import pytest
from scenario import FOREVER, stays, submit_vm, vmall_conf, wait_confined, wait_cores, wait_passes, wait_reason, wait_tasks
from vmcluster import Node, installed_release

COMPANY = Path(__file__).with_name("company.sh")

CLUSTER = {
    "nodes": [Node("n1", 8), Node("n2", 8), Node("odd", 4), Node("mixed", 8), Node("withcard", 8, options="Gres=card:1"), Node("smt", 16, threads=2)],
    "partitions": {"whole": "Nodes=n[1-2] OverSubscribe=EXCLUSIVE Default=YES",
                   "also": "Nodes=n[1-2] OverSubscribe=EXCLUSIVE",
                   "uneven": "Nodes=n1,odd OverSubscribe=EXCLUSIVE",
                   "smt": "Nodes=smt OverSubscribe=EXCLUSIVE", "mixed": "Nodes=mixed OverSubscribe=EXCLUSIVE", "shared": "Nodes=mixed",
                   "cards": "Nodes=withcard OverSubscribe=EXCLUSIVE", "somecards": "Nodes=n2,withcard OverSubscribe=EXCLUSIVE"},
    "slurm_conf": {"GresTypes": "card", "Prolog": COMPANY, "Epilog": COMPANY},
    "gres_conf": "NodeName=withcard Name=card Count=1\n",
    "vmall_conf": {"LendWholeNodes": "yes"},
}
ON_N1 = ("-w", "n1")


def submit_long(cluster, *options, procs=8):
    """One that runs on its whole node."""
    job_id = submit_vm(cluster, "long", procs, options=[*ON_N1, *options])
    assert cluster.wait_state(job_id, "RUNNING").core_count == 8
    wait_tasks(cluster, job_id, procs)
    return job_id


def submit_short(cluster, *options, procs=8):
    return submit_vm(cluster, "short", procs, "1:00", options=[*ON_N1, *options])


def fold(cluster):
    """A job that has lent half of its node, and the one that was lent it."""
    lender = submit_long(cluster)
    guest = submit_short(cluster)
    assert cluster.wait_state(guest, "RUNNING").core_count == 4
    assert cluster.job(lender).core_count == 4
    return lender, guest


def keeps_off(cluster, job_id, passes=3):
    return stays(cluster, lambda: cluster.job(job_id).state == "PENDING", passes)


@pytest.mark.core
def test_jobs_lend_each_other_cores_of_their_nodes_and_grow_back(cluster):
    lender, guest = fold(cluster)
    wait_tasks(cluster, guest, 8)
    for job_id in (lender, guest):
        wait_confined(cluster, job_id)
    cluster.run("scancel", guest)
    wait_cores(cluster, lender, 8)
    wait_confined(cluster, lender)


def test_prolog_and_epilog_run_beside_others_and_can_tell(cluster):
    company = cluster.root / "company"

    def wait_told(*lines):
        cluster.wait_until(lambda: set(lines) <= set(company.read_text().splitlines()), f"who is there to be told: {lines}")

    lender, guest = fold(cluster)
    wait_told(f"prolog_slurmd {lender}:", f"prolog_slurmd {guest}: {lender}")
    cluster.run("scancel", lender)
    wait_told(f"epilog_slurmd {lender}: {guest}")


def test_guest_has_the_node_to_itself_once_the_lender_has_ended(cluster):
    lender, guest = fold(cluster)
    other = cluster.submit(FOREVER, "-n1", *ON_N1)
    cluster.run("scancel", lender)
    wait_cores(cluster, guest, 8)
    assert keeps_off(cluster, other)
    cluster.run("scancel", guest)
    assert cluster.wait_state(other, "RUNNING").core_count == 8


@pytest.mark.core
@pytest.mark.parametrize("options", [["-p", "whole"], ["-p", "also"], ["-p", "also", "--exclusive"]],
                         ids=["in its partition", "in another", "exclusive, too"])
def test_who_did_not_ask_gets_no_core_of_nodes_that_are_lent(cluster, options):
    lender, guest = fold(cluster)
    other = cluster.submit(FOREVER, "-n1", "--time=1", *ON_N1, *options)
    assert keeps_off(cluster, other)
    cluster.run("scancel", guest)
    wait_cores(cluster, lender, 8)
    assert cluster.job(other).state == "PENDING"


def test_slurm_plans_for_who_did_not_ask_when_all_have_ended(cluster):
    """sched/backfill keeps no job for which the lent cores would do, but for the time limits."""
    lender = submit_long(cluster, "--time=30")
    guest = submit_short(cluster, "--time=10")
    cluster.wait_state(guest, "RUNNING")
    will_run = cluster.run("sbatch", "--test-only", "-n1", "-w", "n1", "--wrap=true").stderr
    ends = [cluster.job(job_id).fields["EndTime"] for job_id in (lender, guest)]
    assert re.search(r"to start at (\S+)", will_run)[1] >= max(ends), will_run


@pytest.mark.core
@pytest.mark.parametrize("lend, same, other", [
    ("user", [], ["--uid=daemon"]),
    ("account", ["--account=physics"], ["--account=chemistry"]),
    ("partition", ["-p", "whole"], ["-p", "also"]),
])
def test_cores_are_lent_to_company_only(cluster, lend, same, other):
    with vmall_conf(cluster, LendWholeNodes=lend):
        lender = submit_long(cluster, *same)
        stranger = submit_short(cluster, *other)
        assert keeps_off(cluster, stranger)
        assert cluster.job(lender).core_count == 8
        guest = submit_short(cluster, *same)
        assert cluster.wait_state(guest, "RUNNING").core_count == 4
        assert keeps_off(cluster, stranger, 2)
        for job_id in (lender, guest):
            cluster.run("scancel", job_id)
        assert cluster.wait_state(stranger, "RUNNING").core_count == 8


@pytest.fixture(name="booked")
def reservation_of_n1(cluster):
    cluster.run("scontrol", "create", "reservation", "reservationname=booked", "starttime=now", "duration=120", "user=root", "nodes=n1")
    yield "--reservation=booked"
    cluster.cancel_all()
    cluster.run("scontrol", "delete", "reservation", "booked")


def test_cores_of_a_reservation_are_lent_within_it(cluster, booked):
    lender = submit_long(cluster, booked, "--time=20")
    outside = submit_short(cluster, "--time=5")
    assert keeps_off(cluster, outside)
    assert cluster.job(lender).core_count == 8
    guest = submit_short(cluster, booked, "--time=5")
    assert cluster.wait_state(guest, "RUNNING").core_count == 4
    assert keeps_off(cluster, outside, 2)


def test_jobs_without_an_account_do_not_lend_where_accounts_do(cluster):
    with vmall_conf(cluster, LendWholeNodes="account"):
        lender = submit_long(cluster)
        assert cluster.job(lender).fields["Account"] == "(null)"
        assert keeps_off(cluster, submit_short(cluster))
        assert cluster.job(lender).core_count == 8


def test_job_whose_tasks_have_several_cores_holds_the_whole_node(cluster):
    """Whatever it asks for each task."""
    job_id = submit_long(cluster, "-N1", procs=2)
    guest = submit_short(cluster, procs=4)
    assert cluster.wait_state(guest, "RUNNING").core_count == 4
    wait_cores(cluster, job_id, 4)


def test_job_that_did_not_ask_still_takes_part_when_it_has_waited(cluster):
    with vmall_conf(cluster, TakePart="yes"):
        first = cluster.submit(FOREVER, "-n1", "--no-vm", *ON_N1)
        cluster.wait_state(first, "RUNNING")
        job_id = cluster.submit(FOREVER, "-n2", "--time=5", *ON_N1)
        wait_passes(cluster)
        cluster.run("scancel", first)
        cluster.wait_state(job_id, "RUNNING")
        assert job_id in cluster.vmctl_jobs()


def test_task_on_each_core_takes_part_where_a_core_has_two_threads(cluster):
    with vmall_conf(cluster, TakePart="yes"):
        job_id = cluster.submit(FOREVER, "-n8", "-p", "smt", "--time=5")
        assert cluster.wait_state(job_id, "RUNNING").cpus == 16
        assert job_id in cluster.vmctl_jobs()
        assert len(wait_tasks(cluster, job_id, 8)) == 8
        guest = submit_vm(cluster, "short", 8, "1:00", options=["-p", "smt"])
        assert keeps_off(cluster, guest)  # sleeping tasks are not served
        cluster.run("scancel", job_id)
        assert cluster.wait_state(guest, "RUNNING").cpus == 16
        wait_tasks(cluster, guest, 8)
        other = submit_vm(cluster, "short", 8, "0:05", options=["-p", "smt"])
        assert cluster.wait_state(other, "RUNNING").cpus == 8
        assert cluster.job(guest).cpus == 8


def test_job_takes_as_many_nodes_as_its_tasks_fill(cluster):
    job = cluster.wait_state(submit_vm(cluster, "long", 16), "RUNNING")
    assert {node: len(cores) for node, cores in job.cores.items()} == {"n1": 8, "n2": 8}


def test_requeued_job_asks_for_whole_nodes_again(cluster):
    lender, guest = fold(cluster)
    cluster.run("scancel", guest)
    cluster.run("scontrol", "requeue", lender)
    cluster.wait_until(lambda: cluster.job(lender).fields["Restarts"] == "1" and cluster.job(lender).state == "RUNNING",
                       "the second run")
    assert cluster.job(lender).core_count == 8


def test_job_has_a_node_to_itself_where_its_other_partition_does_not_lend(cluster):
    full = [cluster.submit(FOREVER, "-n1", "-p", "whole", "-w", node) for node in ("n1", "n2")]
    for other in full:
        cluster.wait_state(other, "RUNNING")
    job_id = submit_vm(cluster, "long", 4, options=["-p", "whole,mixed"])
    assert cluster.wait_state(job_id, "RUNNING").fields["NodeList"] == "mixed"
    assert job_id not in cluster.vmctl_jobs()
    beside = cluster.submit(FOREVER, "-n1", "-p", "shared")
    assert keeps_off(cluster, beside)


@pytest.mark.parametrize("partitions", ["whole,shared", "shared,whole"])
def test_job_starts_in_any_of_its_partitions_where_not_all_give_out_whole_nodes(cluster, partitions):
    blocker = cluster.submit(FOREVER, "-n8", "-p", "shared")
    cluster.wait_state(blocker, "RUNNING")
    in_whole = submit_vm(cluster, "long", 8, options=["-p", partitions])
    assert cluster.wait_state(in_whole, "RUNNING").fields["Partition"] == "whole"
    for node in ("n1", "n2"):
        if cluster.job(in_whole).fields["NodeList"] != node:
            cluster.wait_state(cluster.submit(FOREVER, "-n1", "-w", node), "RUNNING")
    cluster.run("scancel", blocker)
    in_shared = submit_vm(cluster, "long", 4, options=["-p", partitions])
    assert cluster.wait_state(in_shared, "RUNNING").fields["Partition"] == "shared"


@pytest.mark.core
def test_lent_cores_outlive_slurmctld(cluster):
    lender, guest = fold(cluster)
    wait_tasks(cluster, guest, 8)  # its srun needs slurmctld to start them
    other = cluster.submit(FOREVER, "-n1", *ON_N1)
    cluster.restart_slurmctld()
    assert [cluster.job(job_id).core_count for job_id in (lender, guest)] == [4, 4]
    assert keeps_off(cluster, other)
    cluster.run("scancel", guest)
    wait_cores(cluster, lender, 8)


def test_lender_grows_back_where_the_site_has_thought_better_of_it(cluster):
    lender, guest = fold(cluster)
    with vmall_conf(cluster, LendWholeNodes="no"):
        refused = submit_short(cluster)
        assert keeps_off(cluster, refused)
        cluster.run("scancel", guest)
        wait_cores(cluster, lender, 8)
        cluster.run("scancel", lender)
        assert cluster.wait_state(refused, "RUNNING").core_count == 8
        assert refused not in cluster.vmctl_jobs()


@pytest.mark.parametrize("options, reason", [
    (["-p", "whole", "-n3"], "its tasks do not fill whole nodes evenly"),
    (["-p", "uneven", "-n4", "-w", "odd"], "it takes whole nodes, and those of its partition differ"),
    (["-p", "mixed", "-n8"], "another partition lets jobs share its nodes"),
    (["-p", "shared", "-n8", "--exclusive"], "it takes whole nodes of a partition whose jobs share nodes (--exclusive)"),
    (["-p", "cards", "-n8"], "it takes whole nodes with all of their GRES"),
    (["-p", "somecards", "-n8"], "it takes whole nodes with all of their GRES"),
    pytest.param(["-p", "whole", "-n8", "--exclusive=user"], "its nodes are for one user only",
                 marks=pytest.mark.skipif(installed_release() < (24, 11), reason="Slurm takes it for --exclusive there")),
    (["-p", "whole,shared", "-n8"], "it takes whole nodes of a partition whose jobs share nodes (--exclusive)"),
])
def test_job_that_cannot_lend_is_scheduled_like_others_and_the_log_says_why(cluster, options, reason):
    job_id = cluster.submit(FOREVER, "--vm-class=long", *options)
    cluster.wait_state(job_id, "RUNNING")
    line = rf"JobId={job_id} asked for virtual malleability and is scheduled like the others: (.*)"
    assert re.findall(line, cluster.slurmctld.log.read_text()) == [reason]
    assert job_id not in cluster.vmctl_jobs()


def test_whole_node_comes_with_its_gres_though_nobody_asked_for_them(cluster):
    """Why nodes with GRES are not lent: no job there says that it can do without, and a guest would have to."""
    job_id = cluster.submit(FOREVER, "-p", "cards", "-n1")
    cluster.wait_state(job_id, "RUNNING")
    assert re.search(r"GresUsed=card:(?:\(null\):)?1", cluster.run("scontrol", "-d", "show", "node", "withcard").stdout)


def test_job_that_waits_for_lent_cores_says_so(cluster):
    fold(cluster)
    waiting = submit_vm(cluster, "long", 8, "30:00", options=ON_N1)
    wait_reason(cluster, waiting, "waits for")
