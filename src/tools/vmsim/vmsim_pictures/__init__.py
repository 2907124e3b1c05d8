# SPDX-License-Identifier: GPL-2.0-or-later
"""Pictures of what vmsim computed. A module for each picture, all on results.py and style.py."""
