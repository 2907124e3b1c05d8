# SPDX-License-Identifier: GPL-2.0-or-later
"""contrib/evaluate, in short: a minute of a workload at twenty times its speed, under two policies."""

import csv
import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from evaluation.workloads import WORKLOADS
from vmcluster import processes

CONTRIB = Path(__file__).resolve().parents[2] / "contrib"
WORDS = ["--duration=1:00", "--clock=20", "--workloads=high-80", "--seeds=1", "--one-process"]


def command(build, out, *words):
    return [sys.executable, "-B", "-m", "evaluation", f"--build={build.directory}", f"--out={out}", *WORDS, *words]


def evaluate(build, out, *words):
    return subprocess.run(command(build, out, *words), env={**os.environ, "PYTHONPATH": str(CONTRIB)}, text=True,
                          capture_output=True, timeout=300, check=False)


def rows(path):
    with open(path, encoding="utf-8", newline="") as file:
        return {row["job"]: row for row in csv.DictReader(file)}


def test_complete_runs_are_kept_interrupted_ones_made_again_and_all_reported(build, tmp_path):
    done = evaluate(build, tmp_path, "--policies=stock")
    assert done.returncode == 0, done.stdout + done.stderr
    stock = tmp_path / "1x60/high-80/right/stock/seed-1"
    finished = (stock / "summary.json").stat().st_mtime_ns

    interrupted = tmp_path / "1x60/high-80/right/bfm/seed-1/predicted"
    interrupted.mkdir(parents=True)
    (interrupted / "summary.json").write_text("{}", encoding="utf-8")
    done = evaluate(build, tmp_path, "--policies=stock,bfm")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "stock, high-80 on 1x60, estimates right, seed 1: is there already" in done.stdout
    assert (stock / "summary.json").stat().st_mtime_ns == finished

    report = (tmp_path / "report.md").read_text(encoding="utf-8")
    assert "Does backfilling with malleability beat what Slurm does today, and by how much?" in report
    assert "20 times as fast" in report
    assert "- bfm: the mean response is " in report
    pictures = re.findall(r"\]\((report/[\w-]+\.svg)\)", report)
    assert pictures == [f"report/{name}.svg" for name in ("high-response", "high-wait", "high-execution", "allotments")]
    assert all("</svg>" in (tmp_path / name).read_text(encoding="utf-8") for name in pictures)
    assert "\n| stock | long | 1 | " in report and "\n| bfm | short | 11 | " in report

    measured, predicted = rows(stock / "jobs.csv"), rows(stock / "predicted/easy/jobs.csv")
    assert measured.keys() == predicted.keys()
    for job, found in measured.items():
        assert found["processes"] == predicted[job]["processes"]
        assert float(found["run_time"]) >= float(predicted[job]["run_time"]), "nothing is faster than its application"


def test_report_alone_makes_no_run(build, tmp_path):
    done = evaluate(build, tmp_path, "--report-only")
    assert done.returncode == 1
    assert f"{tmp_path} has no complete run to report" in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_policy_without_prediction_and_wrong_estimates(build, tmp_path):
    done = evaluate(build, tmp_path, "--policies=gang,fjt1-bfa", "--estimates=under")
    assert done.returncode == 0, done.stdout + done.stderr
    gang = tmp_path / "1x60/high-80/under/gang/seed-1"
    assert json.loads((gang / "summary.json").read_text(encoding="utf-8"))["predicted"] is None

    requeueing = tmp_path / "1x60/high-80/under/fjt1-bfa/seed-1"
    jobs = [line.split() for line in (requeueing / "workload.swf").read_text(encoding="utf-8").splitlines() if line[0] != ";"]
    assert any(float(job[8]) < float(job[3]) for job in jobs), "the requested time is less than the run time"
    measured, predicted = rows(requeueing / "jobs.csv"), rows(requeueing / "predicted/vmall.conf/jobs.csv")
    assert measured.keys() == predicted.keys() == rows(gang / "jobs.csv").keys()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_interrupting_ends_all_clusters(build, tmp_path, number):
    environment = {**os.environ, "PYTHONPATH": str(CONTRIB), "TMPDIR": str(tmp_path)}
    with subprocess.Popen(command(build, tmp_path / "out", "--policies=stock,psa", "--at-once=2", "--duration=10:00"),
                          env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as running:
        deadline = time.monotonic() + 60
        while len(set(tmp_path.glob("vmcluster.*/jobs/*.out"))) < 4 and time.monotonic() < deadline:
            time.sleep(0.2)
        assert len(list(tmp_path.glob("vmcluster.*/slurmctld.pid"))) == 2
        running.send_signal(number)
        assert running.wait(60) not in (0, None)
    assert not list(tmp_path.glob("vmcluster.*"))
    assert not processes.with_environment(TMPDIR=str(tmp_path))


def test_other_settings_need_another_directory(build, tmp_path):
    kept = tmp_path / "1x60/high-80/right/bfm/seed-1"
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
    done = subprocess.run([build.vmsim, "generate", "--workload=all"], text=True, capture_output=True, check=False)
    assert done.stderr.strip().endswith("there are " + ", ".join(WORKLOADS))
