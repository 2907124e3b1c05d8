# SPDX-License-Identifier: GPL-2.0-or-later
"""What the storm's oracle says of made-up looks: each rule finds what it is there for, and nothing else."""

import unittest
from dataclasses import replace

from storm import oracle
from storm.machine import Process
from storm.oracle import Judge, Look
from vmcluster.slurm import Job

CPUS = 2
ATTACHED = {("n", 1): frozenset({0, 1})}


def job(job_id, cores, name="vm-x", state="RUNNING", tasks=4):
    """On node n."""
    fields = {"JobName": name, "Restarts": "0"}
    return Job(job_id, state, "None", len(cores), tasks, len(cores), {"n": set(cores)}, fields)


def look(*jobs, processes=(), states=None, **more):
    return Look(0, {one.id: one for one in jobs}, tuple(processes), states or {}, **more)


def process(job_id, cpus, name="vm-x", run=0):
    return Process(1000 + job_id, job_id, "n", name, run, "sleep", frozenset(cpus))


def said(rule, seen):
    return [suspicion.what for suspicion in rule(seen, CPUS)]


class AllottedTwice(unittest.TestCase):
    def test_is_found(self):
        self.assertEqual(said(oracle.allotted_twice, look(job(1, {0, 1}), job(2, {1, 2}))), ["core 1 of n to jobs [1, 2]"])

    def test_disjoint_cores_are_right(self):
        self.assertEqual(said(oracle.allotted_twice, look(job(1, {0, 1}), job(2, {2}))), [])

    def test_who_completes_or_is_suspended_holds_nothing(self):
        for state in ("COMPLETING", "SUSPENDED", "COMPLETED"):
            self.assertEqual(said(oracle.allotted_twice, look(job(1, {0}), job(2, {0}, state=state))), [])

    def test_what_slurm_has_lost_count_of_is_its_own_matter(self):
        self.assertEqual(said(oracle.allotted_twice, look(job(1, {0}), job(2, {0}), overflowed=frozenset({2}))), [])


class OutsideWhatSlurmGave(unittest.TestCase):
    SEEN = look(job(1, {0, 1}), job(2, {0, 1}), processes=[process(1, {0}), process(2, {1})])

    def said(self, *cores):
        return said(oracle.outside_what_slurm_gave, replace(self.SEEN, states={("n", 1): frozenset(cores), ("n", 2): frozenset({1})}))

    def test_is_found(self):
        self.assertEqual(self.said(0, 2), ["job 1 on n"])

    def test_a_part_of_it_is_right(self):
        self.assertEqual(self.said(0), [])
        self.assertEqual(self.said(0, 1), [])


class FrozenByAgents(unittest.TestCase):
    def said(self, cores, *others):
        seen = look(job(1, {0, 1}), *others, processes=[process(1, {0})], states={("n", 1): frozenset(cores)})
        return said(oracle.frozen_by_agents, seen)

    def test_folded_beside_nobody_is_found(self):
        self.assertEqual(self.said({0}, job(2, {2})), ["job 1"])

    def test_who_shares_or_has_all_is_right(self):
        self.assertEqual(self.said({0}, job(2, {1, 2})), [])
        self.assertEqual(self.said({0, 1}), [])


class OnCoresOfOthers(unittest.TestCase):
    def test_an_agent_that_keeps_a_job_where_slurm_has_another(self):
        seen = look(job(1, {0}), job(2, {1, 2}), processes=[process(1, {0, 1})], states={("n", 1): frozenset({0, 1})})
        self.assertEqual(said(oracle.on_cores_of_others, seen), ["job 1 on n, of [2]"])

    def test_cores_that_nobody_has_are_no_ones_loss(self):
        seen = look(job(1, {0}), job(2, {2}), processes=[process(1, {0, 1})], states={("n", 1): frozenset({0, 1})})
        self.assertEqual(said(oracle.on_cores_of_others, seen), [])

    def test_a_job_of_which_nothing_lives_is_nowhere(self):
        seen = look(job(1, {0}), job(2, {1}), states={("n", 1): frozenset({0, 1})})
        self.assertEqual(said(oracle.on_cores_of_others, seen), [])


class OnCpusOfOthers(unittest.TestCase):
    def test_a_process_that_was_not_moved(self):
        seen = look(job(1, {0}), job(2, {1, 3}, "plain"), processes=[process(1, {0, 1})], states=ATTACHED)
        self.assertEqual(said(oracle.on_cpus_of_others, seen), ["job 1 on n"])

    def test_a_step_that_could_not_register_is_bound_by_nobody(self):
        seen = look(job(1, {0}), job(2, {1, 3}, "plain"), processes=[process(1, {0, 1})])
        self.assertEqual(said(oracle.on_cpus_of_others, seen), [])

    def test_nor_is_one_beside_a_step_that_could(self):
        seen = look(job(1, {0}), job(2, {1, 3}, "plain"), processes=[process(1, {0, 1})], states=ATTACHED, unattached=frozenset({1}))
        self.assertEqual(said(oracle.on_cpus_of_others, seen) + said(oracle.not_where_the_agent_says, seen), [])

    def test_claimed_cores_stand_for_real_cpus(self):
        seen = look(job(1, {4, 5}), job(2, {0, 1}), processes=[process(1, {0, 1})], states=ATTACHED)
        self.assertEqual(said(oracle.on_cpus_of_others, seen), [])

    def test_ordinary_jobs_are_not_bound(self):
        seen = look(job(1, {0}, "plain"), job(2, {1}), processes=[process(1, {0, 1}, "plain")], states=ATTACHED)
        self.assertEqual(said(oracle.on_cpus_of_others, seen), [])

    def test_what_is_left_of_another_run_or_of_another_job_of_that_number_is_not_judged(self):
        for stray in (process(1, {0, 1}, run=1), process(1, {0, 1}, name="vm-y")):
            self.assertEqual(said(oracle.on_cpus_of_others, look(job(1, {0}), job(2, {1}), processes=[stray], states=ATTACHED)), [])


