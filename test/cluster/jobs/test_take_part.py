# SPDX-License-Identifier: GPL-2.0-or-later
"""Jobs that gave none of our options, where TakePart says that they take part: they are folded while libvmrt serves all of
their ranks, and never else."""

import json
import re
import shutil
import subprocess
from contextlib import contextmanager
from pathlib import Path

import pytest
from scenario import (FOREVER, allocated, fold, static_script, stays, submit_vm, vmall_conf, wait_cores, wait_in_mpi, wait_passes,
                      wait_tasks)
from vmcluster.build import slurm_daemon, slurm_library, slurm_prefix
from vmcluster.programs import Kernel
from vmcluster.release import installed_release
from vmcluster.waiting import LIMIT

USER = "daemon"

CLUSTER = {
    "partitions": {"main": "Nodes=ALL Default=YES", "shared": "Nodes=ALL TRESBillingWeights=CPU=0.5 PriorityJobFactor=2"},
    "vmall_conf": {"TakePart": f"none,partition/shared:yes,account/y:no,user/{USER}:no", "SurveyInterval": 1},
}

SHARED = ["-p", "shared", "--time=5"]
NAPS = Kernel("naps", shutil.which("srun"), before="10000")  # ranks that compute little; jobs without PATH have it, too
# By release: the API's version, the environment of a job as it takes it, and the plugin that has it.
SLURMRESTD = {
    (22, 5): ("v0.0.38", {"PATH": "/usr/bin:/bin"}, "openapi/v0.0.38"),
    (24, 11): ("v0.0.42", ["PATH=/usr/bin:/bin"], "openapi/slurmctld"),
    (25, 11): ("v0.0.44", ["PATH=/usr/bin:/bin"], "openapi/slurmctld"),
}
STEPS = 10**8  # more than there is time for


def naps(build):
    return NAPS.script(build, STEPS)


def half(cluster):
    """A job that never takes part, and leaves room for one of four tasks."""
    other = cluster.submit(FOREVER, "-n4")
    wait_tasks(cluster, other, cluster.wait_state(other, "RUNNING").tasks)


def guest_of(cluster, job_id):
    """A job for which there is only room if this one, which runs, is folded."""
    cluster.wait_state(job_id, "RUNNING")
    return submit_vm(cluster, "short", 3, "1:00")


def takes_part(cluster, job_id):
    return job_id in cluster.vmctl_jobs()


@contextmanager
def by_sbatch(cluster, build):
    yield cluster.submit(naps(build), "-n4", *SHARED)


@contextmanager
def without_environment(cluster, build):
    yield cluster.submit(naps(build), "-n4", "--export=NONE", *SHARED)


@contextmanager
def by_salloc(cluster, build):
    with allocated(cluster, "-n4", *SHARED, *naps(build).split()) as (job_id, _):
        yield job_id


@contextmanager
def by_srun(cluster, build):
    with allocated(cluster, "-n4", *SHARED, *naps(build).split()[1:], command="srun") as (job_id, _):
        yield job_id


@contextmanager
def by_api(cluster, build):
    """As slurmrestd and others do whom SPANK's options do not pass."""
    program = cluster.directory / "submit"
    subprocess.run(["gcc", f"-I{slurm_prefix()}/include", "-o", program, Path(__file__).with_name("submit.c"), slurm_library(),
                    f"-Wl,-rpath,{slurm_library().parent}"], check=True, timeout=LIMIT)
    script = cluster.directory / "submitted"
    script.write_text(f"#!/bin/bash\n{naps(build)}\n")
    yield int(cluster.run(program, "shared", 4, script).stdout)


