# SPDX-License-Identifier: GPL-2.0-or-later
"""The papers' workloads, by the names that vmsim generate knows them by, and where they come from."""

WORKLOADS = {
    **dict.fromkeys(("w1", "w2", "w3", "w4", "w5", "w6"), "Utrera's thesis, table 5.3"),
    **dict.fromkeys(("high-40", "high-60", "high-80", "high-100"), "Utrera's thesis, tables 6.1 and 6.3"),
    **dict.fromkeys(("low-40", "low-60", "low-80", "low-100"), "Utrera's thesis, tables 6.2 and 6.3"),
    **dict.fromkeys(("burst-3", "burst-6", "burst-9"), "the FJT paper, section 6"),
}
