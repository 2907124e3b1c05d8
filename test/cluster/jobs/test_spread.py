# SPDX-License-Identifier: GPL-2.0-or-later
"""Jobs that do not say how they are spread: as many processes on a node as there is room for, also folded."""

from collections import Counter
from pathlib import Path

import pytest
from scenario import (FOREVER, LAUNCHES, OPEN_MPI, OPEN_MPIEXEC, PEER_GONE, allocated, submit_vm, vm_options, wait_confined,
                      wait_cores, wait_in_mpi, wait_tasks)
from vmcluster import Node, installed_release
from vmcluster.programs import Kernel, run_alone

pytestmark = pytest.mark.skipif(installed_release() >= (25, 5), reason="jobs are spread equally: steps cannot be told otherwise")

CLUSTER = {"nodes": [Node("m1", 4), Node("m2", 4)]}


def cores_by_node(job):
    return {node: len(cores) for node, cores in job.cores.items()}


def take(cluster, **cores):
    """Ordinary jobs that hold so many cores of each node."""
    jobs = [cluster.submit(FOREVER, f"-n{count}", "-w", node) for node, count in cores.items()]
    for job_id, count in zip(jobs, cores.values()):
        cluster.wait_state(job_id, "RUNNING")
        wait_tasks(cluster, job_id, count)
    return jobs


def started(cluster, procs, script=FOREVER, options=()):
    job_id = submit_vm(cluster, "long", procs, script=script, options=options)
    return job_id, cores_by_node(cluster.wait_state(job_id, "RUNNING"))


def give_back(cluster, jobs):
    cluster.run("scancel", *jobs)


@pytest.mark.core
def test_job_starts_where_there_is_room_and_folds_and_grows_on_each_of_its_nodes(cluster):
    wide, cores = started(cluster, 5)
    assert cores == {"m1": 4, "m2": 1}
    tasks = wait_tasks(cluster, wide, 5)
    wait_confined(cluster, wide)
    guest = submit_vm(cluster, "short", 4, "0:30")
    assert cores_by_node(cluster.wait_state(guest, "RUNNING")) == {"m1": 1, "m2": 3}
    assert cores_by_node(cluster.job(wide)) == {"m1": 2, "m2": 1}
    assert cluster.vmctl_jobs()[wide]["mpl"] == 2
    wait_confined(cluster, wide)
    wait_tasks(cluster, guest, 4)
    cluster.run("scancel", guest)
    assert cores_by_node(wait_cores(cluster, wide, 5)) == {"m1": 4, "m2": 1}
    assert cluster.vmctl_jobs()[wide]["mpl"] == 1
    wait_confined(cluster, wide)
    assert cluster.tasks(wide) == tasks


@pytest.mark.core
def test_job_is_not_folded_where_unequal_holes_are_enough(cluster):
    take(cluster, m1=3, m2=1)
    job_id, cores = started(cluster, 4)
    assert cores == {"m1": 1, "m2": 3}
    wait_tasks(cluster, job_id, 4)
    wait_confined(cluster, job_id)


@pytest.mark.parametrize("options", [["-N2"], ["--ntasks-per-node=2"]])
def test_job_that_says_how_it_is_spread_is_spread_equally(cluster, options):
    take(cluster, m1=3, m2=1)
    job_id, cores = started(cluster, 4, options=options)
    assert cores == {"m1": 1, "m2": 1}
    wait_tasks(cluster, job_id, 4)


def test_job_that_is_requeued_may_be_spread_otherwise(cluster):
    job_id, cores = started(cluster, 5, options=["--requeue"])
    assert cores == {"m1": 4, "m2": 1}
    wait_tasks(cluster, job_id, 5)
    cluster.run("scontrol", "requeuehold", job_id)
    cluster.wait_until(lambda: cluster.job(job_id).state == "PENDING" and not cluster.tasks(job_id), "the job to be requeued")
    take(cluster, m1=2)
    cluster.run("scontrol", "release", job_id)
    assert cores_by_node(cluster.wait_state(job_id, "RUNNING")) == {"m1": 1, "m2": 4}
    wait_tasks(cluster, job_id, 5)


LAYOUT = 'echo "told $SLURM_TASKS_PER_NODE"; echo "CPUs $SLURM_JOB_CPUS_PER_NODE, here $SLURM_CPUS_ON_NODE"; srun sh -c \'echo "task on $SLURMD_NODENAME"\'; {}'


def tasks_by_node(cluster, job_id):
    """That have said so."""
    return Counter(line.split()[-1] for line in cluster.output(job_id).splitlines() if line.startswith("task on"))


def test_job_that_starts_folded_has_the_processes_that_its_nodes_hold_unfolded(cluster):
    others = take(cluster, m1=2, m2=3)
    job_id, cores = started(cluster, 6, LAYOUT.format(FOREVER))
    assert cores == {"m1": 2, "m2": 1}
    tasks = wait_tasks(cluster, job_id, 6)
    assert "told 4,2\nCPUs 4,2, here 4\n" in cluster.output(job_id)
    assert tasks_by_node(cluster, job_id) == {"m1": 4, "m2": 2}
    wait_confined(cluster, job_id)
    give_back(cluster, others)
    assert cores_by_node(wait_cores(cluster, job_id, 6)) == {"m1": 4, "m2": 2}
    wait_confined(cluster, job_id)
    assert cluster.tasks(job_id) == tasks


