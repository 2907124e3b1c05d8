# SPDX-License-Identifier: GPL-2.0-or-later
"""What tells "not yet" from "wrong": the one limit of all that is waited for, whatever else the machine has to do."""

import time

LIMIT = 300  # seconds


def until(predicate, limit=LIMIT, interval=0.15):
    """The predicate's first true value; its last one, which is not, when the limit has passed."""
    deadline = time.monotonic() + limit
    while not (value := predicate()) and time.monotonic() < deadline:
        time.sleep(interval)
    return value
