# SPDX-License-Identifier: GPL-2.0-or-later
"""Agents that deal their nodes' cores themselves (mode=node), under a stock slurmctld that gives cores to several jobs."""

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from exporter import Exporter
from scenario import FOREVER, wait_in_mpi, wait_tasks
from vmcluster import Node, processes
from vmcluster.ports import Block
from vmcluster.programs import Kernel, run_alone
from vmcluster.waiting import LIMIT

CLUSTER = {
    "scheduler": "node",
    "nodes": [Node("n1", 8), Node("real", 2), Node("n3", 4), Node("n4", 4)],
    "partitions": {"claimed": "Nodes=n1 Default=YES OverSubscribe=FORCE:4", "two": "Nodes=real OverSubscribe=FORCE:4",
                   "pair": "Nodes=n3,n4 OverSubscribe=FORCE:4"},
    "vmall_conf": {"SurveyInterval": 2},
}
REAL = "--partition=two"


def submit_long(cluster, procs, *options, script=FOREVER):
    job_id = cluster.submit(script, "--vm-class=long", f"-n{procs}", *options)
    cluster.wait_state(job_id, "RUNNING")
    return job_id


def state(cluster, job_id, node="n1"):
    return json.loads((cluster.root / "run" / node / str(job_id) / "state").read_text())["job"]


def ids(text):
    """Of the agent's list such as 0-2,7."""
    spans = [span.split("-") for span in text.split(",")]
    return {number for first, *last in spans for number in range(int(first), int((last or [first])[0]) + 1)}


def cores(cluster, job_id, node="n1"):
    return ids(state(cluster, job_id, node)["cores"])


def wait_dealt(cluster, *jobs, node="n1"):
    """Until these jobs have sets of their own of these sizes: pairs of a job and a number."""
    def seen():
        dealt = [cores(cluster, job_id, node) for job_id, _ in jobs]
        return [len(one) for one in dealt] == [count for _, count in jobs] and len(set().union(*dealt)) == sum(map(len, dealt))
    cluster.wait_until(seen, f"jobs to have their own cores: {jobs}")


def wait_on_cpus(cluster, job_id, cpus):
    """Until no thread of its tasks may run elsewhere. There are as many real cores as the node claims."""
    def seen():
        tasks = cluster.tasks(job_id).values()
        return tasks and all(allowed <= cpus for pid in tasks for allowed in processes.thread_cpus(pid).values())
    cluster.wait_until(seen, f"job {job_id} to be on {cpus}")


@pytest.mark.core
def test_jobs_on_the_same_cores_are_dealt_equal_parts_and_who_is_left_gets_all_back(cluster):
    shown = cluster.run("scontrol", "show", "config").stdout
    assert str(cluster.build.directory) not in shown
    first, second = (submit_long(cluster, 8) for _ in range(2))
    assert cluster.job(first).cores == cluster.job(second).cores == {"n1": set(range(8))}
    wait_dealt(cluster, (first, 4), (second, 4))
    assert state(cluster, first)["mpl"] == 2
    tasks = wait_tasks(cluster, first, 8)
    others = [submit_long(cluster, 8) for _ in range(2)]
    wait_dealt(cluster, *((job_id, 2) for job_id in (first, second, *others)))
    cluster.run("scancel", second, *others)
    wait_dealt(cluster, (first, 8))
    assert state(cluster, first)["mpl"] == 1
    assert cluster.tasks(first) == tasks


@pytest.mark.core
def test_programs_that_share_two_cores_compute_the_same(cluster, build):
    program = Kernel("cg", "srun --mpi=pmi2", before="1000 5")
    end = cluster.directory / "end"
    told = end.with_suffix(".rounds")

    def rounds():
        return int(told.read_text() or 0)

    def wait_rounds():
        before = rounds()
        cluster.wait_until(lambda: rounds() >= before + 5, "the job to compute")

    first = submit_long(cluster, 2, REAL, script=program.script(build, f"until:{end}"))
    wait_in_mpi(cluster, first, 2)
    second = submit_long(cluster, 2, REAL, script=Kernel("cg", "srun --mpi=pmi2", before="1000").script(build, 10**8))
    wait_in_mpi(cluster, second, 2)
    wait_dealt(cluster, (first, 1), (second, 1), node="real")
    for job_id in first, second:
        wait_on_cpus(cluster, job_id, cores(cluster, job_id, "real"))
    wait_rounds()
    cluster.run("scancel", second)
    wait_dealt(cluster, (first, 2), node="real")
    wait_rounds()
    end.touch()
    assert cluster.wait_end(first).state == "COMPLETED"
    assert program.result(cluster.output(first)) == run_alone(cluster, program, 2, rounds())[1]


