# SPDX-License-Identifier: GPL-2.0-or-later
"""What vmctl --json prints of a cluster where all sorts of things happen is what doc/schema says."""

import pytest
from scenario import fold, submit_vm, wait_reason

pytest.importorskip("jsonschema", reason="no python3-jsonschema here")
import schemas  # noqa: E402 # pylint: disable=wrong-import-position

pytestmark = pytest.mark.core

SHOWN = ("jobs", "queue", "config", "stats", "metrics", "history", "top")


def test_what_is_shown_of_jobs_is_as_the_schemas_say(cluster):
    jobs = fold(cluster)
    waits = submit_vm(cluster, "long", "4,8")
    wait_reason(cluster, waits, "waits")
    shown = {name: schemas.check(f"vmctl-{name}", cluster.vmctl(name, "--json").stdout) for name in SHOWN}
    assert {job["job_id"] for job in shown["jobs"]["jobs"]} == {jobs.guest, jobs.folded}
    assert [job["sizes"] for job in shown["queue"]["queue"] if job["job_id"] == waits] == [[[4, 4], [8, 8]]]
    assert {job["job_id"] for job in shown["top"]["jobs"]} == {jobs.guest, jobs.folded}
    assert "folded" in {row["event"] for row in shown["history"]["history"]}
    assert schemas.check("vmctl-why", cluster.vmctl("why", waits, "--json").stdout)["job_id"] == waits


@pytest.mark.parametrize("options, status", [((), 0), (("--controller=127.0.0.1:1",), 1)], ids=["sound", "wrong"])
def test_what_doctor_says_is_as_the_schema_says(cluster, options, status):
    done = cluster.vmctl("doctor", "--json", *options, check=False)
    assert done.returncode == status, done.stdout
    checks = schemas.check("vmctl-doctor", done.stdout)["checks"]
    assert all(check["ok"] == (not check["fix"]) for check in checks)


def test_who_cannot_be_reached_is_named_with_what_to_do(cluster):
    for name in SHOWN:
        done = cluster.vmctl(name, "--controller=127.0.0.1:1", check=False)
        assert (done.returncode, done.stdout) == (1, ""), name
        assert "127.0.0.1 port 1: " in done.stderr and "vmctl doctor" in done.stderr
