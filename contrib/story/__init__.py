# SPDX-License-Identifier: GPL-2.0-or-later
"""What contrib/quickstart shows: ICS'05 figure 1 with real MPI programs, and what a burst of jobs gains."""