@pytest.mark.core
def test_job_that_did_not_ask_keeps_its_cores_whole_where_there_are_others(cluster):
    ordinary = cluster.submit(FOREVER, "-n4")
    cluster.wait_state(ordinary, "RUNNING")
    wait_tasks(cluster, ordinary, 4)
    asked = submit_long(cluster, 8)
    wait_dealt(cluster, (ordinary, 4), (asked, 4))
    assert cores(cluster, ordinary) == cluster.job(ordinary).cores["n1"]
    assert b"libvmrt" not in Path(f"/proc/{cluster.tasks(ordinary)[0]}/environ").read_bytes()
    cluster.run("scancel", ordinary)
    wait_dealt(cluster, (asked, 8))


def test_beside_who_did_not_ask_on_all_cores_both_keep_them(cluster):
    ordinary = cluster.submit(FOREVER, "-n8")
    cluster.wait_state(ordinary, "RUNNING")
    wait_tasks(cluster, ordinary, 8)
    asked = submit_long(cluster, 8)
    wait_tasks(cluster, asked, 8)
    third = submit_long(cluster, 8)
    wait_dealt(cluster, (asked, 4), (third, 4))
    cluster.run("scancel", third)
    wait_dealt(cluster, (asked, 8))
    assert cores(cluster, ordinary) == set(range(8))


def test_what_was_dealt_outlives_the_agent(cluster):
    ordinary = cluster.submit(FOREVER, "-n2")
    cluster.wait_state(ordinary, "RUNNING")
    wait_tasks(cluster, ordinary, 2)
    first, second = (submit_long(cluster, 8) for _ in range(2))
    for job_id in first, second:
        wait_tasks(cluster, job_id, 8)
    wait_dealt(cluster, (ordinary, 2), (first, 3), (second, 3))
    before = [state(cluster, job_id) for job_id in (ordinary, first, second)]
    cluster.restart_slurmd("n1", kill=True)
    assert [state(cluster, job_id)["cores"] for job_id in (ordinary, first, second)] == [job["cores"] for job in before]
    cluster.run("scancel", ordinary, second)
    wait_dealt(cluster, (first, 8))


def wide_cores(cluster, job_id):
    """How many it has on each node, and at which MPL."""
    parts = [state(cluster, job_id, node) for node in ("n3", "n4")]
    return [(len(ids(part["cores"])), part["mpl"]) for part in parts]


def wait_wide(cluster, job_id, *parts):
    cluster.wait_until(lambda: wide_cores(cluster, job_id) == list(parts), f"job {job_id} to have {parts}")


def submit_narrow(cluster, node):
    job_id = submit_long(cluster, 4, "--partition=pair", "-N1", f"-w{node}")
    wait_tasks(cluster, job_id, 4)
    return job_id


@pytest.fixture
def unsurveyed(cluster):
    """Parts of the pair stay equal: nobody knows on a busy machine what ranks make use of."""
    for settings in {"SurveyInterval": 0}, {}:
        cluster.write_vmall_conf(**settings)
        for node in "n3", "n4":
            cluster.restart_slurmd(node)
        if settings:
            yield


@pytest.mark.core
@pytest.mark.usefixtures("unsurveyed")
def test_mpi_job_on_two_nodes_is_folded_alike_on_both(cluster, build):
    end = cluster.directory / "end_of_wide"
    program = Kernel("cg", "srun --mpi=pmi2", before="1000 5")
    wide = submit_long(cluster, 8, "--partition=pair", "-N2", script=program.script(build, f"until:{end}"))
    wait_in_mpi(cluster, wide, 8)
    third = submit_narrow(cluster, "n3")
    wait_wide(cluster, wide, (2, 2), (2, 2))
    wait_dealt(cluster, (wide, 2), (third, 2), node="n3")
    fourth = submit_narrow(cluster, "n4")
    wait_dealt(cluster, (wide, 2), (fourth, 2), node="n4")
    others = [submit_narrow(cluster, "n3") for _ in range(2)]
    wait_wide(cluster, wide, (1, 4), (1, 4))
    wait_dealt(cluster, (wide, 1), (fourth, 3), node="n4")
    cluster.restart_slurmd("n3", kill=True)
    assert wide_cores(cluster, wide) == [(1, 4), (1, 4)]
    cluster.run("scancel", third, *others)
    wait_wide(cluster, wide, (2, 2), (2, 2))
    cluster.run("scancel", fourth)
    wait_wide(cluster, wide, (4, 1), (4, 1))
    end.touch()
    assert cluster.wait_end(wide).state == "COMPLETED"
    assert program.result(cluster.output(wide))


