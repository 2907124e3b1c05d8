# SPDX-License-Identifier: GPL-2.0-or-later
"""experiments/evaluate, in short: 90 seconds of a workload at twenty times its speed, under all policies."""

import csv
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
from evaluation import corbalan, predictions, real_mpi
from evaluation.policies import POLICIES
from evaluation.workloads import RECORDED, WORKLOADS
from scenario import MODULES, send_twice
from vmcluster import processes, waiting

pytestmark = pytest.mark.usefixtures("experiments")

WORDS = ["--duration=1:30", "--clock=20", "--workloads=high-80", "--seeds=1", "--one-process"]


def command(build, out, *words):
    return [sys.executable, "-B", "-m", "evaluation", f"--build={build.directory}", f"--out={out}", *WORDS, *words]


def evaluate(build, out, *words):
    return subprocess.run(command(build, out, *words), env={**os.environ, "PYTHONPATH": MODULES}, text=True,
                          capture_output=True, timeout=1800, check=False)


def rows(path):
    with open(path, encoding="utf-8", newline="") as file:
        return {row["job"]: row for row in csv.DictReader(file)}


def summary(folder):
    return json.loads((folder / "summary.json").read_text(encoding="utf-8"))


def workload(folder):
    """Fields of the jobs in a log, by job."""
    lines = (folder / "workload.swf").read_text(encoding="utf-8").splitlines()
    return {line.split()[0]: line.split() for line in lines if line[0] != ";"}


@pytest.fixture(scope="module", name="every_policy")
def fixture_every_policy(build, tmp_path_factory):
    """Where all policies have been run on one workload."""
    out = tmp_path_factory.mktemp("every-policy")
    done = evaluate(build, out, "--at-once=3")
    assert done.returncode == 0, done.stdout + done.stderr
    return out / "1x60/high-80/right/largest"


def test_every_policy_is_in_the_report(every_policy):
    out = every_policy.parents[3]
    report = (out / "report.md").read_text(encoding="utf-8")
    assert report.startswith("# A real Slurm with sleeping stand-ins for programs\n")
    assert "What do jobs gain and lose under the default of vmall.conf?" in report
    assert "20 times as fast" in report
    for name in POLICIES:
        for kind in ("short", "long"):
            assert f"\n| {name} | {kind} | " in report
        assert f"\n| {name} | 1 | " in report
        assert name == "stock" or f"- {name}: the mean response is " in report
    pictures = re.findall(r"\]\((report/[\w-]+\.svg)\)", report)
    assert pictures == [f"report/{name}.svg" for name in ("high-response", "high-wait", "high-execution", "allotments")]
    assert all("</svg>" in (out / name).read_text(encoding="utf-8") for name in pictures)


@pytest.mark.parametrize("policy", POLICIES)
def test_every_job_ends_and_none_is_faster_than_its_application(every_policy, policy):
    folder = every_policy / policy / "seed-1"
    jobs, measured = workload(folder), rows(folder / "jobs.csv")
    assert measured.keys() == jobs.keys()
    for job, found in measured.items():
        assert float(found["run_time"]) >= float(jobs[job][3]), "what it takes alone with as many processes as it accepts"
    assert not summary(folder)["log_errors"]


def test_only_what_vmsim_knows_is_predicted(every_policy):
    for name, policy in POLICIES.items():
        folder = every_policy / name / "seed-1"
        found = summary(folder)
        assert (found["predicted"] is not None) == (folder / "predicted").exists() == policy.is_simulated
        assert len(found["predicted_with_delays"] or []) == (1 + predictions.DEALS if policy.is_simulated else 0)
    stock = every_policy / "stock/seed-1"
    predicted = rows(stock / "predicted/easy/jobs.csv")
    assert all(found["processes"] == predicted[job]["processes"] for job, found in rows(stock / "jobs.csv").items())


def test_complete_runs_are_kept_and_interrupted_ones_made_again(build, every_policy):
    stock, fjt4 = (every_policy / name / "seed-1/summary.json" for name in ("stock", "fjt4"))
    finished = stock.stat().st_mtime_ns
    fjt4.unlink()
    done = evaluate(build, every_policy.parents[3], "--policies=stock,fjt4")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "stock, high-80 on 1x60, estimates right, sizes largest, seed 1: is there already" in done.stdout
    assert stock.stat().st_mtime_ns == finished and fjt4.exists()


def test_report_alone_makes_no_run(build, tmp_path):
    done = evaluate(build, tmp_path, "--report-only")
    assert done.returncode == 1
    assert f"{tmp_path} has no complete run to report" in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_users_may_size_their_jobs_well_and_estimate_them_wrongly(build, tmp_path):
    done = evaluate(build, tmp_path, "--policies=bfm-requeue", "--estimates=under", "--sizes=efficient")
    assert done.returncode == 0, done.stdout + done.stderr
    folder = tmp_path / "1x60/high-80/under/efficient/bfm-requeue/seed-1"
    jobs, measured = workload(folder), rows(folder / "jobs.csv")
    assert any(float(job[8]) < float(job[3]) for job in jobs.values()), "the requested time is less than the run time"
    assert {job[7] for job in jobs.values() if job[14] == "1"} == {"9"}, "as many as BT.W and Sweep3D run well with"
    assert all(int(found["processes"]) <= int(jobs[job][7]) for job, found in measured.items())
    assert measured.keys() == rows(folder / "predicted/vmall.conf/jobs.csv").keys()


