# SPDX-License-Identifier: GPL-2.0-or-later
"""Others on the network who connect to ports of ours."""

import os
import socket
import struct
from contextlib import ExitStack, suppress

from .choice import one


def _port(storm):
    """(port, what it hits) of one of ours."""
    if storm.stock:
        return None
    ports = {f"agent {name}": storm.agent_port(name) for name in storm.cluster.slurmd}
    if storm.scheduler == "vmall":
        ports["control"] = storm.cluster.control_port
    whose = one(storm, ports)
    return ports[whose], whose


def _hit(storm, peers, content, seconds):
    found = _port(storm)
    if not found:
        return
    port, whose = found
    yield {f"port of {whose}"}
    with ExitStack() as stack:
        for _ in range(peers):
            with suppress(OSError):
                peer = stack.enter_context(socket.create_connection(("127.0.0.1", port), timeout=0.2))
                peer.sendall(content)
        yield seconds


def silent_peers(storm):
    yield from _hit(storm, 150, b"", storm.rng.uniform(1, 5))


def garbage(storm):
    yield from _hit(storm, 40, os.urandom(2000), 1)


def huge_frames(storm):
    yield from _hit(storm, 40, b"VMAL" + struct.pack("!I", 0xffffffff) + bytes(100000), 1)


def endless_frames(storm):
    yield from _hit(storm, 70, b"VMAL" + struct.pack("!I", 1 << 20) + bytes(1000), storm.rng.uniform(1, 5))