def test_job_on_two_nodes_keeps_its_cores_until_both_know_it(cluster):
    go = cluster.directory / "go"
    wide = submit_long(cluster, 8, "--partition=pair", "-N2", script=f"until [ -e {go} ]; do sleep 0.1; done\n{FOREVER}")
    narrow = [submit_narrow(cluster, "n3") for _ in range(2)]
    wait_dealt(cluster, *((job_id, 2) for job_id in narrow), node="n3")
    assert cores(cluster, wide, "n3") == set(range(4))
    go.touch()
    wait_tasks(cluster, wide, 8)
    wait_wide(cluster, wide, (2, 2), (2, 2))


def test_job_that_waits_for_most_of_its_time_gives_cores_to_another(cluster, build):
    ring = submit_long(cluster, 8, script=Kernel("ring", "srun --mpi=pmi2", behind="1000").script(build, 10**8))
    wait_in_mpi(cluster, ring, 8)
    other = submit_long(cluster, 8)
    wait_tasks(cluster, other, 8)
    cluster.wait_until(lambda: 2 <= len(cores(cluster, ring)) < 4 < len(cores(cluster, other)), "cores that the ring does not use")
    assert not cores(cluster, ring) & cores(cluster, other)
    cluster.run("scancel", other)
    wait_dealt(cluster, (ring, 8))


def test_doctor_asks_the_agents_and_not_slurmctld(cluster):
    done = cluster.vmctl("doctor", "--json", check=False)
    checks = json.loads(done.stdout)["checks"]
    assert (done.returncode, [check for check in checks if not check["ok"]]) == (0, [])
    asked = {node for check in checks if check["check"] == "agent" for node in check["where"]}
    assert asked == {node.name for node in cluster.nodes}


def told(cluster, job_id):
    """Of `vmctl jobs`; None: nothing is told of it."""
    return cluster.vmctl_jobs().get(job_id)


def wait_told(cluster, job_id, cores, mpl):
    def seen():
        row = told(cluster, job_id)
        return row and (sum(node["cores"] for node in row["nodes"]), row["mpl"]) == (cores, mpl) and row
    return cluster.wait_until(seen, f"vmctl to know that job {job_id} has {cores} cores")


@pytest.mark.core
def test_jobs_are_shown_as_their_agents_tell(cluster):
    ordinary = cluster.submit(FOREVER, "-n1", "-N1", "--partition=pair", "-wn4")
    cluster.wait_state(ordinary, "RUNNING")
    wait_tasks(cluster, ordinary, 1)
    first, second = (submit_long(cluster, 8, "--job-name=asked") for _ in range(2))
    row = wait_told(cluster, first, 4, 2)
    wait_told(cluster, second, 4, 2)
    assert (row["name"], row["processes"], row["full_cores"], row["nodes"][0]["node"]) == ("asked", 8, 8, "n1")
    assert row["nodes"][0]["deal"]["with"] == [second]
    assert ordinary not in cluster.vmctl_jobs()
    cluster.wait_until(lambda: told(cluster, first).get("lost_seconds", 0) > 0, "a second that is lost by sharing")
    line = next(line for line in cluster.vmctl("jobs").stdout.splitlines() if f" {first} " in f" {line} ")
    assert line.split()[2:8] == ["root", "N/A", "8", "4", "8", "2"]
    assert f"gave cores of it to job {second}, too." in cluster.vmctl("why", first).stdout
    assert "did not ask to share" in cluster.vmctl("why", ordinary).stdout
    assert "running 2  folded 2" in cluster.vmctl("top", "-b").stdout
    cluster.run("scancel", second)
    wait_told(cluster, first, 8, 1)


def test_what_is_told_is_as_the_schemas_say(cluster):
    schemas = pytest.importorskip("schemas", reason="no python3-jsonschema here")
    job_id = submit_long(cluster, 8)
    wait_told(cluster, job_id, 8, 1)
    for name in "jobs", "top":
        printed = schemas.check(f"vmctl-{name}", cluster.vmctl(name, "--json").stdout)
        assert [row["job_id"] for row in printed["jobs"]] == [job_id]
    schemas.check("vmctl-metrics", cluster.vmctl("metrics", "--json").stdout)
    assert schemas.check("vmctl-why", cluster.vmctl("why", job_id, "--json").stdout)["job_id"] == job_id


