# SPDX-License-Identifier: GPL-2.0-or-later
"""Since Slurm 23.11 `scontrol reconfigure` starts slurmctld anew. With a configuration that it does not start with, one in the
background goes on as before and one in the foreground ends, by Slurm's design; jobs keep their cores."""

import os
import re
import signal
from contextlib import contextmanager

import pytest
from scenario import PEER_GONE, fold, submit_het, wait_confined, wait_cores
from vmcluster import installed_release, slurm_daemon

CLUSTER = {"slurm_conf": {"PreemptType": "preempt/partition_prio", "PreemptMode": "REQUEUE"}}

pytestmark = [
    pytest.mark.skipif(installed_release() < (23, 11),
                       reason="slurmctld does not start anew for it: test_admin_settings.py and test_restart.py"),
    # The association manager's is Slurm's own, of a slurmctld that resumes without slurmdbd.
    pytest.mark.log_errors(rf"_refresh_assoc_mgr_qos_list|slurm\.conf|vmall\.conf|[Ff]ailed to initialize|sched|{PEER_GONE}"),
]


@contextmanager
def changed(cluster, file, old, new):
    """For a while, the file has `new` instead of `old`."""
    path = cluster.root / file
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))
    try:
        yield
    finally:
        path.write_text(text)


@contextmanager
def in_background(cluster):
    """slurmctld as distributions start it."""
    cluster.slurmctld.stop()
    cluster.run(slurm_daemon("slurmctld"))
    cluster.wait_ready()
    try:
        yield
    finally:
        pid = int((cluster.root / "slurmctld.pid").read_text())
        os.kill(pid, signal.SIGTERM)
        cluster.wait_until(lambda: pid not in cluster.processes(), "slurmctld to end")
        cluster.slurmctld.start()
        cluster.wait_ready()


REFUSED = pytest.mark.parametrize("file, old, new, reason", [
    ("slurm.conf", "PreemptMode=REQUEUE", "PreemptMode=SUSPEND,GANG", "slurm.conf: PreemptMode=GANG,SUSPEND: .*; use "),
    ("vmall.conf", "ScheduleInterval=1", "ScheduleInterval=never", r"vmall\.conf:\d+: ScheduleInterval"),
], ids=["gang", "vmall.conf"])


@REFUSED
def test_slurmctld_in_the_background_goes_on_as_before(cluster, file, old, new, reason):
    with in_background(cluster):
        jobs = fold(cluster)
        before = cluster.job(jobs.folded).cores
        log = cluster.slurmctld.log
        said = len(log.read_text())
        with changed(cluster, file, old, new):
            assert cluster.run("scontrol", "reconfigure", check=False).returncode != 0
            assert "Resuming operation, reconfigure failed" in log.read_text()[said:]
            assert re.search(f"error: .*{reason}", log.read_text()[said:])
            cluster.wait_ready()
            assert cluster.job(jobs.folded).cores == before
            cluster.run("scancel", jobs.guest)
            wait_cores(cluster, jobs.folded, 4)
            wait_confined(cluster, jobs.folded)
            leader, _ = submit_het(cluster, ["-n1"], ["-n1"])
            cluster.run("scancel", leader)
        cluster.reconfigure()
        assert cluster.job(jobs.folded).core_count == 4


@REFUSED
def test_slurmctld_in_the_foreground_ends_and_jobs_keep_their_cores(cluster, file, old, new, reason):
    jobs = fold(cluster)
    before = cluster.job(jobs.folded).cores
    said = len(cluster.slurmctld.log.read_text())
    with changed(cluster, file, old, new):
        cluster.run("scontrol", "reconfigure")
        assert cluster.slurmctld.wait_end() != 0
    assert re.search(f"error: .*{reason}", cluster.slurmctld.log.read_text()[said:])
    cluster.slurmctld.start()
    cluster.wait_ready()
    assert cluster.job(jobs.folded).cores == before
    cluster.run("scancel", jobs.guest)
    wait_cores(cluster, jobs.folded, 4)
    wait_confined(cluster, jobs.folded)
