# SPDX-License-Identifier: GPL-2.0-or-later
"""Fixtures of the cluster tests: one throwaway cluster per module, and what must hold after every test.

Run as root: /usr/bin/python3 -m pytest test/cluster --build=BUILD_DIRECTORY
"""

import os
from pathlib import Path

import pytest
from vmcluster import Build, Cluster

# What these test, and the tests that are marked so, is ours alone, whichever release of Slurm is beneath: what policies decide,
# what becomes of jobs, nodes and messages where something fails, what runs inside of jobs, what people look at.
OURS_ALONE = {f"test_{name}.py" for name in (
    "adaptive", "agent", "backfill", "conservative", "container", "doctor", "end", "evaluation", "fairness", "folded_start",
    "harness", "history", "hybrid", "killed", "least_work", "least_work_nodes", "metrics", "moldable", "multinode", "orphans",
    "quickstart", "reports", "runtime", "schemas", "sharing", "silent_peers", "stand_in", "storm", "take_part", "top",
    "unattached", "unserved", "users")}


def pytest_addoption(parser):
    parser.addoption("--build", type=Path, default=Path.cwd(), metavar="DIR",
                     help="where make put what is to be tested (default: here)")
    parser.addoption("--packages", type=Path, metavar="DIR",
                     help="where dpkg-buildpackage put slurm-vmall_*.deb: test_upgrade.py installs and removes that on this machine")
    parser.addoption("--other-release", action="store_true",
                     help="only what another release of Slurm may change, where another run has all")
    parser.addoption("--keep", action="store_true", help="keep the clusters' directories, with their logs")


def pytest_configure(config):
    config.addinivalue_line("markers", "log_errors(regex): error lines in the daemons' logs that this test provokes")
    config.addinivalue_line("markers", "ours_alone: no release of Slurm changes what this tests")
    if os.geteuid() != 0:
        raise pytest.UsageError("the cluster tests start slurmd: run them as root")


def pytest_ignore_collect(collection_path, config):
    """None: others decide."""
    return True if config.getoption("--other-release") and collection_path.name in OURS_ALONE else None


def pytest_collection_modifyitems(config, items):
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
    with Cluster(built, keep=request.config.getoption("--keep"), **settings) as started:
        yield started


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
    assert not wrong, wrong
    assert not logged, "\n".join(logged)
    assert not held, f"allocated although no job is left: {held}"