def test_of_a_job_on_two_nodes_is_told_which_of_them_decides(cluster):
    wide = submit_long(cluster, 8, "--partition=pair", "-N2")
    wait_tasks(cluster, wide, 8)
    submit_narrow(cluster, "n3")
    row = wait_told(cluster, wide, 4, 2)
    assert {node["node"] for node in row["nodes"]} == {"n3", "n4"}
    assert "as deep as on n3, where it would have MPL 2" in cluster.vmctl("why", wide).stdout


def test_node_that_does_not_tell_is_named_and_the_others_are_shown(cluster):
    here, there = submit_long(cluster, 8), submit_narrow(cluster, "n4")
    wait_told(cluster, here, 8, 1)
    wait_told(cluster, there, 4, 1)
    cluster.slurmd["n4"].stop()
    try:
        for command in ("jobs", "--json"), ("why", here), ("why", here, "--json"):
            done = cluster.vmctl(*command, check=False)
            assert done.returncode == 1
            assert str(here) in done.stdout and "not told by n4: " in done.stderr
        assert str(there) not in cluster.vmctl("jobs", check=False).stdout
        assert "Not told by n4" in cluster.vmctl("top", "-b").stdout
    finally:
        cluster.slurmd["n4"].start()
        cluster.wait_ready()
    wait_told(cluster, there, 4, 1)


def shown(cluster, check=True):
    """name with labels → value of `vmctl metrics`."""
    lines = cluster.vmctl("metrics", check=check).stdout.splitlines()
    return {name: float(value) for name, value in (line.rsplit(" ", 1) for line in lines if not line.startswith("#"))}


FOLDED = {'slurm_vm_jobs{state="folded"}': 2, 'slurm_vm_jobs{state="unfolded"}': 0,
          "slurm_vm_cores_held": 8, "slurm_vm_cores_lent": 8}


def test_metrics_are_what_the_agents_tell(cluster):
    jobs = [submit_long(cluster, 8) for _ in range(2)]
    cluster.wait_until(lambda: FOLDED.items() <= shown(cluster).items(), f"vmctl to tell {FOLDED}")
    cluster.wait_until(lambda: shown(cluster)["slurm_vm_lost_seconds"] > 0, "a second that is lost by sharing")
    assert shown(cluster)["slurm_vm_up"] == 1
    if shutil.which("promtool"):
        done = subprocess.run(["promtool", "check", "metrics"], input=cluster.vmctl("metrics").stdout, text=True,
                              capture_output=True, check=False, timeout=LIMIT)
        assert (done.returncode, done.stdout + done.stderr) == (0, "")
    cluster.run("scontrol", "suspend", jobs[0])
    alone = {'slurm_vm_jobs{state="suspended"}': 1, 'slurm_vm_jobs{state="folded"}': 1,
             "slurm_vm_cores_held": 4, "slurm_vm_cores_lent": 4}
    cluster.wait_until(lambda: alone.items() <= shown(cluster).items(), f"vmctl to tell {alone}")
    cluster.run("scontrol", "resume", jobs[0])


def test_node_that_does_not_tell_is_in_the_metrics(cluster):
    there = submit_narrow(cluster, "n4")
    wait_told(cluster, there, 4, 1)
    cluster.slurmd["n4"].stop()
    try:
        done = cluster.vmctl("metrics", check=False)
        assert done.returncode == 1 and "not told by n4: " in done.stderr
        assert shown(cluster, check=False)['slurm_vm_node_silent{node="n4"}'] == 1
    finally:
        cluster.slurmd["n4"].start()
        cluster.wait_ready()
    wait_told(cluster, there, 4, 1)


def test_exporter_serves_what_the_agents_tell(cluster):
    if not cluster.build.exporter.exists():
        pytest.skip("configured --without-metrics")
    refused = cluster.run(cluster.build.exporter, check=False)
    assert refused.returncode == 1 and "set MetricsAddress in plugstack.conf, behind mode=node" in refused.stderr
    ports = Block(1)
    cluster.write_vmall_conf(MetricsAddress=ports.first)
    exporter = Exporter(cluster, ports.first, cluster.vmall_conf)
    exporter.daemon.start()
    try:
        cluster.wait_until(exporter.is_up, "the exporter to be up")
        for _ in range(2):
            submit_long(cluster, 8)
        cluster.wait_until(lambda: FOLDED.items() <= exporter.values().items(), f"the exporter to serve {FOLDED}")
    finally:
        problem = exporter.daemon.stop()
        ports.give_up()
        cluster.write_vmall_conf()
    assert not problem


