# SPDX-License-Identifier: GPL-2.0-or-later
"""What vmall-exporter serves, as a real Prometheus sees it, and what cannot harm it."""

import json
import shutil
import socket
import subprocess
import urllib.error
import urllib.parse
import urllib.request

import pytest
from exporter import Exporter, as_stranger, get
from scenario import FOREVER, PEER_GONE, TOP, fold, go_on, submit_vm, unfolded, wait_in_mpi
from vmcluster.ports import Block
from vmcluster.programs import Kernel
from vmcluster.waiting import LIMIT

CLUSTER = {"slurm_conf": {"PrivateData": "jobs"}}
ALERTS = TOP / "contrib/monitoring/alerts.yml"

FOLDED = 'slurm_vm_folds_total{class="long",partition="main",reason="room"}'


def conf_with(cluster, name, line):
    """A vmall.conf of the exporter's own with this line, and its number there."""
    conf = cluster.root / name
    conf.write_text(cluster.vmall_conf.read_text() + line + "\n")
    return conf, len(conf.read_text().splitlines())


@pytest.fixture(scope="module")
def exporter(cluster):
    if not cluster.build.exporter.exists():
        pytest.skip("configured --without-metrics")
    ports = Block(1)
    conf, _ = conf_with(cluster, "exporter.conf", f"MetricsAddress={ports.first}")
    started = Exporter(cluster, ports.first, conf)
    started.daemon.start()
    cluster.wait_until(started.is_up, "the exporter to be up")
    yield started
    problem = started.daemon.stop()
    ports.give_up()
    assert not problem


@pytest.fixture
def prometheus(cluster, exporter):
    """Where it answers; it scrapes the exporter, and has our alerts."""
    if not shutil.which("prometheus"):
        pytest.skip("no Prometheus (Debian: prometheus)")
    ports = Block(1)
    data = cluster.root / "prometheus"
    data.mkdir()
    conf = data / "prometheus.yml"
    conf.write_text(json.dumps({
        "rule_files": [str(ALERTS)],
        "scrape_configs": [{"job_name": "slurm-vmall", "scrape_interval": "1s", "scrape_timeout": "1s",
                            "static_configs": [{"targets": [f"127.0.0.1:{exporter.port}"]}]}]}))
    daemon = cluster.daemon("prometheus", ["prometheus", f"--config.file={conf}", f"--storage.tsdb.path={data}/data",
                                           f"--web.listen-address=127.0.0.1:{ports.first}"], "prometheus")
    daemon.start()
    yield f"http://127.0.0.1:{ports.first}/api/v1"
    problem = daemon.stop()
    ports.give_up()
    assert not problem


def asked(prometheus, expression):
    """The value of the only series; None: there is none yet."""
    try:
        answer = json.loads(get(f"{prometheus}/query?" + urllib.parse.urlencode({"query": expression})))
    except urllib.error.URLError:
        return None
    result = answer["data"]["result"]
    return float(result[0]["value"][1]) if len(result) == 1 else None


@pytest.mark.core
def test_prometheus_sees_an_mpi_job_folded(cluster, build, exporter, prometheus):
    end = cluster.directory / "cg.end"
    jobs = unfolded(cluster, Kernel("cg", "srun", before="1000 5").script(build, f"until:{end}"))
    wait_in_mpi(cluster, jobs.folded, 4)
    before = exporter.values().get(FOLDED, 0)
    go_on(cluster, jobs)
    cluster.wait_until(lambda: asked(prometheus, FOLDED) == before + 1, "Prometheus to have the fold")
    cluster.wait_until(lambda: asked(prometheus, "slurm_vm_cores_lent") == 3, "Prometheus to have the cores lent")
    assert asked(prometheus, 'slurm_vm_resize_seconds_count{direction="fold"}') >= before + 1
    assert asked(prometheus, 'slurm_vm_jobs{class="long",state="folded"}') == 1
    cluster.wait_until(lambda: asked(prometheus, "slurm_vm_core_seconds_lent_total") > 0, "core-seconds to be lent")
    rules = [rule for group in json.loads(get(f"{prometheus}/rules"))["data"]["groups"] for rule in group["rules"]]
    assert len(rules) > 5 and not [rule for rule in rules if rule.get("lastError")]
    end.touch()


