# SPDX-License-Identifier: GPL-2.0-or-later
"""What is wrong with the input, for people."""


class Problem(Exception):
    """Names the file and, where there is one, the line and the column."""
