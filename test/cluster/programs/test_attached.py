# SPDX-License-Identifier: GPL-2.0-or-later
"""Which ranks libvmrt serves: counted by the agent, told in slurmd's log and by vmctl. A job none of whose ranks it serves, or
that keeps its steps from being attached, is not folded. How it comes into programs, beside what users preload."""

import pytest
from scenario import (FOREVER, LAUNCHES, PEER_GONE, Story, allocated, fold, go_on, send_guest, static_script, stays, submit_vm, unfolded,
                      vm_options, vmall_conf, wait_attached, wait_confined, wait_cores, wait_in_mpi, wait_tasks)
from vmcluster.programs import Kernel

CLUSTER = {"vmall_conf": {"SurveyInterval": 1}}

# Runs a program that the dynamic loader preloads nothing into.
WITHOUT_LIBRARY = "exec srun env -u LD_PRELOAD sleep 600"


def told_in_log(cluster, job_id):
    lines = (cluster.root / "log/slurmd-n1.log").read_text(errors="replace").splitlines()
    return [line for line in lines if f"job {job_id}: " in line and "not attached" in line]


def times_given_up(cluster, job_id, why):
    return cluster.slurmctld.log.read_text(errors="replace").count(f"JobId={job_id} cannot be folded ({why})")


def wait_given_up(cluster, job_id, why):
    cluster.wait_until(lambda: times_given_up(cluster, job_id, why), "the controller to give the job up")
    cluster.wait_until(lambda: job_id not in cluster.vmctl_jobs(), "the job to be one like the others")
    assert cluster.vmctl("why", job_id).stdout == f"Job {job_id} is scheduled like the others: {why}.\n"


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


@pytest.mark.log_errors(PEER_GONE)
def test_useful_share_outlives_the_agent_and_slurmctld(cluster, build):
    job_id = submit_vm(cluster, "long", 2, script=Kernel("naps", "srun --mpi=pmi2", before="10000").script(build, 10**8))
    cluster.wait_until(lambda: "useful_percent" in cluster.vmctl_jobs().get(job_id, {}), "a useful share")
    before = cluster.vmctl_jobs()[job_id]
    cluster.restart_slurmd("n1", kill=True)
    cluster.wait_until(lambda: cluster.vmctl_jobs()[job_id]["ranks"]["useful_ns"] > before["ranks"]["useful_ns"], "newer numbers")
    assert 25 <= cluster.vmctl_jobs()[job_id]["useful_percent"] <= 75
    with vmall_conf(cluster, SurveyInterval=3600):  # then it is only known from before
        cluster.restart_slurmctld()
        cluster.wait_until(lambda: 25 <= cluster.vmctl_jobs()[job_id].get("useful_percent", 100) <= 75, "the share of before")


def test_job_of_one_rank_keeps_its_core_and_has_no_useful_share(cluster, build):
    """It has nobody to wait for: what it makes use of is not known, and counts as all."""
    alone = submit_vm(cluster, "long", 1, script=Kernel("cg", "srun --mpi=pmi2", before="1000").script(build, 10**8))
    cluster.wait_state(alone, "RUNNING")
    jobs = fold(cluster, other=("-n3",))
    wait_attached(cluster, alone, 0, 1)
    assert stays(cluster, lambda: "useful_percent" not in cluster.vmctl_jobs()[alone] and cluster.job(alone).core_count == 1)
    assert cluster.job(jobs.folded).core_count == 1
    assert alone in cluster.vmctl_jobs()


@pytest.mark.ours_alone
@pytest.mark.parametrize("launcher", [pytest.param("srun", marks=pytest.mark.core), "mpiexec.mpich"])
def test_job_of_a_static_program_keeps_its_cores_and_is_scheduled_like_the_others(cluster, launcher):
    jobs = unfolded(cluster, static_script(cluster, launcher))
    send_guest(cluster, jobs)
    wait_given_up(cluster, jobs.folded, "its tasks are linked statically, so libvmrt serves none (FoldUnserved)")
    assert cluster.job(jobs.folded).core_count == 4
    assert cluster.job(jobs.guest).state == "PENDING"
    (cluster.directory / f"done.{jobs.folded}").touch()
    assert cluster.wait_end(jobs.folded).state == "COMPLETED"
    assert cluster.output(jobs.folded).count("a static rank ends") == 4
    wait_tasks(cluster, jobs.guest, cluster.wait_state(jobs.guest, "RUNNING").tasks)


@pytest.fixture
def folding_unserved(cluster):
    """The agent reads that when it starts."""
    with vmall_conf(cluster, FoldUnserved="yes"):
        cluster.restart_slurmd("n1")
        yield
        cluster.cancel_all()
    cluster.restart_slurmd("n1")


@pytest.mark.usefixtures("folding_unserved")
def test_static_program_is_told_where_it_is_folded_all_the_same(cluster):
    jobs = fold(cluster, static_script(cluster, "srun"))
    wait_attached(cluster, jobs.folded, 0, 4)
    [told] = told_in_log(cluster, jobs.folded)
    assert "4 of 4 tasks are not attached to libvmrt" in told
    wait_confined(cluster, jobs.folded)