def test_jobs_run_over_several_nodes(build, tmp_path):
    done = evaluate(build, tmp_path, "--policies=fjt4", "--machines=4x16")
    assert done.returncode == 0, done.stdout + done.stderr
    folder = tmp_path / "4x16/high-80/right/largest/fjt4/seed-1"
    jobs, measured = workload(folder), rows(folder / "jobs.csv")
    assert measured.keys() == jobs.keys() == rows(folder / "predicted/vmall.conf/jobs.csv").keys()
    assert any(int(found["processes"]) > 16 for found in measured.values())
    for job, found in measured.items():
        assert float(found["run_time"]) >= float(jobs[job][3])
    with open(folder / "allotments.csv", encoding="utf-8", newline="") as file:
        for share in csv.DictReader(file):
            assert int(share["cores"]) * int(share["mpl"]) >= int(measured[share["job"]]["processes"]), share
    assert not summary(folder)["log_errors"]


@pytest.fixture(name="short_path")
def directory_with_a_short_path():
    """slurmstepd's sockets are in it, whose names may have 107 characters; pytest's own directories may have 70."""
    with tempfile.TemporaryDirectory(prefix="ev.") as path:
        yield Path(path)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_interrupting_ends_all_clusters(build, short_path, number):
    environment = {**os.environ, "PYTHONPATH": MODULES, "TMPDIR": str(short_path)}
    said = short_path / "said"

    def jobs_run():
        return len(list(short_path.glob("vmcluster.*/jobs/*.out"))) >= 4

    with open(said, "w", encoding="utf-8") as log, \
            subprocess.Popen(command(build, short_path / "out", "--policies=stock,psa", "--at-once=2", "--duration=60:00"),
                             env=environment, stdout=log, stderr=log) as running:
        try:
            waiting.until(lambda: running.poll() is not None or jobs_run())
            ran = jobs_run()
            send_twice(running, number)
            assert running.wait(waiting.LIMIT) not in (0, None)
        finally:
            running.kill()
    assert ran, said.read_text(encoding="utf-8")
    assert said.read_text(encoding="utf-8").splitlines()[-1].startswith("evaluate: interrupted; ")
    assert not list(short_path.glob("vmcluster.*"))
    assert not processes.with_environment(TMPDIR=str(short_path))


def test_other_settings_need_another_directory(build, tmp_path):
    kept = tmp_path / "1x60/high-80/right/largest/bfm/seed-1"
    kept.mkdir(parents=True)
    (kept / "summary.json").write_text('{"settings": {"clock": 10}}', encoding="utf-8")
    done = evaluate(build, tmp_path, "--policies=bfm")
    assert done.returncode == 1
    assert "was made with other settings" in done.stderr and "choose another --out" in done.stderr


def test_workload_without_jobs_is_refused(build, tmp_path):
    done = evaluate(build, tmp_path, "--policies=bfm", "--workloads=w1", "--seeds=3", "--duration=0:01")
    assert done.returncode == 1
    assert "no jobs: a longer duration makes some" in done.stderr


def test_workloads_are_those_of_vmsim(build):
    done = subprocess.run([build.vmsim, "generate", "--workload=all"], text=True, capture_output=True, check=False,
                          timeout=waiting.LIMIT)
    ours = {RECORDED, real_mpi.NAME, *corbalan.NAMES}
    assert done.stderr.strip().endswith("there are " + ", ".join(name for name in WORKLOADS if name not in ours))


def test_first_jobs_of_a_log(build, tmp_path):
    log = tmp_path / "log.swf"
    log.write_text("".join(f"{job} {1000 + job} -1 {seconds} {cores} -1 -1 {cores} 100 -1 1 1 -1 -1 1 -1 -1 -1\n"
                           for job, seconds, cores in ((1, 60, 4), (2, 40, 2), (3, 40, 2))))
    done = evaluate(build, tmp_path, "--workloads=recorded", f"--log={log}", "--jobs=2", "--machines=1x4", "--policies=least-work")
    assert done.returncode == 0, done.stdout + done.stderr
    run = tmp_path / "1x4/recorded/recorded/recorded/least-work/seed-1"
    assert list(rows(run / "jobs.csv")) == list(rows(run / "predicted/vmall.conf/jobs.csv")) == ["1", "2"]
    assert "the first 2 jobs of log.swf" in (tmp_path / "report.md").read_text()


def test_programs_that_compute(build, tmp_path):
    programs = tmp_path / "real/real-mpi/programs.json"
    programs.parent.mkdir(parents=True)
    programs.write_text(json.dumps({"cg": {"amount": 300, "seconds": {"1": 4, "2": 2}},
                                    "stencil": {"amount": 100, "seconds": {"1": 2, "2": 1}}}), encoding="utf-8")
    done = evaluate(build, tmp_path, "--workloads=real-mpi", "--policies=gang,fjt4", "--duration=0:12")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "1 runs; " in done.stdout, "not under gang"
    run = tmp_path / "real/real-mpi/right/largest/fjt4/seed-1"
    measured, predicted = rows(run / "jobs.csv"), rows(run / "predicted/vmall.conf/jobs.csv")
    assert measured.keys() == predicted.keys()
    assert {found["application"] for found in measured.values()} <= {"cg", "stencil"}
    assert all(float(found["run_time"]) > 0 for found in measured.values())
    summary = json.loads((run / "summary.json").read_text(encoding="utf-8"))
    assert summary["settings"]["clock"] == 1 and summary["latest_end_after_due"] is None


def test_programs_that_compute_need_the_machine_for_themselves(build, tmp_path):
    done = evaluate(build, tmp_path, "--workloads=real-mpi", "--at-once=2")
    assert done.returncode == 2
    assert "real-mpi needs the machine for itself" in done.stderr
