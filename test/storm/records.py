# SPDX-License-Identifier: GPL-2.0-or-later
"""Slurm's own records, asked for again and again in a thread of their own: a slurmctld that hangs holds nobody up."""

import subprocess
import threading
import time

from vmcluster import SlurmError

_PACE = 0.25  # seconds from one question to the next
_FRESH = 1.5  # older ones say nothing of now


class Records:
    """A context manager. `ever`: (job id, job name) → the last that was seen of the job."""

    def __init__(self, cluster):
        self._cluster = cluster
        self._ends = threading.Event()
        self._thread = threading.Thread(target=self._ask)
        self._lock = threading.Lock()
        self._latest = (0, None)
        self.ever = {}

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *_):
        self._ends.set()
        self._thread.join()

    def _ask(self):
        while not self._ends.wait(_PACE):
            asked = time.monotonic()
            try:
                jobs = self._cluster.jobs()
            except (SlurmError, subprocess.TimeoutExpired):
                continue
            with self._lock:
                self._latest = asked, jobs
                self.ever.update({(job.id, job.fields["JobName"]): job for job in jobs.values()})

    def now(self):
        """Jobs by id, or None if slurmctld has not said lately."""
        asked, jobs = self._latest
        return jobs if time.monotonic() < asked + _FRESH else None

    def since(self, moment):
        """Whether slurmctld has answered a question that was asked later."""
        return self._latest[0] > moment

    def last(self):
        return self._latest[1] or {}

    def seen(self):
        with self._lock:
            return dict(self.ever)
