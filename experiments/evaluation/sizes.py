# SPDX-License-Identifier: GPL-2.0-or-later
"""How many processes users ask for at most: by name, at what efficiency these must run, as vmsim generate takes it."""

RECORDED = "recorded"
SIZES = {"largest": "0", "efficient": "0.9"}
DESCRIPTIONS = {"largest": "jobs as large as they accept", "efficient": "jobs as large as runs at 90 % efficiency",
                RECORDED: "jobs as large as they were recorded"}