@pytest.mark.ours_alone
@pytest.mark.log_errors("virtual malleability: the node's settings hold")
def test_a_bad_variable_in_sruns_environment_keeps_no_step_from_being_folded(cluster):
    jobs = fold(cluster, f"export SLURM_SPANK_VMALL_RUNTIME_SETTINGS=nonsense\n{FOREVER}")
    wait_confined(cluster, jobs.folded)


@pytest.mark.core
@pytest.mark.ours_alone
@pytest.mark.log_errors(r"not attached to the agent of node|cannot forget a job")
def test_ranks_that_are_not_attached_have_the_library_loaded_like_those_of_other_nodes(cluster):
    script = "exec srun sh -c 'echo preload=$LD_PRELOAD control=$VMALL_CONTROL'"
    job_id = submit_vm(cluster, "short", 4, script=script, options=["--hold"])
    in_the_way = cluster.root / "run" / "n1" / str(job_id)
    in_the_way.touch()
    cluster.run("scontrol", "release", job_id)
    assert cluster.wait_end(job_id).state == "COMPLETED"
    in_the_way.unlink(missing_ok=True)
    assert cluster.output(job_id).count(f"preload={cluster.build.vmrt} control=\n") == 4


@pytest.mark.ours_alone
def test_a_job_whose_steps_never_register_is_scheduled_like_the_others(cluster):
    other = cluster.submit(FOREVER, "-n4")
    wait_tasks(cluster, other, cluster.wait_state(other, "RUNNING").tasks)
    with allocated(cluster, *vm_options("long", 4), "srun", "--no-vm", "sleep", "600") as (evader, _):
        wait_tasks(cluster, evader, 4)
        story = Story(other, evader)
        send_guest(cluster, story)
        why = "the job runs here unattached"
        wait_given_up(cluster, evader, why)
        refused = cluster.vmctl_stats()["refusals_by_nodes"]
        assert stays(cluster, lambda: cluster.vmctl_stats()["refusals_by_nodes"] == refused, passes=10)
        cluster.wait_saved()
        cluster.restart_slurmctld()
        assert stays(cluster, lambda: evader not in cluster.vmctl_jobs())
        assert times_given_up(cluster, evader, why) == 1
        assert cluster.job(evader).core_count == 4
        cluster.run("scancel", evader)
        wait_tasks(cluster, story.guest, cluster.wait_state(story.guest, "RUNNING").tasks)


def test_job_without_the_runtime_library_is_confined_all_the_same(cluster):
    jobs = fold(cluster, WITHOUT_LIBRARY)
    wait_tasks(cluster, jobs.folded, 4)
    wait_confined(cluster, jobs.folded)
    cluster.run("scancel", jobs.guest)
    wait_cores(cluster, jobs.folded, 4)
    wait_confined(cluster, jobs.folded)


# GCC's address sanitizer ends programs that load something before it.
@pytest.mark.core
def test_what_a_user_preloads_comes_before_the_runtime_library(cluster):
    own = "libm.so.6"
    job_id = submit_vm(cluster, "short", 2, script="srun printenv LD_PRELOAD", LD_PRELOAD=own)
    assert cluster.wait_end(job_id).state == "COMPLETED"
    assert cluster.output(job_id).split() == [f"{own}:{cluster.build.vmrt}"] * 2


# Slurm's --export=ALL,NAME=VALUE leaves alone what srun finds in its own environment.
@pytest.mark.core
def test_what_srun_exports_holds_against_what_the_script_was_given(cluster):
    own = "libm.so.6"
    say = "/bin/sh -c 'echo $LD_PRELOAD $OMP_WAIT_POLICY,$GOMP_SPINCOUNT,$KMP_BLOCKTIME'"
    script = "\n".join([say, *(f"srun -n1 {export} {say}" for export in (
        "", f"--export=ALL,LD_PRELOAD={own}", "--export=ALL,OMP_WAIT_POLICY=active", "--export=ALL,KMP_BLOCKTIME=7",
        f"--export=LD_PRELOAD={own}"))])
    job_id = submit_vm(cluster, "short", 2, script=script, options=["--cpus-per-task=2"])
    assert cluster.wait_end(job_id).state == "COMPLETED"
    ours = cluster.build.vmrt
    assert cluster.output(job_id).splitlines() == [
        f"{ours} passive,1000,0", f"{ours} passive,1000,0", f"{own}:{ours} passive,1000,0", f"{ours} active,,",
        f"{ours} passive,1000,7", f"{own}:{ours} passive,1000,0"]


def test_job_that_a_script_submits_inherits_nothing_of_ours(cluster):
    inner = "sbatch --wait -n1 --no-vm -o inner --wrap 'echo \"[$LD_PRELOAD$VMALL_CONTROL$OMP_WAIT_POLICY]\"'; cat inner"
    job_id = submit_vm(cluster, "short", 2, script=inner, options=["--cpus-per-task=2"])
    assert cluster.wait_end(job_id).state == "COMPLETED"
    assert "[]" in cluster.output(job_id)
