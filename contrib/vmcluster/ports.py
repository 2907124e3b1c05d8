# SPDX-License-Identifier: GPL-2.0-or-later
"""Blocks of free TCP ports below the range that the kernel hands out to clients."""

import random
import socket
from pathlib import Path

LOWEST, HIGHEST = 20000, 32000


def _is_free(port):
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("", port))
        except OSError:
            return False
    return True


def free_block(count):
    """The first of `count` consecutive ports that nobody holds now."""
    for _ in range(200):
        first = random.randrange(LOWEST, HIGHEST - count)
        if all(_is_free(port) for port in range(first, first + count)):
            return first
    raise OSError(f"no {count} consecutive free TCP ports between {LOWEST} and {HIGHEST}")


def listening():
    """Ports on which somebody on this host listens; found without connecting, which a daemon would log."""
    listen_state = "0A"
    ports = set()
    for table in ("/proc/net/tcp", "/proc/net/tcp6"):
        if Path(table).exists():
            rows = [row.split() for row in Path(table).read_text().splitlines()[1:]]
            ports.update(int(row[1].rpartition(":")[2], 16) for row in rows if row[3] == listen_state)
    return ports
