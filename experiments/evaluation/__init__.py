# SPDX-License-Identifier: GPL-2.0-or-later
"""The papers' experiment on a real Slurm: generated workloads under several policies, measured and compared with vmsim."""
