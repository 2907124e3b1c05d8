# SPDX-License-Identifier: GPL-2.0-or-later
"""Fixtures of the cluster tests: one throwaway cluster per module, and what must hold after every test.

Run as root: /usr/bin/python3 -m pytest test/cluster --build=BUILD_DIRECTORY
"""

import os
from collections import Counter
from pathlib import Path

import evidence
import pytest
from scenario import CONFINED_NODE
from vmcluster import Build, Cluster, Node
from vmcluster.confinement import CONFINEMENTS

# What these test, and the tests that are marked so, is ours alone, whichever release of Slurm is beneath: what policies decide,
# what becomes of jobs, nodes and messages where something fails, what runs inside of jobs, what people look at.
OURS_ALONE = {f"test_{name}.py" for name in (
    "adaptive", "agent", "backfill", "conservative", "container", "doctor", "end", "evaluation", "fairness", "folded_start",
    "harness", "history", "hybrid", "killed", "least_work", "least_work_nodes", "metrics", "moldable", "multinode", "orphans",
    "quickstart", "reports", "runtime", "schemas", "sharing", "silent_peers", "stand_in", "storm", "take_part", "top", "users")}

# The longest of all first, so that none of them is left alone at the end.
LONGEST = [f"test_{name}.py" for name in (
    "storm", "end", "time_limits", "doctor", "upgrade", "evaluation", "stand_in", "takeover", "restart", "killed", "scripts",
    "gres", "whole_nodes", "quickstart", "take_part", "features", "cons_tres", "hybrid", "limits", "accounting")]

_EVIDENCE = pytest.StashKey[str]()  # of a test that failed


def pytest_addoption(parser):
    parser.addoption("--build", type=Path, default=Path.cwd(), metavar="DIR",
                     help="where make put what is to be tested (default: here)")
    parser.addoption("--packages", type=Path, metavar="DIR",
                     help="where dpkg-buildpackage put slurm-vmall_*.deb: test_upgrade.py installs and removes that on this machine")
    parser.addoption("--later-slurm", type=Path, metavar="DIR",
                     help="what a later micro release of Slurm is installed below: setup/test_slurm_update.py moves to it")
    parser.addoption("--later-build", type=Path, metavar="DIR", help="where make put what was built for that")
    parser.addoption("--other-release", action="store_true",
                     help="only what another release of Slurm may change, where another run has all")
    parser.addoption("--keep", action="store_true", help="keep the clusters' directories, with their logs")


def pytest_configure(config):
    config.addinivalue_line("markers", "log_errors(regex): error lines in the daemons' logs that this test provokes")
    config.addinivalue_line("markers", "ours_alone: no release of Slurm changes what this tests")
    config.addinivalue_line("markers", "core: shows what README and NEWS name, or a refusal, once: what contrib/check runs")
    config.stash[evidence.NEWS] = Counter()
    if os.geteuid() != 0:
        raise pytest.UsageError("the cluster tests start slurmd: run them as root")


def pytest_ignore_collect(collection_path, config):
    """None: others decide."""
    return True if config.getoption("--other-release") and collection_path.name in OURS_ALONE else None


def pytest_collection_modifyitems(config, items):
    items.sort(key=lambda item: LONGEST.index(item.path.name) if item.path.name in LONGEST else len(LONGEST))
    if config.getoption("--other-release"):
        left_out = [item for item in items if item.get_closest_marker("ours_alone")]
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if item not in left_out]


@pytest.fixture(scope="session")
def build(request):
    found = Build(request.config.getoption("--build").resolve())
    if not found.spank.exists():
        raise pytest.UsageError(f"{found.spank} does not exist: give the build directory with --build=DIR")
    return found


@pytest.fixture(scope="session")
def experiments(build):
    """For tests of what is below experiments/."""
    if not build.stand_in.exists():
        pytest.skip("experiments/ is not built: configure --enable-experiments")


@pytest.fixture(scope="module")
def cluster(request):
    """A cluster with the settings in the module's CLUSTER."""
    settings = dict(getattr(request.module, "CLUSTER", {}))
    built = settings.pop("build") if "build" in settings else request.getfixturevalue("build")
    with evidence.watched(request, Cluster(built, keep=True, **settings)) as started:
        yield started


@pytest.fixture(scope="module", params=CONFINEMENTS)
def confinement(request):
    """The name of one after the other."""
    if reason := CONFINEMENTS[request.param].impossible():
        pytest.skip(reason)
    return request.param


@pytest.fixture(scope="module")
def confined(build, request, confinement):
    """A cluster of as many cores as the smallest machine has: task/affinity wants them to be there."""
    small = Cluster(build, nodes=[Node(CONFINED_NODE, 2)], confinement=confinement, vmall_conf={"MaxMpl": 2}, keep=True)
    with evidence.watched(request, small) as started:
        yield started


def _note_failure(item, started):
    for its in (item, item.getparent(pytest.Module)):
        its.stash[evidence.FAILED] = True
    item.stash[_EVIDENCE] = evidence.shown(started)


@pytest.fixture(autouse=True)
def sound(request):
    """After each test: cores are disjoint and add up, no error was logged, and nothing stays allocated."""
    if "cluster" not in request.fixturenames:
        yield
        return
    started = request.getfixturevalue("cluster")
    before = set(started.log_errors())
    yield
    wrong = started.violations()
    started.cancel_all()
    marker = request.node.get_closest_marker("log_errors")
    logged = [line for line in started.log_errors(marker and marker.args[0]) if line not in before]
    held = {node: cpus for node, (cpus, _) in started.node_cpus().items() if cpus}
    if wrong or logged or held:
        _note_failure(request.node, started)
    assert not wrong, wrong
    assert not logged, "\n".join(logged)
    assert not held, f"allocated although no job is left: {held}"


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item, call):
    report = (yield).get_result()
    started = item.funcargs.get("cluster")
    if report.failed and isinstance(started, Cluster) and call.when != "teardown":
        _note_failure(item, started)
    if report.failed and _EVIDENCE in item.stash:
        report.sections.append(("its cluster", item.stash[_EVIDENCE]))


# Each worker of pytest-xdist has clusters of its own, and tells the process that reports.


def pytest_sessionfinish(session):
    if hasattr(session.config, "workeroutput"):
        session.config.workeroutput["news"] = dict(session.config.stash[evidence.NEWS])


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node):
    node.config.stash[evidence.NEWS].update(getattr(node, "workeroutput", {}).get("news", {}))


def pytest_terminal_summary(terminalreporter, config):
    if config.stash[evidence.NEWS]:
        terminalreporter.section("what Slurm reported as errors of its own (no failure)")
        for line, times in config.stash[evidence.NEWS].most_common():
            terminalreporter.line(f"{times} times: {line}")
