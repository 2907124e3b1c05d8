# SPDX-License-Identifier: GPL-2.0-or-later
"""Each symptom of doc/troubleshooting.md is one that a cluster test makes, and meets what the page says of it."""

import os
import re
import unittest
from pathlib import Path

SOURCE = Path(os.environ["SOURCE"])

TESTS = {  # symptom → file, test
    "`sbatch: unrecognized option '--vm-class=long'`": ("doctor", "node_without_the_line_in_plugstack_conf_is_found"),
    "`vmctl` gets no answer, and Slurm's commands neither": ("doctor", "slurmctld_that_is_stopped_is_found"),
    "`vmctl` gets no answer, but Slurm's commands do": ("doctor", "slurm_conf_without_our_scheduler_is_found"),
    "slurmctld ends with `Address already in use`, or an agent `keeps trying: cannot listen`": (
        "doctor", "ports_that_slurm_conf_gives_to_slurm_are_found"),
    "slurmctld does not start": (
        "admin_settings", "slurmctld_does_not_start_where_jobs_would_share_cores_and_says_what_to_change"),
    "`scontrol reconfigure` is refused (since Slurm 23.11)": (
        "refused_reconfiguration", "slurmctld_in_the_background_goes_on_as_before"),
    "a setting of `vmall.conf` does nothing": ("doctor", "vmall_conf_that_the_controller_has_not_read_is_found"),
    "a setting of how processes share a core does nothing": ("doctor", "node_with_another_vmall_conf_is_found"),
    "doctor stops after munge": ("doctor", "munged_that_is_stopped_is_found"),
    "doctor cannot talk to the controller": ("doctor", "host_with_another_munge_key_is_found"),
    "`scontrol show config` says `sched/backfill`": ("het_jobs", "first_het_job_after_a_reconfiguration_is_taken"),
    "a job asked, and `vmctl jobs` does not have it": (
        "features", "job_that_cannot_be_folded_is_scheduled_like_others_and_the_log_says_why"),
    "a job takes part by `TakePart`, and keeps its cores": ("take_part", "program_that_libvmrt_does_not_serve_keeps_its_cores"),
    "no job does that takes part by `TakePart`": ("take_part", "without_surveys_nobody_is_folded_who_has_not_asked"),
    "a job that asked becomes one like the others": (
        "attached", "job_of_a_static_program_keeps_its_cores_and_is_scheduled_like_the_others"),
    "another one does": ("attached", "a_job_whose_steps_never_register_is_scheduled_like_the_others"),
    "RESIZE stays `pending`": ("agent", "nothing_is_released_while_the_agent"),
    "nobody is resized any more": ("accounting", "job_keeps_its_cores_while_slurmdbd_is_away"),
    "nobody is folded after a change of a partition": (
        "admin_settings", "where_jobs_would_share_cores_folding_stops_until_it_is_set_right"),
    "nobody is folded any more, on several nodes": ("least_work_nodes", "nobody_is_folded_where_that_costs_more_than_a_third"),
    "a job on several nodes is not folded": (
        "memory", "job_on_two_nodes_is_not_folded_if_most_others_would_have_no_memory_beside_it"),
    "a job that was folded often is not, for now": ("fairness", "a_job_is_folded_only_as_often_as_resizes_may_cost"),
    "a job is folded less deep than `MaxMpl`": ("time_limits", "hard_limit_of_a_partition_is_not_exceeded"),
    "cores are idle or could be lent": ("features", "nobody_is_folded_for_a_job_that_lacks_memory"),
    "others' jobs are missing in `vmctl queue`": ("private_data", "vmctl_shows_the_jobs_that_squeue_shows"),
    "is tens of times slower, with OpenMP": ("hybrid", "threads_that_spin_are_warned_of_once"),
    "is many times slower, and polls": ("container", "it_says_why_where_it_is_asked"),
    "does not get its cores back, its node being silent": ("agent", "folded_job_unfolds_once_the_agent_is_back"),
    "does not get idle cores back": ("features", "folded_job_does_not_grow_into_what_reservations_will_need"),
    "does not, without reservations": ("limits", "limits_count_present_cores_and_hold_growth_back"),
    "has a longer time limit than it asked for": ("time_limits", "fold_and_unfold_of_a_running_job_move_its_end"),
    "XDMoD shows fewer core-hours": ("reports", "xdmod_misses_what_was_held_before_the_last_resize"),
    "`AdminComment` ends with `vmall: …`": ("reports", "where_the_site_says_so_nothing_is_noted"),
}


def symptoms():
    """The first cells, but for those of heads and rules."""
    page = (SOURCE / "doc/troubleshooting.md").read_text(encoding="utf-8")
    return [cell for cell in re.findall(r"^\| (.*?) \|", page, re.MULTILINE) if cell != "symptom"]


class Symptoms(unittest.TestCase):
    def test_of_the_page_have_a_test(self):
        self.assertEqual(symptoms(), list(TESTS))

    def test_are_made_by_tests_that_there_are(self):
        for file, test in TESTS.values():
            [found] = (SOURCE / "test/cluster").glob(f"*/test_{file}.py")
            self.assertIn(f"def test_{test}(", found.read_text(encoding="utf-8"))
