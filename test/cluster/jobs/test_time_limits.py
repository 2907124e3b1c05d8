# SPDX-License-Identifier: GPL-2.0-or-later
"""Time limits count work: nobody is ended for having been folded, and nobody has more time for it than folding costs."""

import re
from datetime import datetime

import pytest
from scenario import FOREVER, allocated, stays, submit_vm, vmall_conf, wait_cores, wait_passes, wait_tasks

CLUSTER = {
    "accounting": True,
    "partitions": {"main": "Nodes=ALL Default=YES", "bounded": "Nodes=ALL"},
}


def minutes(limit):
    """Of what scontrol shows as a limit."""
    days, _, rest = limit.rpartition("-")
    hours, mins, seconds = map(int, rest.split(":"))
    return (int(days or 0) * 24 + hours) * 60 + mins + seconds / 60


def limit_of(job):
    return minutes(job.fields["TimeLimit"])


def seconds_between(job, begin, end):
    moments = (datetime.fromisoformat(job.fields[name]) for name in (begin, end))
    return -(next(moments) - next(moments)).total_seconds()


def step_limit(cluster, job_id, step=0):
    shown = cluster.run("scontrol", "-o", "show", "step", f"{job_id}.{step}").stdout
    return minutes(re.search(r"TimeLimit=(\S+)", shown)[1])


def wait_limit(cluster, job_id, expected):
    """The job once its limit is so many minutes."""
    return cluster.wait_until(lambda: limit_of(job := cluster.job(job_id)) == expected and job,
                              f"the limit of job {job_id} to be {expected} minutes")


def submit_folded(cluster, *options, cores=2, script=FOREVER):
    """Two jobs that run: one without an interest in folding, on all but so many of the eight cores, and one of four processes
    for each core that is left."""
    other = cluster.submit(FOREVER, f"-n{8 - cores}")
    wait_tasks(cluster, other, 8 - cores)
    job_id = submit_vm(cluster, "long", 4 * cores, script=script, options=options)
    assert cluster.wait_state(job_id, "RUNNING").core_count == cores
    return other, job_id


def fold_later(cluster, *options):
    """A job of eight processes on all eight cores, and a short one for which it has to be folded."""
    job_id = submit_vm(cluster, "long", 8, options=options)
    wait_tasks(cluster, job_id, 8)
    return job_id, submit_vm(cluster, "short", 4, options=["--time=1"])


@pytest.mark.ours_alone
def test_job_that_is_folded_all_the_time_has_the_time_that_its_work_takes(cluster):
    _, job_id = submit_folded(cluster, "--time=1", cores=1, script="exec srun sleep 100")
    job = wait_limit(cluster, job_id, 5)
    assert seconds_between(job, "StartTime", "EndTime") == pytest.approx(264, abs=4)  # 60 s of work, 4.4 times
    squeue = cluster.run("squeue", "-h", "-o", "%l %e", "-j", job_id).stdout.split()
    assert squeue == ["5:00", job.fields["EndTime"]]
    ended = cluster.wait_end(job_id)
    assert ended.state == "COMPLETED"
    assert seconds_between(ended, "StartTime", "EndTime") > 90  # and would have been ended before: Slurm looks every 30 s


@pytest.mark.ours_alone
def test_work_that_takes_longer_than_its_limit_is_ended(cluster):
    other, job_id = submit_folded(cluster, "--time=1")
    wait_limit(cluster, job_id, 5)
    cluster.run("scancel", other)
    job = wait_cores(cluster, job_id, 8)
    assert limit_of(job) <= 4  # not yet all of the five that it would have had
    ended = cluster.wait_end(job_id)
    assert ended.state == "TIMEOUT"
    assert seconds_between(ended, "StartTime", "EndTime") >= 60


@pytest.mark.core
def test_fold_and_unfold_of_a_running_job_move_its_end(cluster):
    job_id, head = fold_later(cluster, "--time=60")
    wait_cores(cluster, job_id, 4)
    assert limit_of(cluster.job(job_id)) in (131, 132)  # 2.2 times what was left
    cluster.run("scancel", head)
    wait_cores(cluster, job_id, 8)
    assert 60 < limit_of(cluster.job(job_id)) < 80


@pytest.mark.core
def test_limits_of_steps_follow(cluster):
    script = "srun --time=1 sleep 600 & wait_for=$!; srun --overlap -n1 --time=7 sleep 600 & wait $wait_for; exit 0"
    other, job_id = submit_folded(cluster, "--time=60", script=script)
    cluster.wait_until(lambda: {step_limit(cluster, job_id, step) for step in (0, 1)} == {5, 31}, "both steps to have more time")
    cluster.run("scontrol", "update", f"StepId={job_id}.0", "TimeLimit=50")
    wait_passes(cluster)
    assert step_limit(cluster, job_id) == 50
    cluster.run("scancel", other)
    wait_cores(cluster, job_id, 8)
    cluster.wait_until(lambda: step_limit(cluster, job_id) < 30, "the step to have less time unfolded")
    assert step_limit(cluster, job_id) > 50 / 4.4


