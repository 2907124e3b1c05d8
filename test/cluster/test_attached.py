# SPDX-License-Identifier: GPL-2.0-or-later
"""Which ranks libvmrt serves: counted by the agent, told in slurmd's log and by vmctl; the others run all the same."""

import pytest
from scenario import LAUNCHES, fold, go_on, static_script, unfolded, wait_confined, wait_cores, wait_in_mpi
from vmcluster.programs import Kernel

CLUSTER = {"vmall_conf": {"FoldUnserved": "yes", "SurveyInterval": 1}}


def wait_attached(cluster, job_id, attached, tasks):
    """The job's row once it shows this."""
    def row():
        found = cluster.vmctl_jobs().get(job_id, {})
        ranks = found.get("ranks", {})
        return (ranks.get("attached"), ranks.get("tasks")) == (attached, tasks) and found
    return cluster.wait_until(row, f"{attached} of {tasks} tasks of job {job_id} to be attached")


def told_in_log(cluster, job_id):
    lines = (cluster.root / "log/slurmd-n1.log").read_text(errors="replace").splitlines()
    return [line for line in lines if f"job {job_id}: " in line and "not attached" in line]


@pytest.mark.parametrize("launcher", ["srun", "mpiexec.mpich"])
def test_static_program_is_told_and_runs(cluster, launcher):
    jobs = fold(cluster, static_script(cluster, launcher))
    wait_attached(cluster, jobs.folded, 0, 4)
    told = told_in_log(cluster, jobs.folded)
    assert len(told) == 1 and "4 of 4 tasks are not attached to libvmrt" in told[0]
    wait_confined(cluster, jobs.folded)
    (cluster.directory / f"done.{jobs.folded}").touch()
    assert cluster.wait_end(jobs.folded).state == "COMPLETED"
    assert cluster.output(jobs.folded).count("a static rank ends") == 4


@pytest.mark.core
@pytest.mark.parametrize("launcher, program", LAUNCHES)
def test_mpi_program_is_attached_and_its_work_is_measured(cluster, build, launcher, program):
    jobs = unfolded(cluster, Kernel(program, launcher, before="1000").script(build, 10**8))
    wait_in_mpi(cluster, jobs.folded, 4)
    go_on(cluster, jobs)
    folded = wait_attached(cluster, jobs.folded, 4, 4)
    assert told_in_log(cluster, jobs.folded) == []
    cluster.run("scancel", jobs.guest)
    wait_cores(cluster, jobs.folded, 4)
    cluster.wait_until(lambda: cluster.vmctl_jobs()[jobs.folded]["ranks"] != folded["ranks"], "newer numbers")
    grown = cluster.vmctl_jobs()[jobs.folded]["ranks"]
    assert grown["switches"] > 0 and grown["useful_ns"] > 0 and grown["waiting_ns"] > 0
    cluster.wait_until(lambda: "useful_percent" in cluster.vmctl_jobs()[jobs.folded], "a useful share")
    cluster.wait_until(lambda: " useful=" in cluster.run("scontrol", "show", "job", jobs.folded).stdout, "it to be noted")
    header, line = [line for line in cluster.vmctl("jobs").stdout.splitlines()
                    if "JOBID" in line or f"{jobs.folded} " in line]
    row = dict(zip(header.split(), line.split()))
    assert row["ENGINE"] == ("open-mpi" if program.endswith("openmpi") else "ucx")
    assert row["ATTACHED"] == "4/4" and row["USEFUL"].endswith("%")
