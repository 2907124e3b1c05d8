# SPDX-License-Identifier: GPL-2.0-or-later
"""The quickstart's story on real clusters, and what its scripts say and leave when they have bad luck."""

import json
import os
import signal
import subprocess
import tempfile
import threading
from contextlib import contextmanager
from pathlib import Path

import pytest
from scenario import MODULES, TOP, send_twice
from vmcluster import processes
from vmcluster.build import slurm_prefix

HANGS = 600  # seconds


def start(command, folder, **environment):
    """In a process group of its own, as a shell starts it; its temporary files are in `folder`."""
    return subprocess.Popen([str(word) for word in command], cwd=folder, text=True, start_new_session=True,
                            env={**os.environ, "TMPDIR": str(folder), "PYTHONPATH": MODULES, **environment},
                            stdout=subprocess.PIPE, stderr=subprocess.STDOUT)


def tell(build, folder, option="--story-only"):
    return start(["/usr/bin/python3", "-B", "-m", "story", option, f"--build={build.directory}", f"--out={folder}/results"], folder)


@contextmanager
def limited(process):
    """A machine that hangs does not hang the tests."""
    timer = threading.Timer(HANGS, process.kill)
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


def said(process):
    """(all that it printed, its exit status)."""
    with limited(process):
        text = process.stdout.read()
        return text, process.wait(HANGS)


def read_until(process, words):
    """Until it prints a line with these words."""
    lines = []
    with limited(process):
        for line in process.stdout:
            lines.append(line)
            if words in line:
                return
    raise AssertionError(f"it never said {words!r}:\n{''.join(lines)}")


@pytest.fixture
def folder():
    """For UNIX sockets pytest's own is too deep."""
    with tempfile.TemporaryDirectory(prefix="story.") as name:
        Path(name).chmod(0o755)
        yield Path(name)


def left_in(folder, *expected):
    return {path.name for path in folder.iterdir()} - set(expected)


def processes_in(folder):
    """What still runs of what was started there."""
    commands = [processes.command(pid) for pid in processes.with_environment()]
    return ([processes.command(pid) for pid in processes.with_environment(TMPDIR=str(folder))]
            + [command for command in commands if str(folder) in command])


@pytest.mark.skipif(slurm_prefix() != Path("/usr"), reason="the story says that Slurm is the distribution's")
def test_two_stories_beside_each_other_hold(build, folder):
    folders = [folder / "one", folder / "two"]
    for each in folders:
        each.mkdir()
    for each, process in [(each, tell(build, each)) for each in folders]:
        text, status = said(process)
        assert status == 0, text
        assert text.splitlines()[-1] == "quickstart: all of F1 to F8 hold"
        summary = json.loads((each / "results/summary.json").read_text())
        assert all(check["passed"] for check in summary["checks"].values()) and len(summary["checks"]) == 8
        assert (each / "results/timeline.svg").exists()
        assert not left_in(each, "results")
        assert not processes_in(each)


@pytest.mark.skipif(slurm_prefix() != Path("/usr"), reason="the story says that Slurm is the distribution's")
def test_story_without_plugins_in_slurmctld_holds(build, folder):
    text, status = said(tell(build, folder, "--node-mode"))
    assert status == 0, text
    assert text.splitlines()[-1] == "quickstart: all of N1 to N8 hold"
    assert "What vmctl jobs said" in text
    summary = json.loads((folder / "results/summary.json").read_text())
    assert summary["passed"] and len(summary["checks"]) == 8
    assert not left_in(folder, "results")
    assert not processes_in(folder)


@pytest.mark.parametrize("number, moment", [(signal.SIGINT, "C starts"), (signal.SIGTERM, "C starts"), (signal.SIGHUP, "C starts"),
                                            (signal.SIGTERM, "Starting a cluster")])
def test_an_interrupted_story_leaves_nothing(build, folder, number, moment):
    process = tell(build, folder)
    read_until(process, moment)
    send_twice(process, number)
    text, status = said(process)
    assert status == 1
    assert text.splitlines()[-1] == "quickstart: interrupted; everything that it started has been ended and removed"
    assert not left_in(folder, "results")
    assert not processes_in(folder)


def test_an_interrupted_build_leaves_nothing(folder):
    process = start([TOP / "contrib/quickstart"], folder)
    read_until(process, "building")
    process.terminate()
    text, status = said(process)
    assert status == 1
    assert text.splitlines()[-1] == "quickstart: interrupted"
    assert not left_in(folder, "quickstart-results")
    assert not processes_in(folder)


@pytest.fixture
def small(folder):
    """A file system with 8 MB."""
    place = folder / "small"
    place.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=8m", "none", str(place)], check=True, timeout=HANGS)
    yield place
    subprocess.run(["umount", str(place)], check=True, timeout=HANGS)


@pytest.mark.core
def test_no_space_is_said_before_anything_is_done(small):
    text, status = said(start([TOP / "contrib/quickstart"], small))
    assert status == 1
    assert text == f"quickstart: {small} has 8 MB left, and 500 are needed: make room there, or set TMPDIR\n"
    assert not left_in(small, "quickstart-results")


def test_no_network_to_install_from_is_said(folder):
    contrib = folder / "contrib"
    contrib.mkdir()
    for name in ("install-packages", "messages.sh"):
        (contrib / name).write_text((TOP / "contrib" / name).read_text())
    (contrib / "install-packages").chmod(0o755)
    (contrib / "packages.debian").write_text("package-that-nobody-has\n")
    (folder / "lists/partial").mkdir(parents=True)
    (folder / "sources.list").write_text("deb [trusted=yes] http://127.0.0.1:1/ stable main\n")
    (folder / "apt.conf").write_text(f'Dir::Etc::sourcelist "{folder}/sources.list";\nDir::Etc::sourceparts "-";\n'
                                     f'Dir::State::lists "{folder}/lists";\nDir::Cache "{folder}";\n'
                                     '#clear APT::Update::Pre-Invoke;\n#clear APT::Update::Post-Invoke;\n')
    text, status = said(start([contrib / "install-packages"], folder, APT_CONFIG=str(folder / "apt.conf")))
    assert status == 1
    assert "cannot install these packages; is there a network? The mirror: " in text
    assert "http://127.0.0.1:1" in text
