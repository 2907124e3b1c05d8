# SPDX-License-Identifier: GPL-2.0-or-later
"""The program that stands for an application in experiments/evaluate goes by the cores that its job has at every moment."""

import time

import evidence
import pytest
from evaluation import play, real_mpi, record
from evaluation.policies import POLICIES
from evaluation.run import Settings
from scenario import send_guest, submit_vm, unfolded, vmall_conf, wait_cores
from vmcluster import Cluster, Node

pytestmark = pytest.mark.usefixtures("experiments")

# Table 3.2 of Utrera's thesis: EP.B takes 373 s with one process and 49 with 8; between by straight lines of speed-up.
SPEEDUP_OF_4 = 1 + (373 / 49 - 1) * 3 / 7
FOLDED_BY_4 = 1.11  # takes so many times longer than one process, in the tests
CLOCK = 10
SLOW_CLOCK = 3  # for a job that is to be folded and to unfold meanwhile
BUSY = 30  # seconds by which a machine that has other things to do may be late


def script(build, one_process, before_launch="", clock=CLOCK):
    settings = Settings(clock, duration=None, folding_cost=f"1.04,{FOLDED_BY_4}", one_process=one_process)
    return play.script(build.stand_in, "--application=EP.B", settings, before_launch)


@pytest.mark.parametrize("one_process", [False, True], ids=["every process", "one for all"])
def test_run_time_is_that_of_the_model_through_a_fold_and_an_unfold(cluster, build, one_process):
    jobs = unfolded(cluster, script(build, one_process, clock=SLOW_CLOCK), tasks=1 if one_process else 4)
    send_guest(cluster, jobs)
    wait_cores(cluster, jobs.folded, 1)
    cluster.run("scancel", jobs.guest)
    wait_cores(cluster, jobs.folded, 4)
    assert cluster.wait_end(jobs.folded).state == "COMPLETED"

    run = record.read(cluster.output(jobs.folded)).last
    assert [(share.cores, share.mpl) for share in run.shares] == [(4, 1), (1, 4), (4, 1)]
    assert 0 <= run.ends - run.due < BUSY
    _, folded, grown = (share.time for share in run.shares)
    lost = (grown - folded) * (1 - 1 / (SPEEDUP_OF_4 * FOLDED_BY_4))
    by_the_model = 373 / SPEEDUP_OF_4 / SLOW_CLOCK + lost
    assert (run.due - run.begins) / by_the_model == pytest.approx(1, abs=0.02)


def test_agent_measures_the_part_of_its_time_that_it_would_not_wait(cluster, build):
    settings = Settings(clock=1, duration=None, folding_cost="1.04", one_process=False)
    with vmall_conf(cluster, SurveyInterval=1):
        job_id = submit_vm(cluster, "long", 4, script=play.script(build.stand_in, "--seconds=600 --useful=40", settings))
        cluster.wait_state(job_id, "RUNNING")
        cluster.wait_until(lambda: 30 <= cluster.vmctl_jobs()[job_id].get("useful_percent", 100) <= 50, "its useful share")
        cluster.run("scancel", job_id)


def test_program_that_computes_is_followed_through_a_fold_and_an_unfold(cluster, build):
    end = cluster.directory / "end"
    program = real_mpi.command(build, {"stencil": {"amount": f"1 until:{end}"}}, "stencil")
    jobs = unfolded(cluster, play.framed(program), tasks=4)
    send_guest(cluster, jobs)
    wait_cores(cluster, jobs.folded, 1)
    cluster.wait_until(lambda: "cores=1 mpl=4" in cluster.output(jobs.folded), "the record of the fold")
    cluster.run("scancel", jobs.guest)
    cluster.wait_until(lambda: cluster.output(jobs.folded).count("cores=4 mpl=1") == 2, "the record of the unfold")
    end.touch()
    assert cluster.wait_end(jobs.folded).state == "COMPLETED"

    found = record.read(cluster.output(jobs.folded))
    assert [(share.cores, share.mpl) for share in found.last.shares] == [(4, 1), (1, 4), (4, 1)]
    assert found.last.processes == 4 and found.last.due is None
    assert found.last.begins < found.last.shares[1].time < found.last.shares[2].time < found.last.ends


def test_program_that_fails_has_no_complete_record(cluster, build):
    job = cluster.submit(play.framed(real_mpi.command(build, {"stencil": {"amount": -1}}, "stencil")), "--ntasks=1")
    assert cluster.wait_end(job).state == "FAILED"
    with pytest.raises(record.IncompleteRecord):
        record.read(cluster.output(job))


def test_job_that_is_not_virtually_malleable_is_never_slower(cluster, build):
    job = cluster.submit(script(build, one_process=False), "--ntasks=4")
    assert cluster.wait_end(job).state == "COMPLETED"
    run = record.read(cluster.output(job)).last
    assert [(share.cores, share.mpl) for share in run.shares] == [(4, 1)]
    assert (run.due - run.begins) * CLOCK == pytest.approx(373 / SPEEDUP_OF_4, rel=1e-3)


def test_jobs_that_take_turns_get_nowhere_meanwhile(build, request):
    gang = POLICIES["gang"]
    taking_turns = Cluster(None, "stock", [Node("n1", 4)], slurm_conf=gang.slurm_conf,
                           partitions={"main": f"Nodes=ALL Default=YES {gang.partition}"}, keep=True)
    with evidence.watched(request, taking_turns) as cluster:
        text = script(build, one_process=False, before_launch=gang.before_launch)
        jobs = [cluster.submit(text, "--ntasks=4", "--time=10") for _ in range(2)]
        assert [cluster.wait_end(job).state for job in jobs] == ["COMPLETED"] * 2
        runs = [record.read(cluster.output(job)).last for job in jobs]

    turns = [[(max(share.time, run.begins), min(end, run.ends)) for share, end in run.stretches()] for run in runs]
    for those in turns:
        assert len(those) >= 2, "it was suspended"
        assert sum(end - begin for begin, end in those) * CLOCK == pytest.approx(373 / SPEEDUP_OF_4, rel=0.05)
    of_all = sorted(sum(turns, []))
    for (_, end), (begin, _) in zip(of_all, of_all[1:]):
        assert end <= begin + 0.5, "one at a time"


def test_requeue_throws_away_what_the_job_held(build, request):
    requeueing = Cluster(build, nodes=[Node("n1", 4)], cred_expire=POLICIES["easy-requeue"].cred_expire, keep=True)
    with evidence.watched(request, requeueing) as cluster:
        job = submit_vm(cluster, "long", "4", script=script(build, one_process=False), options=["--open-mode=append"])
        cluster.wait_until(lambda: "stand-in: begins" in cluster.output(job), "the stand-in")
        requeued = time.time()
        cluster.run("scontrol", "requeue", job)
        assert cluster.wait_end(job).state == "COMPLETED"
        found = record.read(cluster.output(job))

    cut_short, last = found.attempts
    assert 0 <= cut_short.ended - requeued < BUSY
    assert found.wasted_core_seconds() == 4 * (cut_short.ended - cut_short.started)
    assert last.started - cut_short.ended < 6 + BUSY, "as soon as the credential has expired"
    assert (last.due - last.begins) * CLOCK == pytest.approx(373 / SPEEDUP_OF_4, rel=1e-3), "from the beginning"
