# SPDX-License-Identifier: GPL-2.0-or-later
"""slurmctld with plugins that do not belong together, or not to it: it does not start, and its log says what to
install or build."""

import re
import shutil
import subprocess

import pytest
from scenario import log_of_refused_start
from vmcluster.build import slurm_library, stock_plugin_dir
from vmcluster.waiting import LIMIT


@pytest.fixture(name="plugins")
def plugin_directory(cluster):
    """A directory with links to all plugins, Slurm's and ours."""
    directory = cluster.root / "plugins"
    directory.mkdir()
    for of in [stock_plugin_dir(), *cluster.build.plugin_dirs]:
        for file in of.glob("*.so"):
            (directory / file.name).symlink_to(file)
    yield directory
    shutil.rmtree(directory)


def log_with(cluster, plugins):
    line = re.search("(?m)^PluginDir=.*", cluster.conf.read_text())[0]
    return log_of_refused_start(cluster, line, f"PluginDir={plugins}")


@pytest.mark.parametrize("missing, message", [
    ("select_cons_tres.so", "error: select/cons_tres_vmall: cannot load Slurm's own select/cons_tres.*: install it again"),
    ("sched_backfill.so", "error: sched/fjt: cannot load Slurm's own sched/backfill.*: install it again"),
    ("sched_fjt.so", "error: cannot create sched context for sched/fjt"),
    ("select_cons_tres_vmall.so", "fatal: Can't find plugin for select/cons_tres_vmall|error: cannot create select context for select/cons_tres_vmall"),
])
def test_missing_plugin_is_named(cluster, plugins, missing, message):
    (plugins / missing).unlink()
    assert re.search(message, log_with(cluster, plugins))


def test_plugins_of_two_builds_are_refused(cluster, plugins):
    ours = plugins / "sched_fjt.so"
    content = ours.read_bytes()
    number = re.search(rb"\d+\.\d+\.\d+-(\d+)\0", content)[1]
    ours.unlink()
    ours.write_bytes(content.replace(b"-" + number + b"\0", b"-" + b"1" * len(number) + b"\0"))
    assert re.search(r"error: sched/fjt: sched_fjt.so is of build [\d.]+-1+ and the select plugin of build [\d.]+-"
                     + number.decode() + ": install both from one build", log_with(cluster, plugins))


def test_slurm_whose_records_have_another_size_is_refused(cluster):
    """Every allocation says that it is of eight bytes."""
    library = cluster.root / "small.so"
    subprocess.run(["cc", "-shared", "-fPIC", "-x", "c", "-", "-o", library], check=True, timeout=LIMIT,
                   input=b"unsigned long slurm_xsize(void *item) { (void)item; return 8; }")
    log = log_of_refused_start(cluster, "SelectType=", "SelectType=", LD_PRELOAD=str(library))
    assert re.search("error: sched/fjt: node_record_t of this Slurm is laid out otherwise .*: run contrib/slurm-source", log)


# As tools that sites have of their own do.
_LOAD_NODES = """
import ctypes, sys
slurm = ctypes.CDLL(sys.argv[1], mode=ctypes.RTLD_GLOBAL)
slurm.slurm_init(None)
nodes = ctypes.POINTER(ctypes.c_uint64)()
assert slurm.slurm_load_node(ctypes.c_long(0), ctypes.byref(nodes), ctypes.c_uint16(0)) == 0
print("loaded")
"""

pytestmark = pytest.mark.core


def test_program_with_libslurm_asks_for_nodes(cluster):
    assert cluster.run("/usr/bin/python3", "-c", _LOAD_NODES, slurm_library()).stdout == "loaded\n"
