# SPDX-License-Identifier: GPL-2.0-or-later
"""Text of report.md."""


def table(heads, rows):
    """Nothing without rows."""
    rows = list(rows)
    if not rows:
        return ""
    lines = [heads, ["---"] * len(heads), *rows]
    return "\n".join("| " + " | ".join(line) + " |" for line in lines) + "\n"