def test_promtool_has_nothing_against_the_text(cluster, exporter):
    if not shutil.which("promtool"):
        pytest.skip("no promtool (Debian: prometheus)")
    fold(cluster)
    done = subprocess.run(["promtool", "check", "metrics"], input=cluster.vmctl("metrics").stdout, text=True,
                          capture_output=True, check=False, timeout=LIMIT)
    assert (done.returncode, done.stdout + done.stderr) == (0, "")
    ours = [line for line in exporter.text().splitlines() if line.startswith("# TYPE slurm_vm_")]
    assert ours == [line for line in cluster.vmctl("metrics").stdout.splitlines() if line.startswith("# TYPE ")]
    assert len(json.loads(cluster.vmctl("metrics", "--json").stdout)["metrics"]) == len(ours) - 1  # the tool itself adds up


def test_numbers_are_of_all_jobs_whoever_asks(cluster, exporter):
    ordinary = cluster.submit(FOREVER, "-n5")
    cluster.wait_state(ordinary, "RUNNING")
    running = submit_vm(cluster, "long", 2)
    cluster.wait_state(running, "RUNNING")
    submit_vm(cluster, "long", 8)
    wanted = {'slurm_vm_jobs{class="long",state="unfolded"}': 1, 'slurm_vm_jobs{class="long",state="waiting"}': 1,
              "slurm_vm_cores_held": 2}
    cluster.wait_until(lambda: wanted.items() <= exporter.values().items(), f"the exporter to serve {wanted}")
    seen = cluster.run(*as_stranger(), cluster.build.vmctl, "jobs", "--json").stdout
    assert json.loads(seen)["jobs"] == []


@pytest.mark.core
@pytest.mark.log_errors(PEER_GONE)
def test_it_outlives_the_controller(cluster, exporter):
    pid = exporter.daemon.pid
    cluster.slurmctld.stop()
    cluster.wait_until(lambda: exporter.values().get("slurm_vm_up") == 0, "the exporter to say that nobody answers")
    assert not [name for name in exporter.values() if name.startswith("slurm_vm_") and name != "slurm_vm_up"]
    cluster.slurmctld.start()
    cluster.wait_ready()
    cluster.wait_until(exporter.is_up, "the exporter to be up again")
    assert exporter.daemon.pid == pid


def test_who_hangs_keeps_nobody_waiting(cluster, exporter):
    said = [b"", b"GET /metr", b"GET /metrics HTTP/1.1\r\nHost: a\r\n", b"GET /metrics HTTP/1.1\r\nHost: a\r\n\r\n"]
    clients = [socket.create_connection(("127.0.0.1", exporter.port)) for _ in range(3) for _ in said]
    try:
        for client, text in zip(clients, 3 * said):
            client.sendall(text)
        assert exporter.is_up()
        assert cluster.vmctl_stats()["passes"] > 0
    finally:
        for client in clients:
            client.close()
    assert exporter.is_up()


@pytest.mark.parametrize("path, method, code", [("/", "GET", 404), ("/metrics/../../etc/passwd", "GET", 404),
                                                ("/metrics", "POST", 404), ("/metrics", "DELETE", 405)])
def test_it_serves_nothing_else(exporter, path, method, code):
    with pytest.raises(urllib.error.HTTPError) as refused:
        get(exporter.url.removesuffix("/metrics") + path, method)
    assert refused.value.code == code
    assert exporter.is_up()


def refusal(cluster, line):
    """What it says that ends at once, and that line's place."""
    conf, number = conf_with(cluster, "refused.conf", line)
    done = cluster.run(cluster.build.exporter, check=False, VMALL_CONF=conf)
    assert done.returncode == 1
    return done.stderr, f"{conf}:{number}"


def test_a_bad_address_is_refused_with_its_place(cluster, exporter):
    said, place = refusal(cluster, "MetricsAddress=head:http")
    assert f'{place}: MetricsAddress: "head:http" is not a port' in said


@pytest.mark.core
def test_it_is_off_unless_it_is_told_where(cluster, exporter):
    said, place = refusal(cluster, "# nothing")
    assert f"set MetricsAddress in {place.rpartition(':')[0]}" in said


def test_an_address_that_somebody_has_is_an_error(cluster, exporter):
    said, _ = refusal(cluster, f"MetricsAddress={exporter.port}")
    assert f"cannot listen on 127.0.0.1:{exporter.port}" in said
