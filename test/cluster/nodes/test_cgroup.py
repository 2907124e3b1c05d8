# SPDX-License-Identifier: GPL-2.0-or-later
"""However Slurm keeps tasks on their cores, a job that folds leaves its cores, and gets them back: by cpusets of cgroup v1
and v2, as at most sites, or by affinity where there are no cpusets."""

import json
import os
import re

import pytest
from scenario import CONFINED_LOG, CONFINED_NODE as NODE, real_cpus, submit_vm, wait_confined, wait_cores, wait_in_mpi, wait_tasks
from vmcluster.confinement import CONFINEMENTS
from vmcluster.processes import thread_cpus

pytestmark = pytest.mark.log_errors(CONFINED_LOG)

SECOND_STEP = """
srun sleep 600 &
until [ -e next ]; do sleep 0.2; done
srun --overlap bash -c 'echo rank $SLURM_PROCID'
echo second step: $?
wait
"""


@pytest.fixture(scope="module")
def cluster(confined):
    return confined


# Of a step that does as workflow managers do, while others fold the job.
NESTED = """
srun -n1 --overlap bash -c '
echo bound by "$SLURM_CPU_BIND$SLURM_CPU_BIND_LIST$SLURM_CPU_BIND_TYPE$SLURM_CPU_BIND_VERBOSE"
for when in folded unfolded; do
    until [ -e $when.$SLURM_JOB_ID ]; do sleep 0.2; done
    srun -n2 --overlap echo inner task; echo srun while $when: $?
    timeout 60 mpiexec.mpich -n 2 echo inner rank; echo mpiexec while $when: $?
done'
"""


def start(cluster, script):
    """A long job of two tasks on two cores, once they run."""
    job_id = submit_vm(cluster, "long", 2, script=script)
    return job_id, wait_tasks(cluster, job_id, 2)


def fold(cluster, job_id):
    """A short job comes for one of the two cores; its id."""
    short = submit_vm(cluster, "short", 1)
    wait_tasks(cluster, short, 1)
    wait_cores(cluster, job_id, 1)
    wait_confined(cluster, job_id)
    return short


def unfold(cluster, job_id, short):
    cluster.run("scancel", short)
    wait_cores(cluster, job_id, 2)
    wait_confined(cluster, job_id)


def cpus_of(cluster, job_id):
    return real_cpus(cluster.job(job_id).cores[NODE])


def assert_kernel_holds(confinement, tasks, cpus):
    """The groups of the tasks have these CPUs, and no others."""
    for pid in tasks.values():
        groups = CONFINEMENTS[confinement].cpusets_of(pid)
        assert all(effective == cpus and chosen in (cpus, set()) for chosen, effective in groups.values()), groups
        assert sum(chosen == cpus for chosen, _ in groups.values()) >= 2, groups  # the job's, and its step's


def kept_by(confinement):
    """As the agent calls it."""
    return confinement if CONFINEMENTS[confinement].version else "affinity"


@pytest.mark.core
def test_agent_and_doctor_say_how_jobs_are_confined(cluster, confinement):
    assert re.search(rf"the node agent listens on port \d+, confinement {kept_by(confinement)}$", cluster.slurmd[NODE].log.read_text(), re.M)
    checks = json.loads(cluster.vmctl("doctor", "--json").stdout)["checks"]
    assert [kept_by(confinement) in check["what"] for check in checks if check["check"] == "confinement"] == [True]


@pytest.mark.core
def test_mpi_job_leaves_a_core_and_gets_it_back(cluster, build, confinement):
    job_id, tasks = start(cluster, f"exec srun {build.kernels}/cg 1000 100000000")
    wait_in_mpi(cluster, job_id, 2)
    before = cpus_of(cluster, job_id)
    assert len(before) == 2
    short = fold(cluster, job_id)
    folded = cpus_of(cluster, job_id)
    assert len(folded) == 1
    assert re.search(rf"job {job_id}: allotment is cores \d, mpl 2, generation \d+, confinement {kept_by(confinement)}$",
                     cluster.slurmd[NODE].log.read_text(), re.M)
    for pid in tasks.values():
        assert all(allowed == folded for allowed in thread_cpus(pid).values())
    if CONFINEMENTS[confinement].version:
        assert_kernel_holds(confinement, tasks, folded)
    unfold(cluster, job_id, short)
    everywhere = set().union(*(allowed for pid in tasks.values() for allowed in thread_cpus(pid).values()))
    assert everywhere == before
    if CONFINEMENTS[confinement].version:
        assert_kernel_holds(confinement, tasks, before)
    assert cluster.tasks(job_id) == tasks


def test_only_a_cpuset_holds_a_thread_that_unbinds_itself(cluster, confinement):
    job_id, tasks = start(cluster, "exec srun sleep 600")
    short = fold(cluster, job_id)
    machine = set(range(os.cpu_count()))
    for pid in tasks.values():
        os.sched_setaffinity(pid, machine)
        assert os.sched_getaffinity(pid) == (cpus_of(cluster, job_id) if CONFINEMENTS[confinement].version else machine)
    unfold(cluster, job_id, short)


def test_agent_that_starts_again_unfolds_the_job(cluster):
    job_id, tasks = start(cluster, "exec srun sleep 600")
    short = fold(cluster, job_id)
    cluster.restart_slurmd(NODE)
    unfold(cluster, job_id, short)
    for pid in tasks.values():
        assert os.sched_getaffinity(pid) == cpus_of(cluster, job_id)


def test_new_step_starts_in_a_narrowed_job(cluster):
    job_id, _ = start(cluster, SECOND_STEP)
    fold(cluster, job_id)
    (cluster.directory / "next").touch()
    cluster.wait_until(lambda: "second step: 0" in cluster.output(job_id), "the second step")
    assert cluster.output(job_id).count("rank ") == 2


@pytest.mark.core
def test_step_starts_steps_of_its_own_however_the_job_was_folded_meanwhile(cluster):
    job_id = submit_vm(cluster, "long", 2, script=NESTED)

    def start_inner(when):
        (cluster.directory / f"{when}.{job_id}").touch()
        cluster.wait_until(lambda: f"mpiexec while {when}:" in cluster.output(job_id), "the inner steps")

    wait_tasks(cluster, job_id, 1)
    short = fold(cluster, job_id)
    start_inner("folded")
    unfold(cluster, job_id, short)
    start_inner("unfolded")
    cluster.wait_end(job_id)
    said = cluster.output(job_id)
    assert re.findall(r"while (\w+): (\d+)", said) == [("folded", "0")] * 2 + [("unfolded", "0")] * 2, said
    assert said.count("inner task\n") == said.count("inner rank\n") == 4 and "bound by \n" in said, said


def test_binding_that_names_no_cpus_stays(cluster):
    job_id = submit_vm(cluster, "long", 2, script="srun -n1 --cpu-bind=none printenv SLURM_CPU_BIND")
    cluster.wait_end(job_id)
    assert cluster.output(job_id).splitlines()[-1] == "quiet,none"
