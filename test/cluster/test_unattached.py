# SPDX-License-Identifier: GPL-2.0-or-later
"""A job that keeps its steps from being attached gains nothing by it."""

import pytest
from scenario import FOREVER, Story, allocated, fold, send_guest, stays, submit_vm, vm_options, wait_confined, wait_tasks

UNATTACHED = r"virtual malleability: the node's settings hold"


def told(cluster, text):
    return (cluster.root / "log/slurmctld.log").read_text(errors="replace").count(text)


@pytest.mark.log_errors(UNATTACHED)
def test_a_bad_variable_in_sruns_environment_keeps_no_step_from_being_folded(cluster):
    jobs = fold(cluster, f"export SLURM_SPANK_VMALL_RUNTIME_SETTINGS=nonsense\n{FOREVER}")
    wait_confined(cluster, jobs.folded)


@pytest.mark.core
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


def test_a_job_whose_steps_never_register_is_scheduled_like_the_others(cluster):
    other = cluster.submit(FOREVER, "-n4")
    wait_tasks(cluster, other, cluster.wait_state(other, "RUNNING").tasks)
    with allocated(cluster, *vm_options("long", 4), "srun", "--no-vm", "sleep", "600") as (evader, _):
        wait_tasks(cluster, evader, 4)
        story = Story(other, evader)
        send_guest(cluster, story)
        why = f"JobId={evader} cannot be folded (the job runs here unattached)"
        cluster.wait_until(lambda: told(cluster, why), "the controller to give the job up")
        cluster.wait_until(lambda: evader not in cluster.vmctl_jobs(), "the job to be one like the others")
        refused = cluster.vmctl_stats()["refusals_by_nodes"]
        assert stays(cluster, lambda: cluster.vmctl_stats()["refusals_by_nodes"] == refused, passes=10)
        cluster.wait_saved()
        cluster.restart_slurmctld()
        assert stays(cluster, lambda: evader not in cluster.vmctl_jobs())
        assert told(cluster, why) == 1
        assert cluster.job(evader).core_count == 4
        cluster.run("scancel", evader)
        wait_tasks(cluster, story.guest, cluster.wait_state(story.guest, "RUNNING").tasks)
