# SPDX-License-Identifier: GPL-2.0-or-later
"""Settings of slurm.conf that contradict virtual malleability, and those that work together with it."""

import re
from contextlib import ExitStack, contextmanager

import pytest
from scenario import WHOLE, Silenced, fold, log_of_refused_start, send_guest, stays, submit_vm, unfolded, wait_cores
from vmcluster import installed_release


CLUSTER = {
    "vmall_conf": WHOLE,
    "slurm_conf": {"PreemptType": "preempt/partition_prio", "PreemptMode": "REQUEUE",
                   "SchedulerParameters": "bf_max_job_user=50,bf_interval=5"},
}


@pytest.mark.core
@pytest.mark.parametrize("old, new, message", [
    ("PreemptMode=REQUEUE", "PreemptMode=SUSPEND,GANG", "PreemptMode=GANG,SUSPEND"),
    ("Default=YES", "Default=YES OverSubscribe=FORCE:4", "PartitionName=main OverSubscribe=FORCE:4"),
], ids=["gang", "force"])
def test_slurmctld_does_not_start_where_jobs_would_share_cores_and_says_what_to_change(cluster, old, new, message):
    assert re.search(f"error: sched/fjt: slurm.conf: {message}: .*; use ", log_of_refused_start(cluster, old, new))


def test_select_plugin_without_sched_fjt_is_reported(cluster):
    """The missing plugin only ends it soon."""
    log = log_of_refused_start(cluster, "SchedulerType=sched/fjt", "SchedulerType=sched/backfill\nJobSubmitPlugins=missing")
    assert "SchedulerType is not sched/fjt" in log


def test_select_plugin_that_is_installed_but_not_used_says_nothing(cluster):
    conf = cluster.conf.read_text()
    stock = conf.replace("select/cons_tres_vmall", "select/cons_tres").replace("sched/fjt", "sched/backfill")
    log = log_of_refused_start(cluster, conf, stock + "JobSubmitPlugins=missing\n")
    # Before 25.05 Slurm loads all select plugins, and ours, by each of its two names, another select/cons_tres.
    assert log.count("select/cons_tres loaded") == (3 if installed_release() < (25, 5) else 1)
    assert "vmall" not in log


def test_log_says_what_lacks_surveys(cluster):
    cluster.vmctl("set", "SurveyInterval=0", "TakePart=yes", "QueueDiscipline=equip++")
    cluster.wait_until(lambda: "warning: with SurveyInterval=0 in vmall.conf no job is folded that takes part by TakePart, and "
                       "QueueDiscipline=equip++ knows of no job how efficient it is" in cluster.slurmctld.log.read_text(), "a warning")
    cluster.vmctl("set", "SurveyInterval=60", "TakePart=none", "QueueDiscipline=least-work")


def test_log_names_partitions_and_users_of_vmall_conf_that_are_not_there(cluster):
    cluster.vmctl("set", "TakePart=partition/main:yes,partition/typo:yes,user/nobody.of.that.name:no", "ClassByPartition=min:short")
    cluster.wait_until(lambda: "warning: vmall.conf names what is not there: TakePart the partition typo, ClassByPartition the "
                       "partition min, TakePart the user nobody.of.that.name" in cluster.slurmctld.log.read_text(), "a warning")
    cluster.vmctl("set", "TakePart=none", "ClassByPartition=main:long")


@contextmanager
def slurm_conf(cluster, old, new):
    """For a while, slurm.conf has `new` instead of `old`."""
    text = cluster.conf.read_text()
    assert old in text
    cluster.conf.write_text(text.replace(old, new))
    cluster.reconfigure()
    try:
        yield
    finally:
        cluster.conf.write_text(text)
        cluster.reconfigure()


@contextmanager
def reconfigured(cluster):
    with slurm_conf(cluster, "PreemptMode=REQUEUE", "PreemptMode=SUSPEND,GANG"):
        yield


@contextmanager
def partition_updated(cluster):
    cluster.run("scontrol", "update", "PartitionName=main", "PreemptMode=SUSPEND")
    try:
        yield
    finally:
        cluster.run("scontrol", "update", "PartitionName=main", "PreemptMode=REQUEUE")


def complaints(cluster):
    return sum("until then no job is folded" in line for line in cluster.log_errors())


def wait_complaint(cluster, said):
    cluster.wait_until(lambda: complaints(cluster) > said, "slurmctld's log to say what is wrong")


WAYS = pytest.mark.parametrize("set_so", [
    pytest.param(reconfigured, marks=pytest.mark.skipif(installed_release() >= (23, 11),
                                                        reason="slurmctld starts anew: test_refused_reconfiguration.py")),
    partition_updated])


@pytest.mark.core
@WAYS
@pytest.mark.log_errors("slurm.conf: .*PreemptMode")
def test_where_jobs_would_share_cores_folding_stops_until_it_is_set_right(cluster, set_so):
    """Jobs that asked start as ordinary ones meanwhile, of the smallest of their sizes."""
    jobs = fold(cluster)
    waiting = submit_vm(cluster, "long", "4,2", "2:00:00", "exec sleep 600", ["--account=whole"])  # for whom nobody is folded
    cluster.wait_until(lambda: cluster.job(waiting).tasks == 2, "the job to request its smallest size")
    said = complaints(cluster)
    with set_so(cluster):
        wait_complaint(cluster, said)
        cluster.run("scancel", jobs.guest)
        assert cluster.wait_state(waiting, "RUNNING").core_count == 2
        assert stays(cluster, lambda: cluster.job(jobs.folded).core_count == 1)
        assert complaints(cluster) == said + 1
        assert f"Job {jobs.folded} is scheduled like the others: slurm.conf" in cluster.vmctl("why", jobs.folded).stdout
    cluster.run("scancel", waiting)
    wait_cores(cluster, jobs.folded, 4)


@WAYS
@pytest.mark.log_errors(r"slurm.conf: .*PreemptMode|n1|[Cc]onnect|[Cc]ommunication|[Tt]imed? ?out|agent")
def test_set_so_while_the_nodes_fold_a_job_it_keeps_its_cores_until_it_is_set_right(cluster, set_so):
    jobs = unfolded(cluster)
    cluster.wait_until(lambda: not cluster.vmctl_jobs()[jobs.folded]["resize_pending"], "the node to know its allotment")
    with ExitStack() as until_set_right:
        with Silenced(cluster, "n1", "hangs"):
            send_guest(cluster, jobs)
            cluster.wait_until(lambda: cluster.vmctl_jobs()[jobs.folded]["resize_pending"], "the node to be asked to fold it")
            said = complaints(cluster)
            until_set_right.enter_context(set_so(cluster))
            wait_complaint(cluster, said)
        cluster.wait_until(lambda: f"JobId={jobs.folded} is not virtually malleable any more; it keeps its cores"
                           in cluster.slurmctld.log.read_text(), "the fold to be given up")
        assert cluster.job(jobs.folded).core_count == 4
    wait_cores(cluster, jobs.folded, 1)
    cluster.wait_state(jobs.guest, "RUNNING")


@pytest.mark.core
def test_log_names_scheduler_parameters_that_virtually_malleable_jobs_are_not_held_to(cluster):
    assert re.search(r"sched/fjt: warning: .* SchedulerParameters=bf_max_job_user=50 of slurm.conf", cluster.slurmctld.log.read_text())
