# SPDX-License-Identifier: GPL-2.0-or-later
"""Jobs of ordinary users, and what an ordinary user may not do."""

import pwd
import subprocess
from contextlib import contextmanager, suppress

import pytest
from scenario import FOREVER, Story, fold, go_on, submit_vm, wait_confined, wait_cores, wait_tasks
from vmcluster.waiting import LIMIT

USER = "daemon"  # not nobody: Slurm 26.05 takes no jobs of that user


@pytest.mark.core
def test_an_ordinary_users_job_folds_and_unfolds(cluster):
    jobs = fold(cluster, options=[f"--uid={USER}"])
    assert cluster.job(jobs.folded).fields["UserId"].startswith(USER + "(")
    tasks = wait_tasks(cluster, jobs.folded, 4)
    wait_confined(cluster, jobs.folded)
    cluster.run("scancel", jobs.guest)
    wait_cores(cluster, jobs.folded, 4)
    wait_confined(cluster, jobs.folded)
    assert cluster.tasks(jobs.folded) == tasks


@pytest.mark.core
def test_a_user_cannot_write_the_control_block(cluster):
    jobs = fold(cluster, options=[f"--uid={USER}"])
    control = cluster.root / "run" / "n1" / str(jobs.folded) / "control"
    uid = pwd.getpwnam(USER).pw_uid
    done = cluster.run("setpriv", f"--reuid={uid}", "--clear-groups", "sh", "-c", f"echo x >>{control}", check=False)
    assert done.returncode != 0
    assert control.stat().st_uid == 0 and control.stat().st_mode & 0o022 == 0
    for directory in (control.parent, control.parent.parent):
        assert directory.stat().st_uid == 0 and directory.stat().st_mode & 0o002 == 0


@contextmanager
def little_room(cluster, node):
    """RuntimeDir as on a /run with little room left."""
    directory = cluster.root / "run" / node
    cluster.slurmd[node].stop()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1m,mode=755", "tmpfs", directory], check=False, timeout=LIMIT)
    try:
        cluster.slurmd[node].start()
        cluster.wait_ready()
        if mounted.returncode != 0:
            pytest.skip("this machine does not let us mount a file system")
        yield directory
    finally:
        cluster.cancel_all()
        cluster.slurmd[node].stop()
        if mounted.returncode == 0:
            cluster.run("umount", directory)
        cluster.slurmd[node].start()
        cluster.wait_ready()


def test_a_slurmd_that_comes_back_to_a_full_spool_directory_has_an_agent(cluster):
    spool = cluster.root / "spool/n1"
    cluster.slurmd["n1"].stop()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1m,mode=755", "tmpfs", spool], check=False, timeout=LIMIT)
    if mounted.returncode != 0:
        cluster.slurmd["n1"].start()
        pytest.skip("this machine does not let us mount a file system")
    try:
        cluster.slurmd["n1"].start()
        cluster.wait_ready()
        cluster.slurmd["n1"].stop()
        with suppress(OSError), open(spool / "filler", "wb", buffering=0) as filler:
            while True:
                filler.write(bytes(1 << 12))
        cluster.slurmd["n1"].start()
        cluster.wait_ready()
        (spool / "filler").unlink()
        wait_confined(cluster, fold(cluster).folded)
    finally:
        cluster.cancel_all()
        cluster.slurmd["n1"].stop()
        cluster.run("umount", spool)
        cluster.slurmd["n1"].start()
        cluster.wait_ready()


@pytest.mark.core
def test_a_user_who_writes_what_he_can_stops_nobody_elses_folds(cluster):
    with little_room(cluster, "n1") as directory:
        other = cluster.submit(FOREVER, "-n3")
        wait_tasks(cluster, other, cluster.wait_state(other, "RUNNING").tasks)
        writer = submit_vm(cluster, "long", 1, "10:00", f"""
find {directory} -type f -writable -exec dd if=/dev/zero of={{}} bs=64k oflag=append conv=notrunc ';'
touch filled
sleep 600
""", [f"--uid={USER}"])
        cluster.wait_until((cluster.directory / "filled").exists, "a user to have written all he can")
        folded = submit_vm(cluster, "long", 4)
        cluster.wait_state(folded, "RUNNING")
        go_on(cluster, Story(other, folded))
        wait_confined(cluster, folded)
        assert cluster.job(writer).state == "RUNNING"
