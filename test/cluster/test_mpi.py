# SPDX-License-Identifier: GPL-2.0-or-later
"""Real MPI programs in three languages compute the same folded, unfolded and undisturbed."""

import pytest
from scenario import backfill, go_on, wait_confined, wait_cores, wait_in_mpi
from vmcluster.programs import Kernel, run_alone, seconds_per_unit

SECONDS = 12  # alone; long enough to be folded and to unfold


@pytest.mark.parametrize("program", [Kernel("cg", "srun", before="1000", probe=20),
                                     Kernel("heat", "mpiexec.mpich", before="4000000", probe=20),
                                     Kernel("wavefront", "srun", probe=1000)], ids=["C", "Fortran", "C++"])
def test_result_is_that_of_an_undisturbed_run(cluster, build, program):
    amount = round(SECONDS / seconds_per_unit(cluster, program, 4))
    _, undisturbed = run_alone(cluster, program, 4, amount)
    jobs = backfill(cluster, program.script(build, amount))
    wait_in_mpi(cluster, jobs.backfilled, 4)
    go_on(cluster, jobs)
    wait_confined(cluster, jobs.backfilled)
    for _ in cluster.sampled(2):
        assert cluster.job(jobs.backfilled).core_count == 1
    cluster.run("scancel", jobs.head)
    wait_cores(cluster, jobs.backfilled, 4)
    assert cluster.wait_end(jobs.backfilled, timeout=200).state == "COMPLETED"
    assert program.result(cluster.output(jobs.backfilled)) == undisturbed
