# SPDX-License-Identifier: GPL-2.0-or-later
"""What the storm says when it is over."""

import unittest

from storm import verdict
from storm.jobs import Submission
from vmcluster.slurm import Job


def submitted(job_id=7, began=100, ended=101):
    return Submission("vm-x.1", [], began=began, ended=ended, id=job_id)


class Lost(unittest.TestCase):
    RECORDS = {7: Job(7, "COMPLETED", "None", 1, 1, 1, fields={"JobName": "vm-x.1"})}

    def test_a_job_that_slurm_took_and_does_not_know(self):
        self.assertTrue(verdict.is_lost(submitted(), {}, []))

    def test_a_job_that_is_known(self):
        self.assertFalse(verdict.is_lost(submitted(), self.RECORDS, []))

    def test_its_number_under_another_name_is_another_job(self):
        self.assertTrue(verdict.is_lost(Submission("vm-y.2", [], began=100, ended=101, id=7), self.RECORDS, []))

    def test_one_that_slurm_did_not_take(self):
        self.assertFalse(verdict.is_lost(submitted(job_id=0), {}, []))

    def test_one_that_was_not_saved_when_slurmctld_was_killed(self):
        self.assertFalse(verdict.is_lost(submitted(), {}, [(95, 105)]))
        self.assertTrue(verdict.is_lost(submitted(), {}, [(195, 205), (80, 90)]))


class WaitsForEver(unittest.TestCase):
    def test_what_is_gone_unseen_while_the_clock_was_ahead(self):
        running = Job(7, "RUNNING", "None", 1, 1, 1, fields={"JobName": "plain.1"})
        self.assertTrue(verdict.waits_for_ever(running, missed=True))
        self.assertFalse(verdict.waits_for_ever(running))
        self.assertFalse(verdict.waits_for_ever(Job(7, "PENDING", "None", 1, 1, 1, fields={"JobName": "plain.1"}), missed=True))


class Errors(unittest.TestCase):
    def test_ours_count_and_slurms_do_not(self):
        self.assertTrue(verdict.unexpected(["error: sched/fjt: the policy wants to fold JobId=1"]))
        self.assertTrue(verdict.unexpected(["error: job 5: has left its allotment: x"]))
        self.assertFalse(verdict.unexpected(["error: slurm_receive_msg: Zero Bytes", "sched/fjt: folded JobId=3 from 2 to 1 cores"]))

    def test_what_faults_explain_is_expected(self):
        self.assertFalse(verdict.unexpected(["error: sched/fjt: cannot save state: No space left on device"]))

    def test_only_a_job_that_is_known_to_unbind_itself_may_leave_its_cores(self):
        line = "error: job 5: cannot be put back where it was: threads of the job keep leaving its allotment"
        self.assertFalse(verdict.unexpected([line], {5}))
        self.assertTrue(verdict.unexpected([line], {6}))
        self.assertTrue(verdict.unexpected(["error: job 5: cannot be put back where it was: something else"], {5}))


class Refusals(unittest.TestCase):
    @staticmethod
    def line(job, reason):
        return f"[x] job {job}: target of generation 3 refused: {reason}"

    def test_of_jobs_that_attack_nobody(self):
        self.assertEqual(verdict.refusals([self.line(5, "why"), self.line(6, "why not"), "[x] job 5: target"], {6}, set()), ["why"])

    def test_what_a_fault_explains(self):
        lines = [self.line(5, "a step of the job runs here unattached")]
        self.assertEqual(verdict.refusals(lines, set(), {"kill_slurmd", "hold"}), [])
        self.assertEqual(len(verdict.refusals(lines, set(), {"hold"})), 1)


class Written(unittest.TestCase):
    def test_what_a_hostile_job_says(self):
        self.assertEqual(verdict.written("srun: got SIGCONT\nwrote /run/x/control\n"), ["/run/x/control"])
        self.assertEqual(verdict.written("scribbled over its runtime page\n"), [])


class Overflow(unittest.TestCase):
    def test_jobs_are_told_by_their_own_number(self):
        log = "".join(f"[x] error: job overflow: could not find idle resources for JobId={job}\n" for job in ("26_0(27)", "4+1(5)", "8"))
        self.assertEqual(verdict.overflowed(log), {27, 5, 8})


class Unattached(unittest.TestCase):
    def test_jobs_with_a_step_that_could_not_register(self):
        log = ("[x] [19.batch] error: virtual malleability: not attached to the agent of node s0, so the job cannot be resized: x\n"
               "[x] [20.0] error: virtual malleability: ignored\n")
        self.assertEqual(verdict.unattached(log), {19})


class Checksum(unittest.TestCase):
    def test_of_the_last_program(self):
        self.assertEqual(verdict.checksum("cg ranks=4 checksum=1.5 seconds=1\ncg ranks=2 checksum=2.5 seconds=1\n"), (2, "2.5"))

    def test_of_one_that_did_not_end(self):
        self.assertIsNone(verdict.checksum("srun: error: x\n"))


class Growth(unittest.TestCase):
    def test_more_than_what_comes_and_goes_is_a_leak(self):
        self.assertIn("descriptors", verdict.grown((20, 10), (60, 10)))
        self.assertIn("threads", verdict.grown((20, 10), (20, 40)))
        self.assertIsNone(verdict.grown((20, 10), (30, 12)))


class Deaths(unittest.TestCase):
    def test_slurms_own_are_known(self):
        self.assertTrue(verdict.known_death("fatal: _service_connection: pthread_create error Resource temporarily unavailable"))
        self.assertFalse(verdict.known_death("fatal: something else"))

    def test_of_this_life(self):
        why = "fatal: _build_launch_job_msg: Unable to load job batch script for JobId=4\n"
        begins, complains = "slurmctld version 22.05.8 started on cluster c\n", "error: slurm_accept_msg_conn: Too many open files\n"
        self.assertTrue(verdict.known_death(begins + why + 1000 * complains))
        self.assertFalse(verdict.known_death(begins + why + begins + complains))
