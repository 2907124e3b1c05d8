# SPDX-License-Identifier: GPL-2.0-or-later
"""slurm-vmall is upgraded, or removed for good, while a job is folded: daemons go on with the old files until they are
restarted, and each new step comes with the new ones. With --packages=DIR it is Debian's package manager that does it."""

import evidence
import pytest
from installation import DebianPackage, Files
from scenario import FOREVER, PEER_GONE, fold, go_on, submit_vm, wait_confined, wait_cores, wait_in_mpi, wait_tasks
from vmcluster import Cluster
from vmcluster.programs import Kernel


@pytest.fixture(name="installation")
def installed(request, build, tmp_path):
    packages = request.config.getoption("--packages")
    if packages:
        installation = DebianPackage(build.directory, packages, tmp_path)
    else:
        installation = Files(build.directory, tmp_path / "files")
        installation.files.mkdir()
    installation.install()
    yield installation
    installation.purge()


@pytest.fixture(name="cluster")
def cluster_of_it(request, installation):
    with evidence.watched(request, Cluster(installation, slurm_conf={"DebugFlags": "NO_CONF_HASH"}, keep=True)) as started:
        yield started


RING = Kernel("ring", "srun", behind="1000")  # each step computes for a millisecond
CG = Kernel("cg", "srun", before="300 5")
A_STEP_MORE = """
until [ -e next.$SLURM_JOB_ID ]; do sleep 0.2; done
srun --overlap bash -c 'cat $VMALL_ALLOTMENT'
echo second step: $?
wait
"""


@pytest.mark.log_errors(PEER_GONE)
@pytest.mark.parametrize("restarted", [[], ["slurmctld"], ["slurmd"], ["slurmctld", "slurmd"]],
                         ids=lambda daemons: "and".join(daemons) or "nothing")
def test_folded_job_survives_an_upgrade(cluster, restarted):
    jobs = fold(cluster, RING.script(cluster.build, RING.highest) + " &" + A_STEP_MORE)
    tasks = wait_tasks(cluster, jobs.folded, 4)
    wait_in_mpi(cluster, jobs.folded, 4)
    cluster.wait_saved()
    cluster.build.upgrade()
    if "slurmctld" in restarted:
        cluster.restart_slurmctld()
    if "slurmd" in restarted:
        cluster.restart_slurmd("n1")
    assert cluster.build.is_current_in(cluster.slurmctld) == ("slurmctld" in restarted)
    assert cluster.build.is_current_in(cluster.slurmd["n1"]) == ("slurmd" in restarted)
    wait_confined(cluster, jobs.folded)
    (cluster.directory / f"next.{jobs.folded}").touch()
    cluster.wait_until(lambda: "second step: 0" in cluster.output(jobs.folded), "a step that starts now")
    assert cluster.output(jobs.folded).count("cores=1\nmpl=4\n") == 4

    cluster.run("scancel", jobs.guest)
    wait_cores(cluster, jobs.folded, 4)
    wait_confined(cluster, jobs.folded)
    go_on(cluster, jobs)
    wait_confined(cluster, jobs.folded)
    assert cluster.tasks(jobs.folded) == tasks
    row = cluster.vmctl_jobs()[jobs.folded]
    assert (row["folds"], row["unfolds"], row["ranks"]["attached"]) == (2, 1, 4)


def change_conf(cluster, *changes):
    text = cluster.conf.read_text()
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    cluster.conf.write_text(text)


def change_name(cluster, before, after):
    cluster.slurmctld.stop()
    change_conf(cluster, (before, after))
    start_as_configured(cluster)


def start_as_configured(cluster):
    """slurmd knows only the number of the plugin that slurm.conf names, so slurmctld, which is stopped, comes last."""
    cluster.slurmd["n1"].stop()
    cluster.slurmd["n1"].start()
    cluster.slurmctld.start()
    cluster.wait_ready()


