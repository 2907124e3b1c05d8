# SPDX-License-Identifier: GPL-2.0-or-later
"""Blocks of TCP ports below the range that the kernel hands out to clients, each for one cluster of this machine at a time."""

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


class Block:
    """`count` consecutive ports from `first` on that nobody holds, nor will take as a block of theirs until this is given up: their
    daemons bind them later, and again and again. Names of UNIX sockets say so, which end with their process, however it ends."""

    def __init__(self, count):
        for _ in range(200):
            self.first = random.randrange(LOWEST, HIGHEST - count)
            ports = range(self.first, self.first + count)
            self._claims = []
            # Whether it is free is asked only of what nobody else has claimed: to ask is to hold it for a moment.
            if all(map(self._claim, ports)) and all(map(_is_free, ports)):
                return
            self.give_up()
        raise OSError(f"no {count} consecutive free TCP ports between {LOWEST} and {HIGHEST}")

    def _claim(self, port):
        claim = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._claims.append(claim)
        try:
            claim.bind(f"\0vmcluster.port.{port}")
        except OSError:
            return False
        return True

    def give_up(self):
        for claim in self._claims:
            claim.close()


def listening():
    """Ports on which somebody on this host listens; found without connecting, which a daemon would log."""
    listen_state = "0A"
    ports = set()
    for table in ("/proc/net/tcp", "/proc/net/tcp6"):
        if Path(table).exists():
            rows = [row.split() for row in Path(table).read_text().splitlines()[1:]]
            ports.update(int(row[1].rpartition(":")[2], 16) for row in rows if row[3] == listen_state)
    return ports
