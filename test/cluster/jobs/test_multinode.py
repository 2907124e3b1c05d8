# SPDX-License-Identifier: GPL-2.0-or-later
"""Jobs over several nodes: folded and unfolded on all of them together."""

import pytest
from scenario import (FOREVER, Silenced, send_guest, stays, submit_vm, unfolded, wait_confined, wait_cores, wait_tasks,
                      wait_unanswered)
from vmcluster import Node

CLUSTER = {"nodes": [Node("m1", 4), Node("m2", 4)], "vmall_conf": {"AgentTimeout": 5}}


def cores_per_node(job):
    return {node: len(cores) for node, cores in job.cores.items()}


def unfolded_over_two_nodes(cluster, script=FOREVER, tasks=4):
    jobs = unfolded(cluster, script, where=["-N2"], other=["-n4", "--ntasks-per-node=2"], guest_procs=2, tasks=tasks)
    assert cores_per_node(cluster.job(jobs.folded)) == {"m1": 2, "m2": 2}
    return jobs


@pytest.mark.core
def test_job_on_two_nodes_folds_and_unfolds_on_both(cluster):
    jobs = unfolded_over_two_nodes(cluster)
    tasks = wait_tasks(cluster, jobs.folded, 4)
    send_guest(cluster, jobs)
    assert cores_per_node(wait_cores(cluster, jobs.folded, 2)) == {"m1": 1, "m2": 1}
    wait_confined(cluster, jobs.folded)
    assert cores_per_node(cluster.wait_state(jobs.guest, "RUNNING")) == {"m1": 1, "m2": 1}
    cluster.run("scancel", jobs.guest)
    assert cores_per_node(wait_cores(cluster, jobs.folded, 4)) == {"m1": 2, "m2": 2}
    wait_confined(cluster, jobs.folded)
    assert cluster.tasks(jobs.folded) == tasks


@pytest.mark.core
@pytest.mark.log_errors(r"m2|[Cc]onnect|[Cc]ommunication|[Tt]imed? ?out|agent")
def test_nothing_is_released_while_one_node_does_not_answer(cluster):
    cluster.vmctl("set", "MaxMpl=1")  # a slurmctld that starts anew would ask the nodes first (24.11)
    jobs = unfolded_over_two_nodes(cluster)
    send_guest(cluster, jobs)
    with Silenced(cluster, "m2", "hangs"):
        cluster.vmctl("set", "MaxMpl=4")
        wait_unanswered(cluster, jobs.folded)
        assert stays(cluster, lambda: cluster.job(jobs.folded).core_count == 4)
        assert cluster.job(jobs.guest).state == "PENDING"
        assert cluster.violations() == []
    wait_cores(cluster, jobs.folded, 2)
    cluster.wait_state(jobs.guest, "RUNNING")
    wait_confined(cluster, jobs.folded)


def test_moldable_job_spreads_its_processes_equally(cluster):
    job_id = submit_vm(cluster, "short", "8,6", options=["-N2"])
    job = cluster.wait_state(job_id, "RUNNING")
    assert cores_per_node(job) == {"m1": 4, "m2": 4} and job.tasks == 8
    wait_tasks(cluster, job_id, 8)


def test_job_goes_over_as_many_nodes_as_its_size_needs_though_it_says_fewer_tasks(cluster):
    job_id = submit_vm(cluster, "short", "8", options=["-n1"])
    job = cluster.wait_state(job_id, "RUNNING")
    assert cores_per_node(job) == {"m1": 4, "m2": 4} and job.tasks == 8


def test_job_whose_script_computes_before_its_first_step_is_folded_on_both_nodes(cluster):
    go = cluster.root / "go"
    jobs = unfolded_over_two_nodes(cluster, f"while ! [ -e {go} ]; do sleep 0.1; done\n{FOREVER}", tasks=0)
    send_guest(cluster, jobs)
    cluster.wait_state(jobs.guest, "RUNNING")
    assert cores_per_node(wait_cores(cluster, jobs.folded, 2)) == {"m1": 1, "m2": 1}
    go.touch()
    wait_tasks(cluster, jobs.folded, 4)
    wait_confined(cluster, jobs.folded)


def test_step_that_waits_for_its_turn_holds_up_no_fold(cluster):
    """Slurm keeps a placeholder of it, on all nodes of the job."""
    on_one_node = "srun -N1 -n2 -w m1 sleep 600"
    jobs = unfolded_over_two_nodes(cluster, f"{on_one_node} & {on_one_node} & wait", tasks=2)
    cluster.wait_until(lambda: "State=PENDING" in cluster.run("scontrol", "show", "steps").stdout, "the second step to wait")
    send_guest(cluster, jobs)
    assert cores_per_node(wait_cores(cluster, jobs.folded, 2)) == {"m1": 1, "m2": 1}
    cluster.wait_state(jobs.guest, "RUNNING")