@contextmanager
def by_slurmrestd(cluster, build):
    """As inetd runs it: the request comes by its standard input, from whose owner it is."""
    slurmrestd = Path(slurm_daemon("slurmctld")).with_name("slurmrestd")
    if not slurmrestd.exists():
        pytest.skip("this Slurm was built without slurmrestd")
    version, environment, plugin = SLURMRESTD[installed_release()]
    job = {"partition": "shared", "tasks": 4, "time_limit": 5, "current_working_directory": str(cluster.directory),
           "standard_output": "/dev/null", "environment": environment}
    body = json.dumps({"script": f"#!/bin/bash\n{naps(build)}\n", "job": job})
    request = (f"POST /slurm/{version}/job/submit HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
               f"Content-Length: {len(body)}\r\nConnection: close\r\n\r\n{body}")
    answer = subprocess.run([slurmrestd, "-a", "rest_auth/local", "-s", plugin], input=request, text=True,
                            env={**cluster.environment, "SLURMRESTD_SECURITY": "disable_user_check"}, capture_output=True,
                            check=False, timeout=LIMIT)
    submitted = re.search(r'"job_id":\s*(\d+)', answer.stdout)
    assert submitted, answer
    yield int(submitted[1])


@pytest.mark.core
@pytest.mark.parametrize("submitted", [by_sbatch, without_environment, by_salloc, by_srun, by_api, by_slurmrestd])
def test_job_without_an_option_is_folded_once_its_ranks_are_served(cluster, build, submitted):
    half(cluster)
    with submitted(cluster, build) as job_id:
        guest = guest_of(cluster, job_id)
        assert takes_part(cluster, job_id)
        wait_in_mpi(cluster, job_id, 4)
        wait_cores(cluster, job_id, 1)
        assert cluster.wait_state(guest, "RUNNING").core_count == 3
        cluster.run("scancel", guest)
        wait_cores(cluster, job_id, 4)


def no_ranks(cluster, build):
    del cluster, build
    return "exec sleep 600"


def not_mpi(cluster, build):
    del cluster, build
    return FOREVER


def linked_statically(cluster, build):
    del build
    return static_script(cluster, "srun")


def beside_served_ranks(cluster, build):
    del cluster
    return f"srun --overlap -n2 sleep 600 &\n{naps(build).replace('srun', 'srun --overlap -n2')}"


@pytest.mark.core
@pytest.mark.parametrize("program", [no_ranks, not_mpi, linked_statically, beside_served_ranks])
def test_program_that_libvmrt_does_not_serve_keeps_its_cores(cluster, build, program):
    half(cluster)
    job_id = cluster.submit(program(cluster, build), "-n4", *SHARED)
    guest = guest_of(cluster, job_id)
    assert stays(cluster, lambda: cluster.job(job_id).core_count == 4 and takes_part(cluster, job_id), passes=6)
    assert cluster.job(guest).state == "PENDING"


def test_steps_wait_for_cores_of_their_own_until_the_job_is_folded(cluster, build):
    """Of a script that starts more of them than there is room for, as many run as without us."""
    step = "srun --exact -n1 -c1 --mem=0 sh -c 'touch farm.$SLURM_STEP_ID; exec sleep 600'"
    job_id = cluster.submit(f"printenv >environment\nfor i in 1 2 3 4 5 6; do\n{step} &\ndone\nwait", "-n4", *SHARED)
    cluster.wait_until(lambda: len(list(cluster.directory.glob("farm.*"))) == 4, "four steps to run")
    assert takes_part(cluster, job_id)
    assert stays(cluster, lambda: len(list(cluster.directory.glob("farm.*"))) == 4)
    assert "OVERCOMMIT" not in (cluster.directory / "environment").read_text()


def test_step_with_more_tasks_than_cores_starts_in_a_folded_job_and_the_job_grows_if_it_is_not_served(cluster, build):
    second = "srun --overlap -n4 sh -c 'touch second.$SLURM_PROCID; exec sleep 600'"
    ranks = naps(build).replace("srun", "srun --overlap")
    half(cluster)
    job_id = cluster.submit(f"{ranks} &\nwhile [ ! -e go ]; do sleep 0.1; done\n{second}", "-n4", *SHARED)
    guest = guest_of(cluster, job_id)
    wait_cores(cluster, job_id, 1)
    (cluster.directory / "go").touch()
    cluster.wait_until(lambda: len(list(cluster.directory.glob("second.*"))) == 4, "four more tasks")
    assert cluster.job(job_id).core_count == 1
    cluster.run("scancel", guest)
    wait_cores(cluster, job_id, 4)