def test_step_that_begins_in_a_folded_job_has_lost_nothing_before(cluster):
    marker = cluster.directory / "begin"
    marker.unlink(missing_ok=True)
    script = f"while [ ! -e {marker} ]; do sleep 0.2; done; exec srun --time=10 sleep 600"
    _, job_id = submit_folded(cluster, "--time=60", script=script)
    wait_limit(cluster, job_id, 264)
    marker.touch()
    wait_tasks(cluster, job_id, 8)
    cluster.wait_until(lambda: step_limit(cluster, job_id) == 44, "the step to have the time that its work takes")


def test_requeued_job_has_the_limit_that_was_asked_for(cluster):
    _, job_id = submit_folded(cluster, "--time=60")
    wait_limit(cluster, job_id, 264)
    cluster.run("scontrol", "requeuehold", job_id)
    cluster.wait_state(job_id, "PENDING")
    wait_limit(cluster, job_id, 60)
    cluster.wait_saved()
    cluster.restart_slurmctld(kill=True)
    wait_passes(cluster)
    assert limit_of(cluster.job(job_id)) == 60
    # Refused while slurmdbd is being told of the job.
    cluster.wait_until(lambda: cluster.run("scontrol", "release", job_id).returncode == 0, "slurmctld to take the release")
    cluster.wait_state(job_id, "RUNNING")
    wait_limit(cluster, job_id, 264)


def test_suspended_time_is_nobodys(cluster):
    _, job_id = submit_folded(cluster, "--time=60")
    before = wait_limit(cluster, job_id, 264)
    cluster.run("scontrol", "suspend", job_id)
    suspended_at = datetime.now()
    cluster.wait_state(job_id, "SUSPENDED")
    assert stays(cluster, lambda: limit_of(cluster.job(job_id)) == 264, passes=5)
    cluster.run("scontrol", "resume", job_id)
    resumed = cluster.wait_state(job_id, "RUNNING")
    away = (datetime.now() - suspended_at).total_seconds()
    wait_passes(cluster)
    assert limit_of(cluster.job(job_id)) == 264
    moved = (datetime.fromisoformat(resumed.fields["EndTime"]) - datetime.fromisoformat(before.fields["EndTime"])).total_seconds()
    assert 0 < moved <= away + 60  # Slurm goes by whole minutes there


@pytest.mark.parametrize("limit", [352, 176], ids=["raised", "lowered"])
def test_limit_that_an_operator_sets_meanwhile_stands(cluster, limit):
    other, job_id = submit_folded(cluster, "--time=60")
    wait_limit(cluster, job_id, 264)
    cluster.run("scontrol", "update", f"JobId={job_id}", f"TimeLimit={limit}")
    assert stays(cluster, lambda: limit_of(cluster.job(job_id)) == limit)
    cluster.run("scancel", other)
    wait_cores(cluster, job_id, 8)
    left = limit / 4.4  # of work; some of it is done, and folded it took longer
    assert left <= limit_of(cluster.job(job_id)) < left + 20


def test_no_limit_stays_none(cluster):
    other, job_id = submit_folded(cluster, "--time=UNLIMITED")
    assert stays(cluster, lambda: cluster.job(job_id).fields["TimeLimit"] == "UNLIMITED")
    cluster.run("scontrol", "update", f"JobId={job_id}", "TimeLimit=60")
    assert stays(cluster, lambda: limit_of(cluster.job(job_id)) >= 60)
    cluster.run("scancel", other)
    wait_cores(cluster, job_id, 8)


@pytest.mark.core
def test_killed_controller_gives_no_time_twice(cluster):
    other, job_id = submit_folded(cluster, "--time=60")
    before = wait_limit(cluster, job_id, 264)
    cluster.wait_saved()
    cluster.restart_slurmctld(kill=True)
    wait_passes(cluster)
    after = cluster.job(job_id)
    assert limit_of(after) == 264
    assert after.fields["EndTime"] == before.fields["EndTime"]
    cluster.run("scancel", other)
    wait_cores(cluster, job_id, 8)
    assert 60 <= limit_of(cluster.job(job_id)) < 80


def test_controller_that_is_killed_before_slurm_has_saved_extends_the_limit_again(cluster):
    _, job_id = submit_folded(cluster, "--time=60")
    wait_limit(cluster, job_id, 264)
    cluster.wait_saved()
    cluster.slurmctld.kill()
    saved = cluster.root / "state" / "vmall_jobs"
    text = saved.read_text()
    assert '"granted": 264' in text
    saved.write_text(text.replace('"granted": 264', '"granted": 60', 1).replace('"mpl": 4', '"mpl": 1'))
    cluster.start_slurmctld()
    cluster.wait_ready()
    wait_passes(cluster)
    assert limit_of(cluster.job(job_id)) in (263, 264)


