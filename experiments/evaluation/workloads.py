# SPDX-License-Identifier: GPL-2.0-or-later
"""Workloads by name, and where they come from: the papers', as vmsim generate knows them, and our own."""

from . import corbalan, real_mpi

RECORDED = "recorded"
WORKLOADS = {
    **dict.fromkeys(("w1", "w2", "w3", "w4", "w5", "w6"), "Utrera's thesis, table 5.3"),
    **dict.fromkeys(("high-40", "high-60", "high-80", "high-100"), "Utrera's thesis, tables 6.1 and 6.3"),
    **dict.fromkeys(("low-40", "low-60", "low-80", "low-100"), "Utrera's thesis, tables 6.2 and 6.3"),
    **dict.fromkeys(("burst-3", "burst-6", "burst-9"), "the FJT paper, section 6"),
    **dict.fromkeys(corbalan.NAMES, "Corbalan's thesis, table 6.1"),
    RECORDED: "the first jobs of a recorded log",
    real_mpi.NAME: "MPI programs that compute, on this machine's own cores and by the real clock",
}