@pytest.mark.core
def test_site_and_user_say_who_does_not_take_part(cluster):
    options = [["--no-vm"], ["-p", "main"], ["-A", "y"], [f"--uid={USER}"], ["--overcommit"]]
    others = [cluster.submit(FOREVER, "-n1", *SHARED, *option) for option in options]
    ours = cluster.submit(FOREVER, "-n1", *SHARED, "-A", "z")
    cluster.wait_state(ours, "RUNNING")
    assert takes_part(cluster, ours)
    for job_id in others:
        cluster.wait_state(job_id, "RUNNING")
        assert not takes_part(cluster, job_id)
    others.append(cluster.submit(FOREVER, "-n1", *SHARED, "--exclusive"))
    cluster.run("scancel", ours, *others[:-1])
    cluster.wait_state(others[-1], "RUNNING")
    assert not takes_part(cluster, others[-1])


def test_partition_charges_less_for_jobs_that_take_part(cluster):
    job_id = cluster.submit(FOREVER, "-n4", *SHARED)
    cluster.wait_state(job_id, "RUNNING")
    assert takes_part(cluster, job_id)
    assert "billing=2" in cluster.run("scontrol", "show", "job", job_id).stdout


def test_elements_of_an_array_take_part(cluster):
    array = cluster.submit(FOREVER, "-n4", "--array=0-2", *SHARED)

    def running():
        """Ids of their own that elements have when they run."""
        return {job.id for job in cluster.jobs().values()
                if job.fields.get("ArrayJobId") == str(array) and job.state == "RUNNING"}

    first = cluster.wait_until(lambda: len(ids := running()) == 2 and ids, "two elements to run")
    for element in first:
        assert takes_part(cluster, element)
        wait_tasks(cluster, element, 4)
    cluster.run("scancel", f"{array}_0")
    last = cluster.wait_until(lambda: running() - first, "the last element to run").pop()
    assert takes_part(cluster, last)


def test_elements_of_an_array_are_told_the_same(cluster):
    told = [cluster.directory / f"told.{element}" for element in range(3)]
    cluster.submit(f"echo ${{SLURM_NTASKS-nothing}} >{cluster.directory}/told.$SLURM_ARRAY_TASK_ID", "-N1", "--array=0-2", *SHARED)
    cluster.wait_until(lambda: all(file.exists() and file.read_text() for file in told), "three elements to be told")
    assert len({file.read_text() for file in told}) == 1


def test_job_that_asked_is_folded_whatever_it_runs(cluster):
    fold(cluster, where=SHARED, other=("-n4", "--no-vm"))


def test_without_surveys_nobody_is_folded_who_has_not_asked(cluster, build):
    with vmall_conf(cluster, SurveyInterval=0):
        half(cluster)
        job_id = cluster.submit(naps(build), "-n4", *SHARED)
        wait_in_mpi(cluster, job_id, 4)
        guest = guest_of(cluster, job_id)
        assert stays(cluster, lambda: cluster.job(job_id).core_count == 4)
        assert cluster.job(guest).state == "PENDING"
    wait_cores(cluster, job_id, 1)


def test_what_was_decided_at_the_start_holds_until_the_end_of_that_run(cluster):
    says = "echo ${SLURM_RESTART_COUNT:-0} ${SLURM_SPANK_VMALL_TAKES_PART:-no} >>told"
    job_id = cluster.submit(f"{says}\n{FOREVER}", "-n4", "--requeue", *SHARED)
    wait_tasks(cluster, job_id, 4)
    with vmall_conf(cluster, TakePart="none"):
        cluster.wait_saved()
        cluster.restart_slurmctld(kill=True)
        wait_passes(cluster)
        assert takes_part(cluster, job_id)
        submit_vm(cluster, "short", 1)  # beside which sched/fjt starts the others, too, and soon
        cluster.run("scontrol", "requeue", job_id)
        told = cluster.directory / "told"
        cluster.wait_until(lambda: told.read_text().splitlines() == ["0 1", "1 no"], "the job to run again")
        assert not takes_part(cluster, job_id)
