# SPDX-License-Identifier: GPL-2.0-or-later
"""Real MPI programs in three languages compute the same folded, unfolded and undisturbed."""

import pytest
from scenario import go_on, unfolded, wait_confined, wait_cores, wait_in_mpi
from vmcluster.programs import Kernel, run_alone

pytestmark = pytest.mark.core

ROUNDS = 5  # in which a job has computed, surely


@pytest.mark.parametrize("program", [Kernel("cg", "srun", before="1000 5"),
                                     Kernel("heat", "mpiexec.mpich", before="4000000 5"),
                                     Kernel("wavefront", "srun", before="300")], ids=["C", "Fortran", "C++"])
def test_result_is_that_of_an_undisturbed_run(cluster, build, program):
    end = cluster.directory / f"{program.name}.end"
    told = end.with_suffix(".end.rounds")

    def rounds():
        return int(told.read_text() or 0)

    def wait_rounds():
        before = rounds()
        cluster.wait_until(lambda: rounds() >= before + ROUNDS, "the job to compute")

    jobs = unfolded(cluster, program.script(build, f"until:{end}"))
    wait_in_mpi(cluster, jobs.folded, 4)
    go_on(cluster, jobs)
    wait_confined(cluster, jobs.folded)
    wait_rounds()
    assert cluster.job(jobs.folded).core_count == 1
    cluster.run("scancel", jobs.guest)
    wait_cores(cluster, jobs.folded, 4)
    wait_rounds()
    end.touch()
    assert cluster.wait_end(jobs.folded).state == "COMPLETED"
    assert program.result(cluster.output(jobs.folded)) == run_alone(cluster, program, 4, rounds())[1]
