# SPDX-License-Identifier: GPL-2.0-or-later
"""What is left to look at of a cluster whose test failed."""

import shutil
import subprocess
import tempfile
from collections import Counter
from contextlib import contextmanager
from pathlib import Path

import pytest
from vmcluster import logs

FAILED = pytest.StashKey[bool]()  # of a test and its module: while it used a cluster
NEWS = pytest.StashKey[Counter]()  # of the session: what logs.news() found

_KEPT = 10  # folders
_MARK = "kept"  # a file in each

# What the scheduler was asked to do, what it last decided, and why others wait.
_QUESTIONS = [("squeue", "-a"), ("vmctl", "jobs"), ("vmctl", "queue"), ("vmctl", "history")]


@contextmanager
def watched(request, cluster):
    """Runs a cluster, made with keep=True, for the test or module that requests it; the folder stays if that failed."""
    sound_end = False
    try:
        with cluster:
            yield cluster
        sound_end = True
    finally:
        request.config.stash[NEWS].update(logs.news(cluster.root / "log"))
        if request.node.stash.get(FAILED, not sound_end):
            keep(cluster.root)
        elif not request.config.getoption("--keep"):
            shutil.rmtree(cluster.root)


@contextmanager
def folder():
    """One that stays if what is done with it fails."""
    root = Path(tempfile.mkdtemp(prefix="vmcluster."))
    try:
        yield root
    except BaseException:
        keep(root)
        raise
    shutil.rmtree(root)


def shown(cluster):
    """The ends of all logs and of what the scheduler decided, as text."""
    return "\n".join([f"kept: {cluster.root}", *(_answer(cluster, words) for words in _QUESTIONS), cluster.log_tails()])


def _answer(cluster, words):
    if words[0] == "vmctl" and (not cluster.build or cluster.scheduler != "vmall"):
        return ""
    command = [cluster.build.vmctl, *words[1:]] if words[0] == "vmctl" else words
    try:
        done = cluster.run(*command, check=False, timeout=20)
        said = "\n".join((done.stdout + done.stderr).splitlines()[-25:])
    except (OSError, subprocess.TimeoutExpired) as error:
        said = str(error)
    return f"--- {' '.join(words)}\n{said}"


def keep(root):
    """Leaves the folder of clusters that have ended, and removes all but the newest that were left so."""
    (root / _MARK).touch()
    for mark in sorted(root.parent.glob(f"vmcluster.*/{_MARK}"), key=_age)[_KEPT:]:
        shutil.rmtree(mark.parent, ignore_errors=True)


def _age(mark):
    try:
        return -mark.stat().st_mtime
    except OSError:  # another worker has just removed it
        return 0
