# SPDX-License-Identifier: GPL-2.0-or-later
"""Daemons that die, restart or are told to read their configuration again while jobs are folded."""

import pytest
from scenario import (FOREVER, PEER_GONE, fold, go_on, restarted_with, send_guest, stays, unfolded, vmall_conf, wait_confined,
                      wait_cores, wait_passes, wait_tasks)
from vmcluster import Cluster, ClusterError, Node, installed_release

CLUSTER = {"slurm_conf": {"DebugFlags": "NO_CONF_HASH"}}


@pytest.mark.core
@pytest.mark.log_errors(PEER_GONE)
@pytest.mark.parametrize("kill", [True, False], ids=["killed", "stopped"])
def test_slurmctld_restarts_while_a_job_is_folded(cluster, kill):
    jobs = fold(cluster)
    tasks = wait_tasks(cluster, jobs.folded, 4)
    before = cluster.job(jobs.folded).cores
    cluster.wait_saved()
    cluster.restart_slurmctld(kill=kill)
    assert cluster.job(jobs.folded).cores == before
    assert cluster.violations() == []
    wait_confined(cluster, jobs.folded)
    cluster.run("scancel", jobs.guest)
    wait_cores(cluster, jobs.folded, 4)
    wait_confined(cluster, jobs.folded)
    assert cluster.tasks(jobs.folded) == tasks


@pytest.mark.log_errors(PEER_GONE)
def test_slurmctld_that_restarts_folds_jobs_started_before(cluster):
    jobs = unfolded(cluster)
    cluster.wait_saved()
    cluster.restart_slurmctld(kill=True)
    go_on(cluster, jobs)
    wait_confined(cluster, jobs.folded)


@pytest.mark.core
@pytest.mark.log_errors(PEER_GONE)
@pytest.mark.parametrize("kill", [True, False], ids=["killed", "stopped"])
def test_slurmd_restarts_while_a_job_is_folded(cluster, kill):
    jobs = fold(cluster)
    tasks = wait_tasks(cluster, jobs.folded, 4)
    cluster.restart_slurmd("n1", kill=kill)
    wait_confined(cluster, jobs.folded)
    cluster.run("scancel", jobs.guest)
    wait_cores(cluster, jobs.folded, 4)
    wait_confined(cluster, jobs.folded)
    assert cluster.tasks(jobs.folded) == tasks


@pytest.mark.core
@pytest.mark.log_errors(PEER_GONE)
def test_folded_job_runs_on_under_stock_slurm_and_unfolds_when_we_are_back(cluster):
    jobs = fold(cluster, options=["--time=60"])
    tasks = wait_tasks(cluster, jobs.folded, 4)
    before = {job: cluster.job(job).cores for job in (jobs.guest, jobs.folded)}
    end = cluster.job(jobs.folded).fields["EndTime"]
    with restarted_with(cluster, lambda line: line.replace("select/cons_tres_vmall", "select/cons_tres")
                        .replace("sched/fjt", "sched/backfill")):
        cluster.restart_slurmd("n1")
        ordinary = cluster.submit(FOREVER, "-n3", "--time=10")
        cluster.wait_until(lambda: cluster.job(ordinary).reason == "Resources", "Slurm to find no room")
        assert {job: cluster.job(job).cores for job in before} == before
        assert cluster.violations() == []
        cluster.run("scancel", jobs.guest)
        wait_tasks(cluster, ordinary, cluster.wait_state(ordinary, "RUNNING").tasks)
        assert cluster.job(jobs.folded).cores == before[jobs.folded]
        assert cluster.job(jobs.folded).fields["EndTime"] == end
        assert cluster.violations() == []
        wait_confined(cluster, jobs.folded)
    cluster.restart_slurmd("n1")
    assert cluster.job(jobs.folded).cores == before[jobs.folded]
    wait_passes(cluster)
    assert cluster.job(jobs.folded).fields["EndTime"] == end
    cluster.run("scancel", ordinary)
    wait_cores(cluster, jobs.folded, 4)
    assert cluster.job(jobs.folded).fields["EndTime"] < end
    wait_confined(cluster, jobs.folded)
    assert cluster.tasks(jobs.folded) == tasks


def test_reconfigure_leaves_a_folded_job_alone(cluster):
    jobs = fold(cluster)
    before = cluster.job(jobs.folded).cores
    cluster.reconfigure()
    assert stays(cluster, lambda: cluster.job(jobs.folded).cores == before)
    assert cluster.violations() == []
    cluster.run("scancel", jobs.guest)
    wait_cores(cluster, jobs.folded, 4)
    wait_confined(cluster, jobs.folded)


def test_reconfigure_reads_vmall_conf_anew(cluster):
    with vmall_conf(cluster, MaxMpl=1):
        jobs = unfolded(cluster)
        send_guest(cluster, jobs)
        assert stays(cluster, lambda: cluster.job(jobs.folded).core_count == 4)
        assert cluster.job(jobs.guest).state == "PENDING"
    wait_cores(cluster, jobs.folded, 1)


@pytest.mark.core
@pytest.mark.skipif(installed_release() >= (23, 11), reason="slurmctld starts anew: test_refused_reconfiguration.py")
@pytest.mark.log_errors(r"vmall\.conf")
def test_bad_vmall_conf_on_reconfigure_keeps_the_old_settings_and_says_so(cluster):
    good = cluster.vmall_conf.read_text()
    line = len(good.splitlines()) + 1
    cluster.vmall_conf.write_text(good + "WindowMpl=9\n")
    try:
        cluster.run("scontrol", "reconfigure")
        cluster.wait_until(lambda: f"vmall.conf:{line}: WindowMpl" in cluster.slurmctld.log.read_text(),
                           "the file, line and key in slurmctld's log")
        jobs = fold(cluster)
        wait_confined(cluster, jobs.folded)
    finally:
        cluster.write_vmall_conf()
        cluster.reconfigure()


@pytest.mark.core
def test_slurmctld_does_not_start_with_a_bad_vmall_conf_and_says_why(build):
    refused = Cluster(build, nodes=[Node("b1")], vmall_conf={"WindowMpl": 9})
    with pytest.raises(ClusterError, match=r"(?s)slurmctld .*vmall\.conf:\d+: WindowMpl"):
        with refused:
            pass
    assert not refused.processes()
    assert not refused.root.exists()
