# SPDX-License-Identifier: GPL-2.0-or-later
"""What tells "not yet" from "wrong": the one limit of all that is waited for, whatever else the machine has to do."""

import time

LIMIT = 300  # seconds


def until(predicate, limit=LIMIT, interval=0.15):
    """The predicate's first true value; its last one, which is not, when the limit has passed. Asks the less often the longer it
    takes: each command of Slurm's takes CPU time from what is waited for."""
    begun = time.monotonic()
    while not (value := predicate()) and (waited := time.monotonic() - begun) < limit:
        time.sleep(min(max(interval, waited / 10), 1))
    return value