def test_step_that_starts_while_the_job_is_folded_has_its_layout(cluster):
    runs, go = cluster.directory / "runs", cluster.directory / "go"
    script = f"touch {runs}; while ! [ -e {go} ]; do sleep 0.1; done; {LAYOUT.format(FOREVER)}"
    job_id, cores = started(cluster, 5, script)
    assert cores == {"m1": 4, "m2": 1}
    cluster.wait_until(runs.exists, "the script to run")  # so the node agent knows the job
    guest = submit_vm(cluster, "short", 4, "0:30")
    cluster.wait_state(guest, "RUNNING")
    assert cores_by_node(cluster.job(job_id)) == {"m1": 2, "m2": 1}
    go.touch()
    wait_tasks(cluster, job_id, 5)
    assert tasks_by_node(cluster, job_id) == {"m1": 4, "m2": 1}
    wait_confined(cluster, job_id)


@pytest.mark.parametrize("step, tasks", [("srun -n2", {"m1": 1, "m2": 1}), ("srun -N1 -n3", {"m1": 3})])
def test_step_of_some_of_its_tasks_is_slurms_own_affair(cluster, step, tasks):
    take(cluster, m1=2, m2=3)
    job_id, _ = started(cluster, 6, f"""{step} sh -c 'echo "task on $SLURMD_NODENAME"'""")
    cluster.wait_end(job_id)
    assert tasks_by_node(cluster, job_id) == tasks


def test_shell_of_salloc_is_told_the_layout(cluster):
    take(cluster, m1=2, m2=3)
    told, seen = cluster.directory / "told", cluster.directory / "seen"
    script = f"echo $SLURM_TASKS_PER_NODE $SLURM_JOB_CPUS_PER_NODE >{told}.new; mv {told}.new {told}; until [ -e {seen} ]; do sleep 0.1; done"
    with allocated(cluster, *vm_options("long", 6), "sh", "-c", script) as (job_id, _):
        cluster.wait_until(told.exists, "the shell to say what it was told")
        seen.touch()
        cluster.wait_end(job_id)
    assert told.read_text() == "4,2 4,2\n"


def parent(pid):
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1]


def processes_by_node(cluster, job_id):
    return sorted(Counter(map(parent, cluster.tasks(job_id).values())).values())


def test_hydra_has_the_layout(cluster):
    take(cluster, m1=2, m2=3)
    job_id, cores = started(cluster, 6, "exec mpiexec.mpich sleep 600")
    assert cores == {"m1": 2, "m2": 1}
    wait_tasks(cluster, job_id, 6)
    assert processes_by_node(cluster, job_id) == [2, 4]


# The two nodes are one machine, on which ranks of different nodes must not take each other for neighbours: MPICH by Hydra often
# hangs there, also in ordinary jobs, and PMIx does not start. Open MPI 5 goes by the names of hosts ("num local peers: Bad
# parameter" where two nodes have one), and knows no way from a machine to itself but the loopback.
NAMED = """named=$PWD/named.$SLURM_JOB_ID
{ echo '#!/bin/sh'; cat; } >$named <<'END'
exec unshare --uts sh -c 'hostname $SLURMD_NODENAME; exec "$@"' sh "$@"
END
chmod +x $named
export OMPI_MCA_orte_launch_agent="$named orted" PRTE_MCA_prte_launch_agent="$named prted"
"""
OVER_TCP = pytest.param(f"{NAMED}$named {OPEN_MPIEXEC} --mca btl self,tcp --mca btl_tcp_if_include lo", "cg.openmpi",
                        marks=OPEN_MPI, id="Open MPI")


@pytest.mark.core
@pytest.mark.parametrize("launcher, program", [LAUNCHES[0], OVER_TCP])
def test_every_launcher_has_the_layout_and_the_result_is_right(cluster, build, launcher, program):
    others = take(cluster, m1=2, m2=3)
    end = cluster.directory / f"{program}.end"
    kernel = Kernel(program, launcher, before="1000 5")
    job_id, cores = started(cluster, 6, kernel.script(build, f"until:{end}"))
    assert cores == {"m1": 2, "m2": 1}
    wait_in_mpi(cluster, job_id, 6)
    assert processes_by_node(cluster, job_id) == [2, 4]
    wait_confined(cluster, job_id)
    give_back(cluster, others)
    wait_cores(cluster, job_id, 6)
    wait_confined(cluster, job_id)
    end.touch()
    assert cluster.wait_end(job_id).state == "COMPLETED"
    rounds = int(end.with_suffix(".end.rounds").read_text())
    assert kernel.result(cluster.output(job_id)) == run_alone(cluster, kernel, 6, rounds)[1]


@pytest.mark.core
@pytest.mark.log_errors(PEER_GONE)
def test_slurmctld_that_restarts_knows_how_a_job_is_spread(cluster):
    others = take(cluster, m1=2, m2=3)
    job_id, cores = started(cluster, 6)
    assert cores == {"m1": 2, "m2": 1}
    wait_tasks(cluster, job_id, 6)
    cluster.wait_saved()
    cluster.restart_slurmctld(kill=True)
    assert cluster.vmctl_jobs()[job_id]["mpl"] == 2
    give_back(cluster, others)
    assert cores_by_node(wait_cores(cluster, job_id, 6)) == {"m1": 4, "m2": 2}
    wait_confined(cluster, job_id)
