# SPDX-License-Identifier: GPL-2.0-or-later
"""Jobs whose steps are managed by a slurmstepd, which has a record of its own of the job's cores."""

import re

import pytest
from scenario import submit_vm
from vmcluster import installed_release

pytestmark = [pytest.mark.core, pytest.mark.skipif(installed_release() < (24, 5), reason="this Slurm has no stepmgr")]

CLUSTER = {"slurm_conf": {"PrologFlags": "Contain", "SlurmctldParameters": "enable_stepmgr"}}


def test_job_with_a_step_manager_is_not_folded_and_the_log_says_why(cluster):
    job_id = submit_vm(cluster, "long", 8, options=["-n8"])
    cluster.wait_state(job_id, "RUNNING")
    assert job_id not in cluster.vmctl_jobs()
    line = rf"JobId={job_id} asked for virtual malleability and is scheduled like the others: (.*)"
    assert re.findall(line, cluster.slurmctld.log.read_text()) == ["a slurmstepd manages its steps (--stepmgr)"]
