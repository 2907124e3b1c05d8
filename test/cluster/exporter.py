# SPDX-License-Identifier: GPL-2.0-or-later
"""A vmall-exporter of a cluster, and what it serves."""

import pwd
import urllib.error
import urllib.request

from vmcluster.waiting import LIMIT

# Who sees no jobs of others; the exporter runs as that.
STRANGER = "games"


def as_stranger():
    entry = pwd.getpwnam(STRANGER)
    return ["setpriv", f"--reuid={entry.pw_uid}", f"--regid={entry.pw_gid}", "--clear-groups"]


def get(url, method="GET"):
    with urllib.request.urlopen(urllib.request.Request(url, method=method), timeout=LIMIT) as answer:
        return answer.read().decode()


class Exporter:
    def __init__(self, cluster, port, conf):
        self.url = f"http://127.0.0.1:{port}/metrics"
        self.port = port
        self.daemon = cluster.daemon("vmall-exporter", [*as_stranger(), cluster.build.exporter], "exporter", VMALL_CONF=conf)

    def text(self):
        return get(self.url)

    def values(self):
        return {name: float(value) for name, value in
                (line.rsplit(" ", 1) for line in self.text().splitlines() if not line.startswith("#"))}

    def is_up(self):
        try:
            return self.values()["slurm_vm_up"] == 1
        except urllib.error.URLError:
            return False
