# SPDX-License-Identifier: GPL-2.0-or-later
"""Fixtures of the cluster tests: one throwaway cluster per module, and what must hold after every test.

Run as root: /usr/bin/python3 -m pytest test/cluster --build=BUILD_DIRECTORY
"""

import os
from pathlib import Path

import pytest
from vmcluster import Build, Cluster


def pytest_addoption(parser):
    parser.addoption("--build", type=Path, default=Path.cwd(), metavar="DIR",
                     help="where make put what is to be tested (default: here)")
    parser.addoption("--packages", type=Path, metavar="DIR",
                     help="where dpkg-buildpackage put slurm-vmall_*.deb: test_upgrade.py installs and removes that on this machine")
    parser.addoption("--keep", action="store_true", help="keep the clusters' directories, with their logs")


def pytest_configure(config):
    config.addinivalue_line("markers", "log_errors(regex): error lines in the daemons' logs that this test provokes")
    if os.geteuid() != 0:
        raise pytest.UsageError("the cluster tests start slurmd: run them as root")


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
