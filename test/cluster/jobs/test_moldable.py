# SPDX-License-Identifier: GPL-2.0-or-later
"""The number of processes is chosen when the job starts, and everything in the job agrees on it."""

import pytest
from scenario import FOREVER, LAUNCHES, submit_vm, vm_options, wait_tasks
from vmcluster.programs import Kernel


@pytest.mark.core
@pytest.mark.parametrize("procs, chosen", [("3", 3), ("1-8", 8), ("2,4,6", 6), ("pow2:64", 8), ("square:49", 4)])
def test_largest_accepted_size_that_fits_an_empty_node_is_chosen(cluster, procs, chosen):
    job_id = submit_vm(cluster, "short", procs, "1:00", 'echo "$SLURM_NTASKS $SLURM_NPROCS"; srun sleep 600')
    job = cluster.wait_state(job_id, "RUNNING")
    assert (job.core_count, job.tasks) == (chosen, chosen)
    wait_tasks(cluster, job_id, chosen)
    assert cluster.output(job_id).split() == [str(chosen), str(chosen)]


def test_size_fits_what_others_left_free(cluster):
    other = cluster.submit(FOREVER, "-n3")
    cluster.wait_state(other, "RUNNING")
    job = cluster.wait_state(submit_vm(cluster, "short", "pow2:8"), "RUNNING")
    assert job.core_count == 4


# A program of MPI, not a script: once scripts have ended, mpiexec of Open MPI 5 hangs now and then (openpmix/prrte 1839).
@pytest.mark.parametrize("launcher, program", LAUNCHES)
def test_plain_launcher_starts_as_many_ranks_as_were_chosen(cluster, build, launcher, program):
    other = cluster.submit(FOREVER, "-n3")
    cluster.wait_state(other, "RUNNING")
    script = "echo $SLURM_NTASKS tasks\n" + Kernel(program, launcher, before="1000").script(build, 10)
    job_id = submit_vm(cluster, "short", "8,5,2", "1:00", script)
    assert cluster.wait_end(job_id).state == "COMPLETED"
    output = cluster.output(job_id)
    assert "5 tasks" in output and output.count("ranks=5 ") == 1


@pytest.mark.core
def test_salloc_gets_the_chosen_size(cluster):
    script = "echo $SLURM_NTASKS; srun bash -c 'echo rank $SLURM_PROCID of $SLURM_NTASKS'"
    out = cluster.run("salloc", *vm_options("short", "6,3"), "bash", "-c", script).stdout
    lines = out.split("\n")
    assert lines[0] == "6"
    assert sorted(line for line in lines if line.startswith("rank")) == [f"rank {i} of 6" for i in range(6)]


def test_srun_starts_what_it_was_told_to(cluster):
    # The client fixes its number of tasks before slurmctld can choose one.
    out = cluster.run("srun", "-n3", "--vm-class=short", "--vm-procs=3", "bash", "-c", "echo rank $SLURM_PROCID").stdout
    assert sorted(out.splitlines()) == ["rank 0", "rank 1", "rank 2"]


@pytest.mark.core
@pytest.mark.parametrize("command", ["sbatch", "salloc", "srun"])
@pytest.mark.parametrize("option, named", [("--vm-class=medium", "medium"), ("--vm-procs=0", "0"), ("--vm-procs=4-2", "4-2"),
                                           ("--vm-procs=", "vm-procs"), ("--vm-estimate=soon", "soon")])
def test_bad_option_is_refused_where_it_is_typed(cluster, command, option, named):
    script = ["--wrap=true"] if command == "sbatch" else ["true"]
    done = cluster.run(command, option, *script, check=False)
    assert done.returncode != 0
    assert named in done.stderr
    assert cluster.run("squeue", "-h").stdout == ""


@pytest.mark.parametrize("command", ["sbatch", "salloc", "srun"])
def test_options_are_in_the_help(cluster, command):
    out = cluster.run(command, "--help").stdout
    for option in ("--vm-class", "--vm-procs", "--vm-estimate", "--vm-runtime", "--no-vm"):
        assert option in out
