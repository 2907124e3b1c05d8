# SPDX-License-Identifier: GPL-2.0-or-later
"""What scripts may lean on when their job is folded: each line of the section Scripts of doc/programs.md, however Slurm keeps
tasks on their cores."""

import re

import pytest
from scenario import CONFINED_LOG, FOREVER, OPEN_MPI, submit_vm, wait_confined, wait_cores, wait_tasks
from vmcluster.release import installed_release

pytestmark = pytest.mark.log_errors(CONFINED_LOG)

MPIRUN = "mpirun.openmpi --allow-run-as-root"

# Of two ranks each.
NUMBERED = ["srun --cpu-bind=map_cpu:0,1", "srun --cpu-bind=mask_cpu:0x1,0x2"]
if installed_release() < (24, 11):  # no such binding any more since then
    NUMBERED.append("srun --cpu-bind=rank")
NAMED = [f"srun --cpu-bind={kind}" for kind in ("none", "cores", "threads", "sockets")]
HYDRA = [f"mpiexec.mpich {options}" for options in ("-bind-to core", "-bind-to user:0,1", "-bind-to socket -map-by core")]
BOUND_MPIRUN = [f"{MPIRUN} {options}" for options in ("--bind-to core", "--map-by slot:PE=1 --bind-to core", "--bind-to numa")]
PLAIN_MPIRUN = [MPIRUN, *(f"{MPIRUN} {options}" for options in ("--map-by slot:PE=1", "--bind-to none", "--map-by ppr:2:node"))]
SPREAD = [f"srun {options}" for options in ("-m plane=2", "--hint=nomultithread", "--ntasks-per-core=1", "--exact")]
OTHERS = ["srun", "mpiexec.mpich", "mpiexec.mpich -n $SLURM_CPUS_ON_NODE", "srun -n1 --overlap srun --overlap -n2",
          "srun -n1 --overlap mpiexec.mpich -n 2", "srun --export=ALL,OMP_WAIT_POLICY=active env", "srun env -u LD_PRELOAD chroot /"]

RUN = """
run() {
    ranks=$("$@" echo rank 2>told)
    echo "$when, $*: $? with $(grep -cx rank <<<"$ranks") ranks, told $(grep -c 'the job is folded' told)"
    sed "s/^/$when: /" told
}
for when in folded unfolded again; do
    until [ -e $when.$SLURM_JOB_ID ]; do sleep 0.2; done
    %s
done
"""


@pytest.fixture(scope="module")
def cluster(confined):
    return confined


def ends(cluster, job_id, when):
    """Of the script's commands: (command, exit status, ranks, how often it was told that the job is folded) each."""
    return re.findall(rf"^{when}, (.*): (\d+) with (\d+) ranks, told (\d+)$", cluster.output(job_id), re.M)


def run_while(cluster, job_id, when, commands):
    """Lets the script run its commands, and waits for one after the other; command → how often it was told."""
    (cluster.directory / f"{when}.{job_id}").touch()
    for count, command in enumerate(commands, 1):
        cluster.wait_until(lambda count=count: len(ends(cluster, job_id, when)) >= count, f"{command}, while {when}")
    told = ends(cluster, job_id, when)
    assert all(end[1:3] == ("0", "2") for end in told), cluster.output(job_id)
    return {command: int(times) for command, _, _, times in told}


def tell(cluster, commands):
    """Runs them in a job that starts folded, is unfolded and folded again; how often they were told each time."""
    other = cluster.submit(FOREVER, "-n1")
    wait_tasks(cluster, other, 1)
    job_id = submit_vm(cluster, "long", 2, script=RUN % "\n    ".join(f"run {command}" for command in commands))
    assert cluster.wait_state(job_id, "RUNNING").core_count == 1
    yield run_while(cluster, job_id, "folded", commands)
    cluster.run("scancel", other)
    wait_cores(cluster, job_id, 2)
    wait_confined(cluster, job_id)
    yield run_while(cluster, job_id, "unfolded", commands)
    short = submit_vm(cluster, "short", 1)
    wait_tasks(cluster, short, 1)
    wait_cores(cluster, job_id, 1)
    wait_confined(cluster, job_id)
    yield run_while(cluster, job_id, "again", commands)


@pytest.mark.core
def test_steps_run_however_they_are_bound_and_whether_the_job_is_folded(cluster):
    folded, unfolded, again = tell(cluster, NUMBERED + NAMED + SPREAD + HYDRA + OTHERS)
    assert set(unfolded.values()) == {0}
    assert folded == again == {command: int(command in NUMBERED) for command in folded}


@pytest.mark.core
@OPEN_MPI
def test_open_mpi_runs_however_it_is_told_to_bind_and_whether_the_job_is_folded(cluster):
    folded, unfolded, again = tell(cluster, BOUND_MPIRUN + PLAIN_MPIRUN)
    assert set(unfolded.values()) == {0}
    assert folded == again == {command: int(command in BOUND_MPIRUN) for command in folded}
