# SPDX-License-Identifier: GPL-2.0-or-later
"""Jobs none of whose tasks libvmrt can serve, where vmall.conf does not say otherwise: they are not folded."""

import pytest
from scenario import send_guest, static_script, unfolded, wait_tasks


@pytest.mark.parametrize("launcher", [pytest.param("srun", marks=pytest.mark.core), "mpiexec.mpich"])
def test_job_of_a_static_program_keeps_its_cores_and_is_scheduled_like_the_others(cluster, launcher):
    jobs = unfolded(cluster, static_script(cluster, launcher))
    send_guest(cluster, jobs)
    why = f"JobId={jobs.folded} cannot be folded (its tasks are linked statically, so libvmrt serves none (FoldUnserved))"
    log = cluster.root / "log/slurmctld.log"
    cluster.wait_until(lambda: why in log.read_text(errors="replace"), "the controller to give the job up")
    cluster.wait_until(lambda: jobs.folded not in cluster.vmctl_jobs(), "the job to be one like the others")
    assert cluster.job(jobs.folded).core_count == 4
    assert cluster.job(jobs.guest).state == "PENDING"
    (cluster.directory / f"done.{jobs.folded}").touch()
    assert cluster.wait_end(jobs.folded).state == "COMPLETED"
    wait_tasks(cluster, jobs.guest, cluster.wait_state(jobs.guest, "RUNNING").tasks)
