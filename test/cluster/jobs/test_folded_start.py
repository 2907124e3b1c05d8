# SPDX-License-Identifier: GPL-2.0-or-later
"""Jobs that start with fewer cores than processes."""

import re

import pytest
from scenario import (FOREVER, LAUNCHES, allocated, stays, submit_vm, vm_options, vmall_conf, wait_confined, wait_cores,
                      wait_in_mpi, wait_tasks)
from vmcluster.conf import PAPERS_POLICY
from vmcluster.programs import Kernel


def test_long_job_starts_folded_and_unfolds_when_cores_are_free(cluster):
    other = cluster.submit(FOREVER, "-n6")
    cluster.wait_state(other, "RUNNING")
    job_id = submit_vm(cluster, "long", 8)
    job = cluster.wait_state(job_id, "RUNNING")
    assert (job.core_count, job.tasks) == (2, 8)
    tasks = wait_tasks(cluster, job_id, 8)
    wait_confined(cluster, job_id)
    cluster.run("scancel", other)
    wait_cores(cluster, job_id, 8)
    wait_confined(cluster, job_id)
    assert cluster.tasks(job_id) == tasks


@pytest.mark.core
@pytest.mark.parametrize("launcher, program", LAUNCHES)
def test_every_launcher_starts_all_ranks_folded_and_each_is_served(cluster, build, launcher, program):
    other = cluster.submit(FOREVER, "-n6")
    cluster.wait_state(other, "RUNNING")
    job_id = submit_vm(cluster, "long", 8, script=Kernel(program, launcher, before="1000").script(build, 10**8))
    assert cluster.wait_state(job_id, "RUNNING").core_count == 2
    wait_in_mpi(cluster, job_id, 8)
    wait_confined(cluster, job_id)


# As launchers do that start a rank for each CPU.
@pytest.mark.core
def test_script_is_told_the_cpus_that_the_job_asked_for(cluster):
    other = cluster.submit(FOREVER, "-n6")
    cluster.wait_state(other, "RUNNING")
    script = f"""
echo told $SLURM_NTASKS $SLURM_CPUS_ON_NODE $SLURM_JOB_CPUS_PER_NODE
mpiexec.mpich -n $SLURM_CPUS_ON_NODE echo rank
srun -n1 --overlap sh -c 'echo step $SLURM_JOB_CPUS_PER_NODE $SLURM_CPUS_ON_NODE; mpiexec.mpich -n $SLURM_CPUS_ON_NODE echo inner rank'
srun -n1 --exact sh -c 'echo exact $SLURM_CPUS_ON_NODE'
grep cores= $VMALL_ALLOTMENT
{FOREVER}
"""
    job_id = submit_vm(cluster, "long", 8, script=script)
    assert cluster.wait_state(job_id, "RUNNING").core_count == 2
    wait_tasks(cluster, job_id, 8)
    output = cluster.output(job_id)
    assert "told 8 8 8\n" in output and "step 8 8\n" in output and "exact 1\n" in output and "cores=2\n" in output, output
    assert len(re.findall("^rank$", output, re.M)) == output.count("inner rank\n") == 8, output


@pytest.mark.core
def test_job_of_an_srun_alone_starts_unfolded_and_is_folded_later(cluster):
    """Slurm would refuse its step, for which srun wants as many CPUs as it has tasks."""
    other = cluster.submit(FOREVER, "-n6")
    cluster.wait_state(other, "RUNNING")
    with allocated(cluster, *vm_options("long", 4), "-n4", "sleep", 600, command="srun") as (job_id, _):
        assert stays(cluster, lambda: cluster.job(job_id).state == "PENDING")
        cluster.run("scancel", other)
        assert cluster.wait_state(job_id, "RUNNING").core_count == 4
        wait_tasks(cluster, job_id, 4)
        cluster.wait_state(cluster.submit(FOREVER, "-n4"), "RUNNING")
        guest = submit_vm(cluster, "short", 3, "1:00")
        wait_cores(cluster, job_id, 1)
        cluster.wait_state(guest, "RUNNING")
        wait_confined(cluster, job_id)


def test_job_folded_deeper_than_the_maximum_waits(cluster):
    other = cluster.submit(FOREVER, "-n7")
    cluster.wait_state(other, "RUNNING")
    job_id = submit_vm(cluster, "long", 8)
    assert stays(cluster, lambda: cluster.job(job_id).state == "PENDING")


def test_short_job_is_not_started_folded_by_the_papers_policy(cluster):
    with vmall_conf(cluster, **{**PAPERS_POLICY, "MaxMpl": 4}):
        other = cluster.submit(FOREVER, "-n6")
        cluster.wait_state(other, "RUNNING")
        job_id = submit_vm(cluster, "short", 8)
        assert stays(cluster, lambda: cluster.job(job_id).state == "PENDING")