@pytest.mark.log_errors(PEER_GONE)
@pytest.mark.parametrize("before, after", [("select/vmall", "select/cons_tres_vmall"), ("select/cons_tres_vmall", "select/vmall")])
def test_jobs_survive_a_change_of_the_name_of_the_select_plugin(cluster, before, after):
    change_name(cluster, "select/cons_tres_vmall", before)
    jobs = fold(cluster)
    ordinary = cluster.submit(FOREVER, "-n2")
    malleable = submit_vm(cluster, "long", 8)
    held = {job: cluster.job(job).cores for job in (jobs.guest, jobs.folded)}
    tasks = {job: cluster.tasks(job) for job in held}

    for name in (before, after):  # the second time from what the new one has saved
        cluster.wait_saved()
        change_name(cluster, name, after)
        assert {job: cluster.job(job).cores for job in held} == held
        assert {job: cluster.job(job).state for job in (ordinary, malleable)} == dict.fromkeys((ordinary, malleable), "PENDING")
        wait_confined(cluster, jobs.folded)
    assert {job: cluster.tasks(job) for job in held} == tasks

    cluster.run("scancel", jobs.guest, malleable)
    assert cluster.wait_state(ordinary, "RUNNING").core_count == 2
    cluster.run("scancel", ordinary)
    wait_cores(cluster, jobs.folded, 4)
    wait_confined(cluster, jobs.folded)


@pytest.mark.core
@pytest.mark.log_errors(PEER_GONE)
def test_job_of_stock_slurm_runs_on_when_slurm_vmall_is_turned_on(cluster):
    plugstack = cluster.root / "plugstack.conf"
    ours = plugstack.read_text()
    to_stock = (("select/cons_tres_vmall", "select/cons_tres"), ("sched/fjt", "sched/backfill"))
    cluster.slurmctld.stop()
    change_conf(cluster, *to_stock)
    plugstack.write_text("")
    start_as_configured(cluster)
    job_id = cluster.submit(FOREVER, "-n4", "--time=10")
    tasks = wait_tasks(cluster, job_id, cluster.wait_state(job_id, "RUNNING").tasks)
    held = cluster.job(job_id).cores
    cluster.wait_saved()

    cluster.slurmctld.stop()
    change_conf(cluster, *((new, old) for old, new in to_stock))
    plugstack.write_text(ours)
    start_as_configured(cluster)
    assert cluster.job(job_id).cores == held
    assert cluster.tasks(job_id) == tasks
    beside = submit_vm(cluster, "short", 4)
    cluster.wait_state(beside, "RUNNING")
    assert cluster.violations() == []


@pytest.mark.core
@pytest.mark.log_errors(PEER_GONE)
def test_folded_job_finishes_after_the_removal(cluster):
    end = cluster.directory / "end"
    jobs = fold(cluster, CG.script(cluster.build, f"until:{end}") + " &" + A_STEP_MORE.replace("cat $VMALL_ALLOTMENT", "true"))
    tasks = wait_tasks(cluster, jobs.folded, 4)
    wait_in_mpi(cluster, jobs.folded, 4)
    before = {job: cluster.job(job).cores for job in (jobs.guest, jobs.folded)}

    cluster.slurmctld.stop()
    change_conf(cluster, ("select/cons_tres_vmall", "select/cons_tres"), ("sched/fjt", "sched/backfill"))
    (cluster.root / "plugstack.conf").write_text("")
    start_as_configured(cluster)
    cluster.build.remove()
    cluster.restart_slurmctld()
    cluster.restart_slurmd("n1")
    assert {job: cluster.job(job).cores for job in before} == before
    assert cluster.tasks(jobs.folded) == tasks

    ordinary = cluster.submit(FOREVER, "-n3", "--time=10")
    cluster.wait_until(lambda: cluster.job(ordinary).reason == "Resources", "Slurm to find no room")
    cluster.run("scancel", jobs.guest)
    wait_tasks(cluster, ordinary, cluster.wait_state(ordinary, "RUNNING").tasks)
    assert cluster.violations() == []
    assert cluster.job(jobs.folded).cores == before[jobs.folded]
    (cluster.directory / f"next.{jobs.folded}").touch()
    cluster.wait_until(lambda: "second step: 0" in cluster.output(jobs.folded), "a step that starts now")
    end.touch()
    assert cluster.wait_end(jobs.folded).state == "COMPLETED"
    assert CG.result(cluster.output(jobs.folded))
