# SPDX-License-Identifier: GPL-2.0-or-later
"""Tasks in a container that another SPANK plugin puts them into: served where it has the runtime library, left alone
where it has not."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest
from scenario import go_on, unfolded, wait_attached, wait_cores, wait_in_mpi
from vmcluster.build import slurm_prefix
from vmcluster.programs import Kernel, run_alone
from vmcluster.waiting import LIMIT

SRUN = "srun --mpi=pmi2"
PROGRAM = Kernel("cg", SRUN, before="1000 5")
USER = "daemon"
# All ranks in one user namespace: UCX opens what others have open.
IN_ONE = "srun -n1 --mpi=none mpiexec.mpich -launcher fork -n 4"
USER_NAMESPACES = pytest.mark.skipif(subprocess.run(["unshare", "--user", "true"], check=False, capture_output=True,
                                                    timeout=LIMIT).returncode,
                                     reason="nobody can make a user namespace here, as in a chroot")
SYSTEM = ("/usr", "/etc", "/proc", "/sys", "/dev")
OWN = "libm.so.6"  # what a user preloads
LOADER = "cannot be preloaded"


class Container:
    """A root directory, the library where the container may lack it, and a program that any user can read."""

    def __init__(self, cluster, build):
        self.root = cluster.root / "container"
        self.library = cluster.root / "libraries" / build.vmrt.name
        self.program = cluster.root / "programs" / PROGRAM.name
        self.binds = [Path(path) for path in SYSTEM] + [self.program.parent, cluster.directory]
        for source, copy in ((build.vmrt, self.library), (build.kernels / PROGRAM.name, self.program)):
            copy.parent.mkdir()
            shutil.copy(source, copy)
        for path in [*self.binds, self.library.parent, cluster.root / "run"]:
            (self.root / path.relative_to("/")).mkdir(parents=True)
        (self.root / "tmp").mkdir(exist_ok=True)
        (self.root / "tmp").chmod(0o1777)
        for name in ("bin", "lib", "lib64"):
            (self.root / name).symlink_to(f"usr/{name}")

    def script(self, amount, *more, before="", launcher=SRUN):
        """Runs the program in the container, into which `more` is bound, too."""
        binds = ":".join(map(str, [*self.binds, *more]))
        return f"{before}\nCONTAINER={self.root} CONTAINER_BINDS={binds} {launcher} {self.program} {PROGRAM.before} {amount}"


@pytest.fixture(scope="module")
def container(cluster, build):
    made = Container(cluster, build)
    plugin = cluster.root / "container.so"
    source = Path(__file__).with_name("container.c")
    subprocess.run(["gcc", "-shared", "-fPIC", f"-I{slurm_prefix()}/include", "-o", plugin, source], check=True, timeout=LIMIT)
    (cluster.root / "plugstack.conf").write_text(f"required {plugin}\nrequired {build.spank}\n")
    cluster.write_vmall_conf(VmrtLibrary=made.library)
    cluster.restart_slurmd("n1")
    return made


def inside(container, tasks):
    return all(os.path.samefile(f"/proc/{pid}/root", container.root) for pid in tasks.values())


def variable(pid, name):
    values = dict(entry.partition("=")[::2] for entry in Path(f"/proc/{pid}/environ").read_text().split("\0"))
    return values.get(name)


def end_right(cluster, build, container, job_id, end):
    """Ends the program, whose result must be that of a run outside."""
    end.touch()
    assert cluster.wait_end(job_id).state == "COMPLETED"
    rounds = int(end.with_suffix(".end.rounds").read_text())
    output = cluster.output(job_id)
    assert PROGRAM.result(output) == run_alone(cluster, PROGRAM, 4, rounds)[1]
    assert LOADER not in output
    return output


@pytest.mark.core
@pytest.mark.parametrize("user, launcher", [pytest.param("root", SRUN, id="root"),
                                            pytest.param(USER, IN_ONE, id="user namespace", marks=USER_NAMESPACES)])
def test_program_is_served_where_the_library_is_bound(cluster, build, container, user, launcher):
    end = cluster.directory / f"{user}.end"
    bound = (container.library.parent, cluster.root / "run")
    jobs = unfolded(cluster, container.script(f"until:{end}", *bound, launcher=launcher), options=[f"--uid={user}"])
    wait_in_mpi(cluster, jobs.folded, 4)
    assert inside(container, cluster.tasks(jobs.folded))
    go_on(cluster, jobs)
    wait_attached(cluster, jobs.folded, 4, 4)
    cluster.run("scancel", jobs.guest)
    end_right(cluster, build, container, jobs.folded, end)


@pytest.mark.parametrize("own", [OWN, None])
def test_program_runs_without_complaints_where_the_library_is_missing(cluster, build, container, own):
    end = cluster.directory / f"missing.{own}.end"
    before = f"export LD_PRELOAD={own}:$LD_PRELOAD" if own else ""
    jobs = unfolded(cluster, container.script(f"until:{end}", cluster.root / "run", before=before))
    tasks = cluster.tasks(jobs.folded)
    assert inside(container, tasks)
    assert [variable(pid, "LD_PRELOAD") for pid in tasks.values()] == [own] * 4
    go_on(cluster, jobs)
    wait_attached(cluster, jobs.folded, 0, 4)
    cluster.run("scancel", jobs.guest)
    wait_cores(cluster, jobs.folded, 4)
    output = end_right(cluster, build, container, jobs.folded, end)
    assert "libvmrt" not in output


def test_it_says_why_where_it_is_asked(cluster, container):
    job_id = cluster.submit(container.script(1, before="export VMALL_DEBUG=1"), "--vm-class=short", "--vm-procs=2")
    assert cluster.wait_end(job_id).state == "COMPLETED"
    assert cluster.output(job_id).count(f"libvmrt: the container lacks {container.library}, staying out") == 2
