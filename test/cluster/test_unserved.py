# SPDX-License-Identifier: GPL-2.0-or-later
"""Jobs none of whose tasks libvmrt can serve, where vmall.conf does not say otherwise: they are not folded."""

import pytest
from scenario import backfill, end_first, static_script, wait_tasks


@pytest.mark.parametrize("launcher", [pytest.param("srun", marks=pytest.mark.core), "mpiexec.mpich"])
def test_job_of_a_static_program_keeps_its_cores_and_is_scheduled_like_the_others(cluster, launcher):
    jobs = backfill(cluster, static_script(cluster, launcher))
    end_first(cluster, jobs)
    why = f"JobId={jobs.backfilled} cannot be folded (its tasks are linked statically, so libvmrt serves none (FoldUnserved))"
    log = cluster.root / "log/slurmctld.log"
    cluster.wait_until(lambda: why in log.read_text(errors="replace"), "the controller to give the job up")
    cluster.wait_until(lambda: jobs.backfilled not in cluster.vmctl_jobs(), "the job to be one like the others")
    assert cluster.job(jobs.backfilled).core_count == 4
    assert cluster.job(jobs.head).state == "PENDING"
    (cluster.directory / f"done.{jobs.backfilled}").touch()
    assert cluster.wait_end(jobs.backfilled).state == "COMPLETED"
    wait_tasks(cluster, jobs.head, cluster.wait_state(jobs.head, "RUNNING").tasks)
