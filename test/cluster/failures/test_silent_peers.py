# SPDX-License-Identifier: GPL-2.0-or-later
"""Somebody connects to a port of ours, again and again, and says nothing or next to nothing. Folds and vmctl go on as ever."""

import multiprocessing
import resource
import socket
from collections import deque
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


def send_single_bytes(port):
    peers = deque(maxlen=200)  # a socket is closed when it is dropped
    while True:
        try:
            peers.append(socket.create_connection(("127.0.0.1", port)))
            peers[-1].send(b"V")
        except OSError:
            pass  # it has been sent away already


@contextmanager
def single_bytes(port):
    sender = multiprocessing.get_context("fork").Process(target=send_single_bytes, args=(port,), daemon=True)
    sender.start()
    try:
        yield
    finally:
        sender.kill()
        sender.join()


def test_a_job_is_folded_beside_a_thousand_silent_connections_to_its_agent(cluster):
    before = cluster.vmctl_stats()["unanswered"]
    with silent_peers(cluster.ports["n1"] + len(cluster.nodes)):
        jobs = fold(cluster)
        wait_confined(cluster, jobs.folded)
    assert cluster.vmctl_stats()["unanswered"] == before


def test_vmctl_is_answered_beside_a_thousand_silent_connections_to_the_controller(cluster):
    with silent_peers(cluster.control_port):
        assert cluster.vmctl_jobs() == {}


def test_vmctl_is_answered_beside_a_flood_of_single_bytes(cluster):
    with single_bytes(cluster.control_port):
        for _ in range(160):
            assert cluster.vmctl_stats()
