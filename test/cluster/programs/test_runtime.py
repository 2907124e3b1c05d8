# SPDX-License-Identifier: GPL-2.0-or-later
"""How the ranks of a job share cores: vmall.conf, --vm-runtime, and what reaches the control block."""

from dataclasses import dataclass

import pytest
from scenario import fold, submit_vm, wait_cores, wait_tasks
from vmcluster import control_block
from vmcluster.slurm import SlurmError

CLUSTER = {"vmall_conf": {"RunQueues": "local", "NextRank": "messages"}}

SECOND_STEP = """
srun sleep 600 &
until [ -e next.$SLURM_JOB_ID ]; do sleep 0.2; done
exec srun --overlap --vm-runtime=queues=kernel sleep 601
"""


@dataclass(frozen=True)
class Settings:
    next_rank: str = "messages"
    run_queues: str = "local"
    coscheduling: str = "self"


def block_of(cluster, job_id):
    return control_block.read(cluster.root / "run" / "n1" / str(job_id) / "control")


def settings_of(cluster, job_id):
    block = block_of(cluster, job_id)
    return Settings(block.next_rank, block.run_queues, block.coscheduling)


def test_job_without_a_list_has_the_settings_of_its_node(cluster):
    job_id = submit_vm(cluster, "long", 2)
    wait_tasks(cluster, job_id, 2)
    assert settings_of(cluster, job_id) == Settings()
    assert (block_of(cluster, job_id).cpus_per_rank, block_of(cluster, job_id).node_count) == (1, 1)


def test_script_that_starts_ranks_itself_has_a_cpu_for_each(cluster):
    """Slurm counts all CPUs of the job for the only task of its script."""
    job_id = submit_vm(cluster, "long", 4, script="exec sleep 600")
    block = cluster.root / "run/n1" / str(job_id) / "control"
    cluster.wait_until(block.exists, "the script's step to register")
    assert block_of(cluster, job_id).cpus_per_rank == 1


@pytest.mark.core
def test_folded_job_keeps_the_settings_it_asked_for(cluster):
    asked = Settings("sender", "detect")
    jobs = fold(cluster, options=["--vm-runtime=next=sender,queues=detect"])
    assert block_of(cluster, jobs.folded).mpl == 4
    assert settings_of(cluster, jobs.folded) == asked
    cluster.run("scancel", jobs.guest)
    wait_cores(cluster, jobs.folded, 4)
    assert settings_of(cluster, jobs.folded) == asked


def test_line_in_the_script_counts_without_any_environment(cluster):
    job_id = submit_vm(cluster, "long", 2, script="#SBATCH --vm-runtime=coscheduling=none\nexec /bin/sleep 600",
                       options=["--export=NONE"])
    block = cluster.root / "run/n1" / str(job_id) / "control"
    cluster.wait_until(lambda: block.exists() and settings_of(cluster, job_id) == Settings(coscheduling="none"),
                       "the batch step's settings")


def test_last_step_decides_for_the_job(cluster):
    job_id = submit_vm(cluster, "long", 2, script=SECOND_STEP, options=["--vm-runtime=queues=detect,next=sender"])
    wait_tasks(cluster, job_id, 2)
    assert settings_of(cluster, job_id) == Settings("sender", "detect")
    (cluster.directory / f"next.{job_id}").touch()
    cluster.wait_until(lambda: settings_of(cluster, job_id) == Settings(run_queues="kernel"), "the second step")


@pytest.mark.core
@pytest.mark.parametrize("text, said", [
    ("queues=global", '--vm-runtime: queues: "global" is not one of local, kernel, detect'),
    ("speed=9", '--vm-runtime: "speed=9" is not one of coscheduling=, next=, queues='),
])
def test_mistake_is_refused_when_it_is_submitted(cluster, text, said):
    with pytest.raises(SlurmError, match="--vm-runtime") as refused:
        submit_vm(cluster, "long", 2, options=[f"--vm-runtime={text}"])
    assert said in str(refused.value)
