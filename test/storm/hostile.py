# SPDX-License-Identifier: GPL-2.0-or-later
"""What a hostile user has his own job do, as a program: hostile.py HOW SECONDS. It harms whomever it can, and says what it
could write that is not its user's."""

import ctypes
import os
import secrets
import signal
import socket
import sys
import time
from contextlib import suppress
from functools import cache
from pathlib import Path

import control_block  # beside this file, where users can read it

_LIBC = ctypes.CDLL(None, use_errno=True)
_LIBC.shmat.restype = ctypes.c_void_p
_NOWHERE = ctypes.c_void_p(-1).value
_PAGE = 256 * 1024  # VMALL_RUNTIME_BYTES of src/layout/runtime_page.h


def _control():
    """The control block's file; None without slurm-vmall."""
    return Path(os.environ["VMALL_CONTROL"]) if "VMALL_CONTROL" in os.environ else None


def _say_if_written(path):
    with suppress(OSError), open(path, "ab"):
        print(f"wrote {path}", flush=True)


@cache
def _say_once(what):
    print(what, flush=True)


def scribble(until):
    """Into its runtime page, which it may write."""
    key = control_block.read(_control()).runtime_key if _control() else 0
    page = _LIBC.shmat(_LIBC.shmget(key, 0, 0), None, 0) if key else _NOWHERE
    while time.monotonic() < until:
        if page != _NOWHERE:
            ctypes.memmove(page, secrets.token_bytes(_PAGE), _PAGE)
            _say_once("scribbled over its runtime page")
        time.sleep(0.1)


def intrude(until):
    """Into whatever is in RuntimeDir, and the sockets there."""
    runtime = _control().parents[1] if _control() else None
    while time.monotonic() < until:
        for place in (*runtime.rglob("*"), runtime, runtime.parent) if runtime else ():
            if place.is_dir():
                _say_if_written(place / f"hostile.{os.getpid()}")
            elif place.is_socket():
                with suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as peer:
                    peer.settimeout(1)
                    peer.connect(str(place))
                    peer.sendall(secrets.token_bytes(5000))
            else:
                _say_if_written(place)
        time.sleep(0.5)


def _own_processes():
    job = f"SLURM_JOB_ID={os.environ['SLURM_JOB_ID']}".encode()
    for pid in map(int, filter(str.isdigit, os.listdir("/proc"))):
        with suppress(OSError):
            if pid not in (os.getpid(), os.getppid()) and job in Path(f"/proc/{pid}/environ").read_bytes().split(b"\0"):
                yield pid


def stop(until):
    """Its own processes, now and then."""
    while time.monotonic() < until:
        for number, seconds in ((signal.SIGSTOP, 3), (signal.SIGCONT, 1)):
            for pid in _own_processes():
                with suppress(OSError):
                    os.kill(pid, number)
            time.sleep(seconds)


def ignore(until):
    """All signals that it can."""
    for number in signal.valid_signals() - {signal.SIGKILL, signal.SIGSTOP}:
        with suppress(OSError):
            signal.signal(number, signal.SIG_IGN)
    signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
    time.sleep(until - time.monotonic())


def unbind(until):
    """Itself, from the cores of its job."""
    everywhere = range(os.cpu_count())
    while time.monotonic() < until:
        with suppress(OSError):
            os.sched_setaffinity(0, everywhere)
        time.sleep(0.005)


if __name__ == "__main__":
    {way.__name__: way for way in (scribble, intrude, stop, ignore, unbind)}[sys.argv[1]](time.monotonic() + float(sys.argv[2]))