def test_slurmdbd_has_the_limit(cluster):
    _, job_id = submit_folded(cluster, "--time=60")
    wait_limit(cluster, job_id, 264)
    cluster.run("scancel", job_id)
    cluster.wait_end(job_id)

    def recorded():
        return cluster.run("sacct", "-n", "-X", "-D", "-j", job_id, "-o", "TimelimitRaw").stdout.split()
    cluster.wait_until(lambda: recorded()[-1:] == ["264"], "slurmdbd to know")


# What cannot be extended

def assert_not_folded(cluster, job_id, head):
    assert stays(cluster, lambda: cluster.job(head).state == "PENDING" and cluster.job(job_id).core_count == 8)


@pytest.mark.core
def test_job_is_folded_only_as_deep_as_its_deadline_allows(cluster):
    job_id, head = fold_later(cluster, "--time=60", "--deadline=now+100minutes")
    assert_not_folded(cluster, job_id, head)
    cluster.run("scancel", job_id)
    cluster.wait_end(job_id)
    cluster.run("scancel", head)
    job_id, head = fold_later(cluster, "--time=60", "--deadline=now+300minutes")
    wait_cores(cluster, job_id, 4)


def reserve(cluster, start, *options):
    cluster.run("scontrol", "create", "reservation", "reservationname=booked", f"starttime={start}", "duration=10", "user=root",
                "nodes=n1", *options)


@pytest.fixture
def no_reservation(cluster):
    yield
    cluster.cancel_all()
    cluster.run("scontrol", "delete", "reservation=booked", check=False)


@pytest.mark.usefixtures("no_reservation")
def test_job_is_not_folded_into_a_reservation(cluster):
    reserve(cluster, "now+100minutes")
    job_id, head = fold_later(cluster, "--time=60")
    assert_not_folded(cluster, job_id, head)
    cluster.run("scontrol", "delete", "reservation=booked")
    wait_cores(cluster, job_id, 4)


@pytest.mark.usefixtures("no_reservation")
def test_job_is_unfolded_for_a_reservation_that_is_made_later(cluster):
    other, job_id = submit_folded(cluster, "--time=60")
    waiting = submit_vm(cluster, "long", 8, options=["--time=10"])
    reserve(cluster, "now+100minutes", "flags=ignore_jobs")
    # Until then it could not be resized, and the cores would be the other's.
    cluster.wait_until(lambda: cluster.vmctl_stats()["jobs_unrecorded"] == 0, "slurmdbd to have numbered its record")
    wait_passes(cluster)
    cluster.run("scancel", other)
    wait_cores(cluster, job_id, 8)
    assert cluster.job(waiting).state == "PENDING"


@pytest.mark.usefixtures("no_reservation")
def test_job_of_a_reservation_is_not_folded_beyond_its_end(cluster):
    reserve(cluster, "now", "duration=100", "flags=ignore_jobs")
    job_id, head = fold_later(cluster, "--time=60", "--reservation=booked")
    cluster.run("scontrol", "update", f"JobId={head}", "ReservationName=booked")
    assert_not_folded(cluster, job_id, head)


@pytest.mark.core
def test_hard_limit_of_a_partition_is_not_exceeded(cluster):
    cluster.run("scontrol", "update", "PartitionName=bounded", "MaxTime=60")
    cluster.vmctl("set", "HardLimits=partition")
    job_id, head = fold_later(cluster, "--time=40", "--partition=bounded")
    assert_not_folded(cluster, job_id, head)
    assert "It is not folded: its work would end after its limit" in cluster.vmctl("why", job_id).stdout
    cluster.vmctl("set", "HardLimits=none")
    wait_cores(cluster, job_id, 4)
    assert limit_of(cluster.job(job_id)) > 60


def test_site_that_extends_no_limit_folds_only_what_it_does_not_cost(cluster):
    with vmall_conf(cluster, LimitExtension=0):
        job_id, head = fold_later(cluster, "--time=60")
        assert_not_folded(cluster, job_id, head)
        cluster.vmctl("set", "LimitExtension=7200")
        wait_cores(cluster, job_id, 4)


def test_allocation_of_salloc(cluster):
    other = cluster.submit(FOREVER, "-n6")
    wait_tasks(cluster, other, 6)
    with allocated(cluster, "-n8", "--time=60", "--vm-class=long", "srun", "sleep", "600") as (job_id, _):
        cluster.wait_state(job_id, "RUNNING")
        wait_limit(cluster, job_id, 264)
