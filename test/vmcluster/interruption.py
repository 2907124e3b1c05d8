# SPDX-License-Identifier: GPL-2.0-or-later
"""Signals that end a program which has clusters, and how it ends all the same with everything removed."""

import signal
from contextlib import contextmanager

_ENDING = {signal.SIGINT, signal.SIGTERM, signal.SIGHUP}


def interrupted_once():
    """From now on the first signal that ends this program is a KeyboardInterrupt, and those after it are nothing: Ctrl-C comes
    twice, from the terminal and from the script that passes it on, the second time to one who is cleaning up. Also where a
    shell has what it starts in the background ignore SIGINT, which the jobs of a cluster would inherit."""
    interrupted = False

    def interrupt(_number, _frame):
        nonlocal interrupted
        if not interrupted:
            interrupted = True
            raise KeyboardInterrupt

    for number in _ENDING:
        signal.signal(number, interrupt)


@contextmanager
def no_interruption():
    """Signals that end this program come a moment later."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, _ENDING)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
