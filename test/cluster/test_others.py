# SPDX-License-Identifier: GPL-2.0-or-later
"""Jobs that did not ask are left alone, and programs without the run-time library are still moved."""

import pytest
from scenario import FOREVER, fold, stays, submit_vm, wait_confined, wait_cores, wait_tasks

# Runs a program that the dynamic loader preloads nothing into.
WITHOUT_LIBRARY = "exec srun env -u LD_PRELOAD sleep 600"


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


def test_job_that_did_not_ask_is_never_resized(cluster):
    ordinary = cluster.submit(FOREVER, "-n7")
    cores = cluster.wait_state(ordinary, "RUNNING").cores
    waiting = submit_vm(cluster, "short", 8, "1:00")
    assert stays(cluster, lambda: cluster.job(ordinary).cores == cores)
    assert cluster.job(waiting).state == "PENDING"
    cluster.run("scancel", ordinary)
    assert cluster.wait_state(waiting, "RUNNING").core_count == 8


@pytest.mark.core
def test_job_with_no_vm_is_an_ordinary_job(cluster):
    job_id = cluster.submit(FOREVER, "--no-vm", "-n2")
    assert cluster.wait_state(job_id, "RUNNING").core_count == 2
    assert job_id not in cluster.vmctl_jobs()


def test_no_vm_takes_back_what_the_script_asks_for(cluster):
    script = f"#SBATCH --vm-class=short --vm-procs=4\n{FOREVER}"
    asked = cluster.submit(script)
    assert cluster.wait_state(asked, "RUNNING").core_count == 4
    plain = cluster.submit(script, "--no-vm", "-n2")
    assert cluster.wait_state(plain, "RUNNING").core_count == 2
    assert plain not in cluster.vmctl_jobs()


@pytest.mark.core
def test_ordinary_job_finds_nothing_of_ours_in_its_environment(cluster):
    job_id = cluster.submit("env; srun env", "-n1")
    assert cluster.wait_end(job_id).state == "COMPLETED"
    ours = [line for line in cluster.output(job_id).splitlines() if "VMALL" in line or "libvmrt" in line]
    assert ours == []
