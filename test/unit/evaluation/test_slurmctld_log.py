# SPDX-License-Identifier: GPL-2.0-or-later
"""What contrib/evaluate reads in the log of slurmctld."""

import unittest

from evaluation import slurmctld_log

STOCK = """[2026-11-23T12:04:59.067] _slurm_rpc_submit_batch_job: JobId=5 InitPrio=4294901755 usec=878
[2026-11-23T12:05:02.990] sched/backfill: _start_job: Started JobId=5 in main on n1
[2026-11-23T12:05:03.100] sched: Allocate JobId=15 NodeList=n1 #CPUs=8 Partition=main
[2026-11-23T12:05:05.583] _job_complete: JobId=5 WEXITSTATUS 0
[2026-11-23T12:05:05.584] _job_complete: JobId=5 done
[2026-11-23T12:05:13.600] _job_complete: JobId=15 done
"""
OURS = """[2026-11-23T12:05:24.000] sched/fjt: started JobId=6 on 28 cores, 28 processes, backfilled
[2026-11-23T12:05:25.000] sched/fjt: requeued JobId=6, its window has expired
[2026-11-23T12:05:26.000] sched/fjt: started JobId=6 on 28 cores, 28 processes
[2026-11-23T12:05:26.500] sched/fjt: folded JobId=6 from 28 to 14 cores, 28 processes, MPL 2
[2026-11-23T12:05:26.694] _job_complete: JobId=6 done
"""


def applied(*microseconds):
    return "".join(f"[2026-11-23T12:05:26.500] sched/fjt: resize of JobId=6 applied after {each} microseconds\n"
                   for each in microseconds)


class Held(unittest.TestCase):
    def test_cores_are_held_from_the_start_by_any_scheduler_to_the_end(self):
        self.assertEqual(slurmctld_log.held(STOCK), {5: 2.594, 15: 10.5})

    def test_the_last_run_of_a_requeued_job_counts(self):
        self.assertEqual(slurmctld_log.held(OURS), {6: 0.694})


class Resizes(unittest.TestCase):
    def test_without_any_there_is_nothing_to_say(self):
        self.assertIsNone(slurmctld_log.resizes(OURS))

    def test_percentile_is_a_resize_that_no_more_than_a_twentieth_exceed(self):
        self.assertEqual(slurmctld_log.resizes(applied(*range(2000, 42000, 2000))),
                         {"number": 20, "median": 0.021, "percentile_95": 0.038, "longest": 0.04})

    def test_one_is_all(self):
        self.assertEqual(slurmctld_log.resizes(applied(1500)),
                         {"number": 1, "median": 0.0015, "percentile_95": 0.0015, "longest": 0.0015})
