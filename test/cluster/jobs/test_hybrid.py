# SPDX-License-Identifier: GPL-2.0-or-later
"""Jobs whose ranks have several CPUs each: folded by whole places, on which ranks take turns with all their threads."""

import re

import pytest
from scenario import WHOLE, allocated, submit_vm, submit_whole, vm_options, wait_confined, wait_cores, wait_in_mpi, wait_tasks
from vmcluster import Node, control_block, processes
from vmcluster.programs import Kernel

CLUSTER = {"nodes": [Node("n1", 8), Node("n2", 8), Node("two", 16, threads=2)], "vmall_conf": WHOLE,
           "slurm_conf": {"SelectTypeParameters": "CR_Core_Memory", "DefMemPerNode": 10}}

ONE = ("-w", "n1")
BOTH = ("-w", "n1,n2", "-N2")
TWO_EACH = ("--cpus-per-task=2", *ONE)
THREADS = {"OMP_NUM_THREADS": "2"}
ROUNDS = 5  # in which a job has computed, surely
SPIN = "threads that have nothing to do spin"


def wait_row(cluster, job_id, **fields):
    """The job's row of vmctl, once it has these fields."""
    cluster.wait_until(lambda: fields.items() <= cluster.vmctl_jobs().get(job_id, {}).items(),
                       f"job {job_id} to be shown with {fields}")


def fold_for(cluster, procs, *where):
    """A short job for which others make room, once it runs."""
    short = submit_whole(cluster, procs, *where)
    cluster.wait_state(short, "RUNNING")
    return short