class NotWhereTheAgentSays(unittest.TestCase):
    def test_an_agent_that_lies(self):
        seen = look(job(1, {0}), processes=[process(1, {0, 1})], states={("n", 1): frozenset({0})})
        self.assertEqual(said(oracle.not_where_the_agent_says, seen), ["job 1 on n"])

    def test_an_agent_that_does_not(self):
        seen = look(job(1, {0}), processes=[process(1, {0})], states={("n", 1): frozenset({0})})
        self.assertEqual(said(oracle.not_where_the_agent_says, seen), [])


class Unbinding(unittest.TestCase):
    """A job whose processes move themselves away from their cores."""

    SEEN = look(job(1, {0}, "vm-hostile-unbind.7"), job(2, {1}), processes=[process(1, {0, 1}, "vm-hostile-unbind.7")],
                states={("n", 1): frozenset({0})})

    def said(self, seen):
        return said(oracle.on_cpus_of_others, seen) + said(oracle.not_where_the_agent_says, seen)

    def test_nothing_holds_it_without_cpusets(self):
        self.assertEqual(self.said(self.SEEN), [])

    def test_cpusets_do(self):
        self.assertEqual(self.said(replace(self.SEEN, cpusets=True)), ["job 1 on n", "job 1 on n"])

    def test_its_agent_does_not_leave_it_the_cores_of_others(self):
        kept = replace(self.SEEN, states={("n", 1): frozenset({0, 1})})
        self.assertEqual(said(oracle.on_cores_of_others, kept), ["job 1 on n, of [2]"])


class NotTold(unittest.TestCase):
    def test_ranks_that_follow_an_old_block(self):
        for block, what in (({0, 1}, ["job 1 on n"]), ({0}, [])):
            seen = look(job(1, {0}), processes=[process(1, {0})], states={("n", 1): frozenset({0})}, told={("n", 1): frozenset(block)})
            self.assertEqual(said(oracle.not_told, seen), what)


class FrozenFolded(unittest.TestCase):
    def test_beside_free_cores(self):
        self.assertEqual(said(oracle.frozen, look(job(1, {0}))), ["job 1"])

    def test_not_while_others_wait_or_run_there(self):
        for other in (job(2, {1}), job(2, {}, state="PENDING")):
            self.assertEqual(said(oracle.frozen, look(job(1, {0}), other)), [])

    def test_not_when_it_has_all_its_cores(self):
        self.assertEqual(said(oracle.frozen, look(job(1, {0, 1, 2, 3}))), [])


class Judging(unittest.TestCase):
    WRONG = look(job(1, {0}), job(2, {1}), processes=[process(1, {0, 1})], states={("n", 1): frozenset({0, 2, 3})})
    RIGHT = replace(WRONG, processes=(process(1, {0}),))

    def found(self, looks):
        """What is found of (seconds, look), ten looks a second."""
        judge, now, found = Judge(CPUS), 0.0, []
        for seconds, seen in looks:
            for _ in range(int(seconds * 10)):
                now += 0.1
                found += judge.see(replace(seen, time=now))
        return [suspicion.rule for suspicion in found]

    def test_what_lasts_is_found_once(self):
        self.assertEqual(self.found([(30, self.WRONG)]), ["on CPUs of others"])

    def test_what_is_over_in_time_is_not_wrong(self):
        self.assertEqual(self.found([(5, self.WRONG), (1, self.RIGHT), (5, self.WRONG)]), [])

    def test_what_a_fault_explains_does_not_count(self):
        self.assertEqual(self.found([(60, replace(self.WRONG, disturbed=frozenset({"slurmctld"})))]), [])

    def test_a_node_that_does_not_answer_explains_nothing(self):
        for hit in ("slurmd n", "munged", "job 1"):
            self.assertEqual(self.found([(30, replace(self.WRONG, disturbed=frozenset({hit})))]), ["on CPUs of others"])

    def test_what_was_wrong_before_and_after_a_fault_counts_together(self):
        hit = replace(self.WRONG, disturbed=frozenset({"slurmctld"}))
        self.assertEqual(self.found([(5, self.WRONG), (20, hit), (5, self.WRONG)]), ["on CPUs of others"])

    def test_nothing_is_known_while_slurmctld_says_nothing(self):
        self.assertEqual(self.found([(60, replace(self.WRONG, records=None))]), [])

    def test_no_fault_explains_a_core_allotted_twice(self):
        twice = look(job(1, {0}), job(2, {0}), disturbed=frozenset({"slurmctld"}))
        self.assertEqual(self.found([(3, twice)]), ["a core allotted twice"])
