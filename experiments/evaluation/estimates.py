# SPDX-License-Identifier: GPL-2.0-or-later
"""How well users know what time their jobs need: by name, as vmsim generate takes it."""

RECORDED = "recorded"
ESTIMATES = {"right": "exact", "over": "1-5", "under": "0.3-1"}
DESCRIPTIONS = {"right": "estimates are right", "over": "estimates are 1 to 5 times too long",
                "under": "estimates are 0.3 to 1 times what would be right", RECORDED: "estimates are those of the log"}
