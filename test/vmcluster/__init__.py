# SPDX-License-Identifier: GPL-2.0-or-later
"""A throwaway Slurm cluster on one host, made of the daemons in PATH, for tests and the quickstart."""

from .build import Build, slurm_daemon
from .cluster import Cluster, ClusterError, Node
from .release import installed_release
from .slurm import Job, SlurmError

__all__ = ["Build", "Cluster", "ClusterError", "Job", "Node", "SlurmError", "installed_release", "slurm_daemon"]
