# SPDX-License-Identifier: GPL-2.0-or-later
"""What experiments/evaluate reads in the log of slurmctld."""

import unittest

from evaluation import slurmctld_log

STOCK = """[2026-11-23T12:04:59.067] _slurm_rpc_submit_batch_job: JobId=5 InitPrio=4294901755 usec=878
[2026-11-23T12:05:02.990] sched/backfill: _start_job: Started JobId=5 in main on n1
[2026-11-23T12:05:03.100] sched: Allocate JobId=15 NodeList=n1 #CPUs=8 Partition=main
[2026-11-23T12:05:05.583] _job_complete: JobId=5 WEXITSTATUS 0
[2026-11-23T12:05:05.584] _job_complete: JobId=5 done
[2026-11-23T12:05:13.600] _job_complete: JobId=15 done
"""
OURS = """[2026-11-23T12:05:23.750] _slurm_rpc_submit_batch_job: JobId=6 InitPrio=4294901755 usec=878
[2026-11-23T12:05:24.000] sched/fjt: started JobId=6 on 28 cores, 28 processes, backfilled
[2026-11-23T12:05:25.000] sched/fjt: requeued JobId=6, its window has expired
[2026-11-23T12:05:26.000] sched/fjt: started JobId=6 on 28 cores, 28 processes
[2026-11-23T12:05:26.250] _slurm_rpc_submit_batch_job: JobId=7 InitPrio=4294901754 usec=878
[2026-11-23T12:05:27.000] sched/fjt: folded JobId=6 from 28 to 14 cores, 28 processes, MPL 2
[2026-11-23T12:05:27.500] sched/fjt: started JobId=7 on 14 cores, 14 processes
[2026-11-23T12:05:28.694] _job_complete: JobId=6 done
[2026-11-23T12:05:29.000] _job_complete: JobId=7 WEXITSTATUS 0
[2026-11-23T12:05:29.000] _job_complete: JobId=7 done
"""


def applied(*microseconds):
    return "".join(f"[2026-11-23T12:05:26.500] sched/fjt: resize of JobId=6 applied after {each} microseconds\n"
                   for each in microseconds)


def held(text):
    return {job: round(its.ended - its.started, 3) for job, its in slurmctld_log.held(text).items()}


def noticed(text):
    return {job: round(its.noticed_after, 3) for job, its in slurmctld_log.held(text).items()
            if its.started}


class Held(unittest.TestCase):
    def test_cores_are_held_from_the_start_by_any_scheduler_to_the_end(self):
        self.assertEqual(held(STOCK), {5: 2.594, 15: 10.5})

    def test_the_last_attempt_of_a_requeued_job_counts(self):
        self.assertEqual(held(OURS), {6: 2.694, 7: 1.5})

    def test_job_that_starts_before_its_submission_is_over_was_noticed_at_once(self):
        self.assertEqual(noticed(STOCK), {5: 3.923, 15: 0})

    def test_scheduler_can_notice_from_when_another_gave_up_cores(self):
        self.assertEqual(noticed(OURS), {6: 0.25, 7: 0.5})
        self.assertEqual(noticed(OURS.replace("folded JobId=6", "unfolded JobId=6")), {6: 0.25, 7: 1.25})

    def test_another_that_arrives_makes_room_under_our_scheduler_only(self):
        arrived = "[2026-11-23T12:05:27.400] _slurm_rpc_submit_batch_job: JobId=8 InitPrio=4294901753 usec=878\n"
        self.assertEqual(noticed(OURS.replace("[2026-11-23T12:05:27.500]", arrived + "[2026-11-23T12:05:27.500]"))[7], 0.1)
        arrived = arrived.replace("5:27.400", "5:02.900")
        self.assertEqual(noticed(STOCK.replace("[2026-11-23T12:05:02.990]", arrived + "[2026-11-23T12:05:02.990]"))[5], 3.923)


class Resizes(unittest.TestCase):
    def test_without_any_there_is_nothing_to_say(self):
        self.assertIsNone(slurmctld_log.resizes(OURS))

    def test_percentile_is_a_resize_that_no_more_than_a_twentieth_exceed(self):
        self.assertEqual(slurmctld_log.resizes(applied(*range(2000, 42000, 2000))),
                         {"number": 20, "median": 0.021, "percentile_95": 0.038, "longest": 0.04})
        self.assertEqual(slurmctld_log.resizes(applied(9000, 1000, 2000)),
                         {"number": 3, "median": 0.002, "percentile_95": 0.009, "longest": 0.009})

    def test_one_is_all(self):
        self.assertEqual(slurmctld_log.resizes(applied(1500)),
                         {"number": 1, "median": 0.0015, "percentile_95": 0.0015, "longest": 0.0015})