def places(cluster, job_id):
    """Sets of CPUs, of all nodes of the job."""
    found = []
    for node in cluster.job(job_id).cores:
        block = control_block.read(cluster.root / "run" / node / str(job_id) / "control")
        count = max(1, len(block.cpus) // block.cpus_per_rank)
        found += [set(block.cpus[i * len(block.cpus) // count:(i + 1) * len(block.cpus) // count]) for i in range(count)]
    return found


def outside_places(cluster, job_id):
    """Threads of ranks that may run on CPUs of several places. The runtime's own follows the job wherever it may be."""
    inside = places(cluster, job_id)
    return [(pid, thread, cpus) for pid in cluster.tasks(job_id).values() for thread, cpus in processes.thread_cpus(pid).items()
            if processes.thread_name(pid, thread) != "vmrt" and not any(cpus <= place for place in inside)]


@pytest.mark.core
@pytest.mark.parametrize("program, where", [(Kernel("hybrid_cg", "srun --cpus-per-task=2", before="300 5"), ONE),
                                            (Kernel("hybrid_stencil", "mpiexec.mpich", before="300 20"), ONE),
                                            (Kernel("hybrid_cg", "srun --cpus-per-task=2", before="300 5"), BOTH)],
                         ids=["srun", "Hydra", "two nodes"])
def test_result_is_that_of_an_undisturbed_run(cluster, build, program, where):
    nodes = 2 if where == BOTH else 1
    ranks, full = 4 * nodes, 8 * nodes
    end = cluster.directory / f"{program.name}.{nodes}.end"
    told = end.with_suffix(".end.rounds")

    def submit(amount):
        return submit_vm(cluster, "long", ranks, "10:00", program.script(build, amount), ("--cpus-per-task=2", *where), **THREADS)

    def wait_rounds():
        before = int(told.read_text() or 0)
        cluster.wait_until(lambda: int(told.read_text() or 0) >= before + ROUNDS, "the job to compute")

    job_id = submit(f"until:{end}")
    assert cluster.wait_state(job_id, "RUNNING").core_count == full
    wait_in_mpi(cluster, job_id, ranks)
    deepest = [(6, 1)] if nodes == 1 else []  # on several nodes two processes share a core at most
    for procs, width in [(4, 2), *deepest]:  # on each node
        short = fold_for(cluster, procs * nodes, *where)
        folded = wait_cores(cluster, job_id, 2 * width * nodes)
        assert [len(cores) for cores in folded.cores.values()] == [2 * width] * nodes
        wait_confined(cluster, job_id)
        cluster.wait_until(lambda: not outside_places(cluster, job_id), "every thread to be inside its place")
        wait_row(cluster, job_id, mpl=4 // width, processes=ranks, full_cores=full)
        wait_rounds()
        cluster.run("scancel", short)
        wait_cores(cluster, job_id, full)
    wait_confined(cluster, job_id)
    wait_rounds()
    end.touch()
    assert cluster.wait_end(job_id).state == "COMPLETED"
    assert SPIN not in cluster.output(job_id)
    alone = submit(int(told.read_text()))
    assert cluster.wait_end(alone).state == "COMPLETED"
    assert program.result(cluster.output(alone))
    assert program.result(cluster.output(job_id)) == program.result(cluster.output(alone))


def test_threads_that_all_call_mpi_compute_the_same_on_one_place(cluster, build):
    program = Kernel("threads", "srun --cpus-per-task=2", behind="20")

    def submit():
        return submit_vm(cluster, "long", 4, "10:00", program.script(build, 500), TWO_EACH)

    rest = cluster.submit("exec sleep 600", "-n6", *ONE, "--time=10")
    cluster.wait_state(rest, "RUNNING")
    folded = submit()
    assert cluster.wait_state(folded, "RUNNING", "COMPLETED").core_count == 2
    assert cluster.wait_end(folded).state == "COMPLETED"
    cluster.run("scancel", rest)
    alone = submit()
    assert cluster.wait_state(alone, "RUNNING", "COMPLETED").core_count == 8
    assert cluster.wait_end(alone).state == "COMPLETED"
    assert program.result(cluster.output(alone))
    assert program.result(cluster.output(folded)) == program.result(cluster.output(alone))


def test_threads_that_spin_are_warned_of_once(cluster, build):
    script = Kernel("hybrid_stencil", "srun --cpus-per-task=2", before="300 1").script(build, 10**8)
    job_id = submit_vm(cluster, "long", 4, "10:00", script, TWO_EACH, OMP_WAIT_POLICY="active", **THREADS)
    wait_in_mpi(cluster, job_id, 4)
    for _ in range(2):
        short = fold_for(cluster, 4, *ONE)
        wait_cores(cluster, job_id, 4)
        cluster.wait_until(lambda: SPIN in cluster.output(job_id), "the warning")
        cluster.run("scancel", short)
        wait_cores(cluster, job_id, 8)
    assert cluster.output(job_id).count(SPIN) == 1


SAY = 'echo "in $1: $OMP_WAIT_POLICY,$GOMP_SPINCOUNT,$KMP_BLOCKTIME"'


def say_before_and_after(line):
    return f"""
say() {{ {SAY}; }}
say script
srun -n1 bash -c '{SAY}' - step
{line}
srun -n1 bash -c '{SAY}' - later
"""


@pytest.mark.parametrize("environment, said", [
    ({}, "passive,1000,0"), ({"KMP_BLOCKTIME": "7"}, "passive,1000,7"), ({"OMP_WAIT_POLICY": "ACTIVE"}, "ACTIVE,,")],
    ids=["nothing", "a time", "to spin"])
def test_idle_threads_are_to_sleep_unless_the_user_wants_otherwise(cluster, environment, said):
    script = say_before_and_after("export OMP_WAIT_POLICY=active")
    job_id = submit_vm(cluster, "long", 2, "10:00", script, TWO_EACH, **environment)
    assert cluster.wait_end(job_id).state == "COMPLETED"
    output = cluster.output(job_id)
    assert f"in script: {said}\n" in output and f"in step: {said}\n" in output
    assert re.search("in later: active,,7?\n", output)


def test_job_with_a_cpu_for_each_rank_keeps_its_environment(cluster):
    job_id = submit_vm(cluster, "long", 2, "10:00", say_before_and_after(""), ONE)
    cluster.wait_end(job_id)
    assert cluster.output(job_id).count(": ,,\n") == 3


def test_script_that_starts_ranks_itself_has_the_cpus_of_a_rank(cluster):
    job_id = submit_vm(cluster, "long", 4, script="exec sleep 600", options=TWO_EACH)
    block = cluster.root / "run/n1" / str(job_id) / "control"
    cluster.wait_until(block.exists, "the script's step to register")
    assert control_block.read(block).cpus_per_rank == 2


TWO_STEPS = """
srun -c2 bash -c 'until [ -e next.$SLURM_JOB_ID ]; do sleep 0.2; done'
echo first step: $?
srun {} bash -c 'echo rank $SLURM_PROCID of $SLURM_NTASKS; until [ -e done.$SLURM_JOB_ID ]; do sleep 0.2; done'
echo second step: $?
"""


@pytest.mark.parametrize("option", ["-c2", ""], ids=["with CPUs", "as since 22.05"])
def test_new_step_starts_in_a_folded_job_and_unfolds(cluster, option):
    job_id = submit_vm(cluster, "long", 4, "10:00", TWO_STEPS.format(option), TWO_EACH)
    wait_tasks(cluster, job_id, 4)
    short = fold_for(cluster, 6, *ONE)
    wait_cores(cluster, job_id, 2)
    (cluster.directory / f"next.{job_id}").touch()
    cluster.wait_until(lambda: cluster.output(job_id).count("rank ") == 4, "four tasks on two cores")
    wait_confined(cluster, job_id)
    assert control_block.read(cluster.root / "run/n1" / str(job_id) / "control").cpus_per_rank == 2
    cluster.run("scancel", short)
    wait_cores(cluster, job_id, 8)
    wait_confined(cluster, job_id)
    (cluster.directory / f"done.{job_id}").touch()
    assert cluster.wait_end(job_id).state == "COMPLETED"
    assert "first step: 0" in cluster.output(job_id) and "second step: 0" in cluster.output(job_id)


def test_job_that_srun_starts_folds_and_unfolds(cluster):
    with allocated(cluster, *vm_options("long", 4), *TWO_EACH, "srun", "-c2", "sleep", "600") as (job_id, _):
        tasks = wait_tasks(cluster, job_id, 4)
        short = fold_for(cluster, 4, *ONE)
        wait_cores(cluster, job_id, 4)
        wait_confined(cluster, job_id)
        cluster.run("scancel", short)
        wait_cores(cluster, job_id, 8)
        wait_confined(cluster, job_id)
        assert cluster.tasks(job_id) == tasks


@pytest.mark.core
def test_job_starts_folded_on_whole_places(cluster):
    rest = cluster.submit("exec sleep 600", "-n3", *ONE, "--time=10")
    cluster.wait_state(rest, "RUNNING")
    say = "echo told $SLURM_JOB_CPUS_PER_NODE $SLURM_CPUS_ON_NODE"
    job_id = submit_vm(cluster, "long", 4, script=f"{say}; exec srun sleep 600", options=TWO_EACH)
    assert cluster.wait_state(job_id, "RUNNING").core_count == 4
    wait_tasks(cluster, job_id, 4)
    assert "told 8 8\n" in cluster.output(job_id)
    wait_row(cluster, job_id, mpl=2, full_cores=8)
    cluster.run("scancel", rest)
    wait_cores(cluster, job_id, 8)


def test_width_that_does_not_divide_the_node_leaves_the_rest_to_others(cluster):
    job_id = submit_vm(cluster, "long", "1-8", options=("--cpus-per-task=3", *ONE))
    assert cluster.wait_state(job_id, "RUNNING").core_count == 6
    assert wait_tasks(cluster, job_id, 2)
    rest = cluster.submit("exec sleep 600", "-n2", *ONE, "--time=10")
    cluster.wait_state(rest, "RUNNING")
    short = fold_for(cluster, 2, *ONE)
    wait_cores(cluster, job_id, 3)
    assert cluster.violations() == []
    cluster.run("scancel", short)
    wait_cores(cluster, job_id, 6)


# CPUs that Slurm gives out are threads; two of them are a core.
@pytest.mark.parametrize("options, unfolded, folded", [
    (["-c2"], 8, 4), (["-c3"], 16, 8), (["-c2", "--hint=multithread"], 8, 4), (["-c2", "--threads-per-core=1"], 16, 8),
    (["-c2", "--hint=nomultithread"], 16, 8), (["-c2", "--ntasks-per-core=1"], 8, 4), (["-c4", "--mem-per-cpu=1"], 16, 8)],
    ids=lambda value: "".join(value) if isinstance(value, list) else "")
def test_place_is_whole_cores_where_a_core_has_two_threads(cluster, options, unfolded, folded):
    job_id = submit_vm(cluster, "long", 4, options=("-w", "two", *options))
    assert cluster.wait_state(job_id, "RUNNING").core_count == unfolded
    wait_tasks(cluster, job_id, 4)
    wait_row(cluster, job_id, mpl=1, full_cores=unfolded // 2)
    short = fold_for(cluster, (16 - folded) // 2, "-w", "two")
    wait_cores(cluster, job_id, folded)
    wait_row(cluster, job_id, mpl=2)
    assert cluster.violations() == []
    cluster.run("scancel", short)
    wait_cores(cluster, job_id, unfolded)


def test_memory_of_a_folded_start_is_that_of_all_its_cpus(cluster):
    rest = cluster.submit("exec sleep 600", "-n4", *ONE, "--time=10")
    cluster.wait_state(rest, "RUNNING")
    job_id = submit_vm(cluster, "long", 4, options=(*TWO_EACH, "--mem-per-cpu=10"))
    assert cluster.wait_state(job_id, "RUNNING").core_count == 4
    assert "mem=80M" in cluster.run("scontrol", "show", "job", job_id).stdout
