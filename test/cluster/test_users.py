# SPDX-License-Identifier: GPL-2.0-or-later
"""Jobs of ordinary users, and what an ordinary user may not do."""

import pwd

from scenario import fold, wait_confined, wait_cores, wait_tasks

USER = "daemon"  # not nobody: Slurm 26.05 takes no jobs of that user


def test_an_ordinary_users_job_folds_and_unfolds(cluster):
    jobs = fold(cluster, options=[f"--uid={USER}"])
    assert cluster.job(jobs.backfilled).fields["UserId"].startswith(USER + "(")
    tasks = wait_tasks(cluster, jobs.backfilled, 4)
    wait_confined(cluster, jobs.backfilled)
    cluster.run("scancel", jobs.head)
    wait_cores(cluster, jobs.backfilled, 4)
    wait_confined(cluster, jobs.backfilled)
    assert cluster.tasks(jobs.backfilled) == tasks


def test_a_user_cannot_write_the_control_block(cluster):
    jobs = fold(cluster, options=[f"--uid={USER}"])
    control = cluster.root / "run" / "n1" / str(jobs.backfilled) / "control"
    uid = pwd.getpwnam(USER).pw_uid
    done = cluster.run("setpriv", f"--reuid={uid}", "--clear-groups", "sh", "-c", f"echo x >>{control}", check=False)
    assert done.returncode != 0
    assert control.stat().st_uid == 0 and control.stat().st_mode & 0o022 == 0
    for directory in (control.parent, control.parent.parent):
        assert directory.stat().st_uid == 0 and directory.stat().st_mode & 0o002 == 0