@pytest.mark.parametrize("command", ["queue", "stats", "history", "config"])
def test_who_asks_slurmctld_is_told_that_nothing_of_ours_is_there(cluster, command):
    done = cluster.vmctl(command, check=False)
    assert done.returncode == 1
    assert "nothing of slurm-vmall that could be asked (SelectType=select/cons_tres)" in done.stdout + done.stderr


def time_limit(cluster, job_id):
    """Of an array's first job squeue tells the other tasks, too."""
    told = cluster.run("squeue", "-h", "-j", job_id, "-o", "%A %l").stdout
    return dict(line.split() for line in told.splitlines())[str(job_id)]


def test_job_that_shares_has_more_time(cluster):
    alone = submit_long(cluster, 8, "--time=5")
    cluster.wait_state(alone, "RUNNING")
    wait_tasks(cluster, alone, 8)
    other = submit_long(cluster, 8)
    wait_dealt(cluster, (alone, 4), (other, 4))
    cluster.wait_until(lambda: time_limit(cluster, alone) == "6:00", "a minute that is lost in advance")
    cluster.run("scontrol", "update", f"JobId={alone}", "TimeLimit=20")
    cluster.restart_slurmd("n1", kill=True)
    cluster.wait_until(lambda: time_limit(cluster, alone) == "21:00", "a second one, by the next agent, beyond what an operator gave")


def test_job_that_shared_reads_at_its_end_what_it_had_and_lost(cluster):
    end = cluster.directory / "end_of_account"
    jobs = [submit_long(cluster, 8, script=f"until [ -e {end} ]; do sleep 0.1; done\n") for _ in range(2)]
    for job_id in jobs:
        wait_told(cluster, job_id, 4, 2)
        cluster.wait_until(lambda job=job_id: told(cluster, job).get("lost_seconds", 0) > 0, "a second that is lost by sharing")
    end.touch()
    for job_id in jobs:
        assert cluster.wait_end(job_id).state == "COMPLETED"
        last = cluster.output(job_id).splitlines()[-1]
        had, given, lost = map(int, re.fullmatch(r"slurm-vmall: on n1 this job had (\d+) of the (\d+) core-seconds that Slurm "
                                                 r"gave it, and has lost (\d+) s by sharing.*\.", last).groups())
        assert 0 < lost < had < given
    alone = cluster.submit("true", "--vm-class=long", "-n8")
    assert cluster.wait_end(alone).state == "COMPLETED"
    assert not cluster.output(alone)


def test_task_of_an_array_has_more_time_for_itself(cluster):
    array = cluster.submit(FOREVER, "--vm-class=long", "-n4", "-N1", "--partition=pair", "--array=1-2", "--time=5")

    def running():
        told = cluster.run("squeue", "-h", "-t", "RUNNING", "-j", array, "-o", "%A %N").stdout
        return {int(job_id): node for job_id, node in map(str.split, told.splitlines())}

    nodes = cluster.wait_until(lambda: len(found := running()) == 2 and found, "both tasks to run")
    assert set(nodes.values()) == {"n3", "n4"}
    [other] = set(nodes) - {array}
    wait_tasks(cluster, array, 4)
    submit_long(cluster, 4, "--partition=pair", "-N1", f"-w{nodes[array]}")
    cluster.wait_until(lambda: time_limit(cluster, array) == "6:00", "a minute more")
    assert time_limit(cluster, other) == "5:00"


@pytest.mark.log_errors("LimitExtension of this site allows no more")  # slurmstepd writes it there, too
def test_job_that_gets_no_more_time_reads_it_in_its_log(cluster):
    cluster.write_vmall_conf(LimitExtension=0)
    cluster.restart_slurmd("n1")
    jobs = [submit_long(cluster, 8, "--time=5") for _ in range(2)]
    for job_id in jobs:
        cluster.wait_until(lambda job=job_id: "LimitExtension of this site allows no more" in cluster.output(job), "the job's log to say it")
        assert time_limit(cluster, job_id) == "5:00"
