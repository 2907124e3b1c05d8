# SPDX-License-Identifier: GPL-2.0-or-later
"""Somebody connects a thousand times to a port of ours and says nothing. Folds and vmctl go on as ever."""

import resource
import socket
from contextlib import ExitStack, contextmanager

import pytest
from scenario import fold, wait_confined

pytestmark = pytest.mark.core

PEERS = 1000


@contextmanager
def descriptors(count):
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(before[0], count), before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, before)


@contextmanager
def silent_peers(port):
    with descriptors(PEERS + 500), ExitStack() as peers:
        for _ in range(PEERS):
            peers.enter_context(socket.create_connection(("127.0.0.1", port)))
        yield


def test_a_job_is_folded_beside_a_thousand_silent_connections_to_its_agent(cluster):
    before = cluster.vmctl_stats()["unanswered"]
    with silent_peers(cluster.ports["n1"] + len(cluster.nodes)):
        jobs = fold(cluster)
        wait_confined(cluster, jobs.folded)
    assert cluster.vmctl_stats()["unanswered"] == before


def test_vmctl_is_answered_beside_a_thousand_silent_connections_to_the_controller(cluster):
    with silent_peers(cluster.control_port):
        assert cluster.vmctl_jobs() == {}
