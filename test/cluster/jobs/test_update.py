# SPDX-License-Identifier: GPL-2.0-or-later
"""What users do to their running jobs with scontrol while these are folded."""

import pytest
from scenario import FOREVER, submit_vm, wait_cores
from vmcluster.cluster import Node

CLUSTER = {"nodes": [Node("n1"), Node("n2")]}


def folded_on_two_nodes(cluster):
    """A job of 16 processes on both nodes, folded onto half of them, and the job it was folded for."""
    script = "srun --no-kill sleep 600 & while sleep 0.5; do tr '\\n' ' ' <$VMALL_ALLOTMENT; echo; done"
    job = cluster.submit(script, "--vm-procs=16", "--time=60", "-N2")
    wait_read(cluster, job, "cores=8 mpl=1 cpus=")
    short = submit_vm(cluster, "short", 8, options=["-N2"])
    wait_cores(cluster, job, 8)
    cluster.wait_state(short, "RUNNING")
    return job, short


def wait_read(cluster, job, text):
    cluster.wait_until(lambda: text in cluster.output(job), f"the script to read {text}")


def wait_row(cluster, job, **wanted):
    cluster.wait_until(lambda: (row := cluster.vmctl_jobs().get(job)) and all(row[key] == value for key, value in wanted.items()),
                       f"vmctl to show {wanted} for job {job}")


@pytest.mark.core
def test_nodes_given_back_leave_a_smaller_job(cluster):
    job, short = folded_on_two_nodes(cluster)
    refused = cluster.run("scontrol", "update", f"JobId={job}", "NumNodes=1", check=False)
    assert refused.returncode != 0, "Slurm wants a CPU for each task that the job began with"
    wait_row(cluster, job, processes=16, mpl=2, nodes=[{"node": "n1", "cores": 4}, {"node": "n2", "cores": 4}])
    cluster.run("scontrol", "update", f"JobId={job}", "ReqNodeList=n1")
    wait_row(cluster, job, processes=8, full_cores=8, mpl=2, nodes=[{"node": "n1", "cores": 4}], resize_pending=False)
    assert cluster.violations() == []
    cluster.run("scancel", short)
    wait_row(cluster, job, mpl=1, nodes=[{"node": "n1", "cores": 8}], resize_pending=False)
    on_the_other = cluster.submit(FOREVER, "-n8", "-w", "n2")
    cluster.wait_state(on_the_other, "RUNNING")


@pytest.mark.core
def test_a_script_can_read_what_its_job_has(cluster):
    job, short = folded_on_two_nodes(cluster)
    wait_read(cluster, job, "cores=4 mpl=2 cpus=")
    cluster.run("scancel", short)
    cluster.wait_until(lambda: cluster.output(job).rstrip().rpartition("\n")[2].startswith("cores=8 mpl=1 "),
                       "the script to read that it has grown")


def test_tasks_are_told_by_the_signal_they_asked_for(cluster):
    script = """exec srun sh -c 'trap "cat $VMALL_ALLOTMENT" USR1; echo ready; while sleep 0.2; do :; done'"""
    job = cluster.submit(script, "--vm-procs=8", "--time=60", "--vm-runtime=signal=usr1")
    cluster.wait_until(lambda: cluster.output(job).count("ready") == 8, "the tasks to be ready")
    assert "mpl=" not in cluster.output(job)
    short = submit_vm(cluster, "short", 12, options=["-N2"])
    cluster.wait_until(lambda: cluster.output(job).count("mpl=4") >= 8, "all tasks to be told")
    cluster.run("scancel", short)
    cluster.wait_until(lambda: cluster.output(job).count("mpl=1") >= 8, "all tasks to be told again")


def test_time_limits_of_a_folded_job_count_at_once(cluster):
    job, _ = folded_on_two_nodes(cluster)
    wait_row(cluster, job, **{"class": "long"})
    cluster.run("scontrol", "update", f"JobId={job}", "TimeLimit=5")
    wait_row(cluster, job, **{"class": "short"})
    cluster.run("scontrol", "update", f"JobId={job}", "TimeLimit=2:00:00")
    wait_row(cluster, job, **{"class": "long"}, mpl=2)
    assert cluster.job(job).fields["TimeLimit"] == "02:00:00"


def test_nice_of_a_folded_job_changes_nothing_else(cluster):
    job, _ = folded_on_two_nodes(cluster)
    cluster.run("scontrol", "update", f"JobId={job}", "Nice=100")
    wait_row(cluster, job, mpl=2, resize_pending=False)


@pytest.mark.core
@pytest.mark.parametrize("change", ["NumTasks=2", "NumCPUs=4", "NumNodes=3", "NumNodes=0"])
def test_other_sizes_of_a_running_job_are_refused(cluster, change):
    job = cluster.submit("exec sleep 600", "--vm-procs=4", "--vm-class=long")
    wait_cores(cluster, job, 4)
    done = cluster.run("scontrol", "update", f"JobId={job}", change, check=False)
    assert done.returncode != 0 and done.stderr
    wait_row(cluster, job, processes=4, nodes=[{"node": "n1", "cores": 4}])
