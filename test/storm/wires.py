# SPDX-License-Identifier: GPL-2.0-or-later
"""Between slurmctld and the agents: passes messages on, and does so badly while it is told to."""

import socket
import threading
import time
from contextlib import contextmanager, suppress

from vmcluster.ports import Block

_LATE = 3  # seconds


def _above(port, count):
    """A block of ports beyond this one."""
    while True:
        block = Block(count)
        if block.first > port:
            return block
        block.give_up()


class Wires:
    """`offset`: from the port of a node's slurmd to where its agent is reached. `agents`: ports of the agents by node."""

    def __init__(self, slurmds, agents):
        nodes = list(agents)
        self._block = _above(slurmds[nodes[0]], len(nodes))
        self.offset = self._block.first - slurmds[nodes[0]]
        self._how = dict.fromkeys(nodes, "well")
        self._listeners = []
        for name in nodes:
            listener = socket.create_server(("127.0.0.1", slurmds[name] + self.offset), backlog=64)
            self._listeners.append(listener)
            threading.Thread(target=self._accept, args=(listener, name, agents[name]), daemon=True).start()

    def close(self):
        for listener in self._listeners:
            with suppress(OSError):
                listener.shutdown(socket.SHUT_RDWR)
            listener.close()
        self._block.give_up()

    @contextmanager
    def bad(self, node, how):
        self._how[node] = how
        try:
            yield
        finally:
            self._how[node] = "well"

    def _accept(self, listener, node, port):
        with suppress(OSError):
            while True:
                client, _ = listener.accept()
                threading.Thread(target=self._serve, args=(client, node, port), daemon=True).start()

    def _serve(self, client, node, port):
        """One message and its answer. A lost one is never heard of again: whoever waits for it must give up by himself."""
        how = self._how[node]
        with client, suppress(OSError):
            if how == "late":
                time.sleep(_LATE)
            if how == "lost":
                while client.recv(1 << 16):
                    pass
                return
            with socket.create_connection(("127.0.0.1", port)) as agent:
                back = threading.Thread(target=_pass_on, args=(agent, client, how == "answers lost", None), daemon=True)
                back.start()
                _pass_on(client, agent, False, 100 if how == "cut" else None)
                back.join()


def _pass_on(source, target, in_vain, most):
    """All that comes, or so many bytes; then the connection is over."""
    with suppress(OSError):
        while data := source.recv(1 << 16):
            if not in_vain:
                target.sendall(data[:most])
            if most:
                break
    for end in (target, source) if most else (target,):
        with suppress(OSError):
            end.shutdown(socket.SHUT_RDWR if most else socket.SHUT_WR)
