# SPDX-License-Identifier: GPL-2.0-or-later
"""The text that vmctl metrics prints and vmall-exporter serves."""

import re
import unittest

from monitoring import SOURCE, exposition, needs_promtool, promtool, types


def samples(text):
    """name with labels → value, as text."""
    return dict(line.rsplit(" ", 1) for line in text.splitlines() if not line.startswith("#"))


class Metrics(unittest.TestCase):
    @needs_promtool
    def test_promtool_has_nothing_against_them(self):
        for text in exposition(), exposition("node"):
            done = promtool("check", "metrics", text=text)
            self.assertEqual((done.returncode, done.stdout + done.stderr), (0, ""))

    def test_they_are_named_alike(self):
        found = types()
        self.assertGreater(len(found), 30)
        self.assertEqual([name for name in found if not name.startswith("slurm_vm_")], [])
        self.assertEqual([name for name, kind in found.items() if (kind == "counter") != name.endswith("_total")], [])

    def test_the_manual_has_each(self):
        page = (SOURCE / "doc/man/vmall-exporter.8").read_text(encoding="utf-8")
        self.assertEqual([name for name in types() if not re.search(rf"\b{name}\b", page)], [])

    def test_agents_tell_under_the_same_names(self):
        of_agents, of_controller = types(exposition("node")), types(exposition())
        self.assertEqual(of_agents.keys() - of_controller.keys(), {"slurm_vm_lost_seconds", "slurm_vm_node_silent"})
        self.assertGreater(len(of_agents.items() & of_controller.items()), 8)
        found = samples(exposition("node"))
        self.assertEqual((found['slurm_vm_jobs{state="folded"}'], found['slurm_vm_node_silent{node="n2"}']), ("1", "1"))

    def test_nodes_are_counted_by_what_a_hand_over_takes(self):
        found = samples(exposition())
        name = "slurm_vm_hand_over_seconds"
        self.assertAlmostEqual(float(found[f"{name}_sum"]), 15.7e-6)
        counts = [found[key] for key in found if key.startswith(f"{name}_bucket")]
        self.assertEqual(counts, ["0", "1", "1", "1", "2", "2", "2", "2", "2"])

    def test_jobs_are_counted_by_class_and_state(self):
        found = samples(exposition(jobs=10))
        jobs = {name: value for name, value in found.items() if name.startswith("slurm_vm_jobs{") and value != "0"}
        self.assertEqual(jobs, {'slurm_vm_jobs{class="short",state="folded"}': "5",
                                'slurm_vm_jobs{class="short",state="unfolded"}': "5",
                                'slurm_vm_jobs{class="short",state="waiting"}': "1"})
        self.assertEqual(found["slurm_vm_cores_held"], "30")
        self.assertEqual(found["slurm_vm_cores_lent"], "10")
        self.assertEqual(found["slurm_vm_ranks_unattached"], "10")
        self.assertEqual(found["slurm_vm_folded_longest_seconds"], "100")
        self.assertEqual(found['slurm_vm_queue_jobs{reason="no_machine"}'], "1")
        self.assertEqual(found["slurm_vm_queue_longest_wait_seconds"], "50")

    def test_buckets_add_up(self):
        fold = {name: value for name, value in samples(exposition()).items()
                if name.startswith("slurm_vm_resize_seconds") and 'direction="fold"' in name}
        self.assertEqual(fold.pop('slurm_vm_resize_seconds_count{direction="fold"}'), "5")
        self.assertAlmostEqual(float(fold.pop('slurm_vm_resize_seconds_sum{direction="fold"}')), 103.044)
        buckets = {float(re.search(r'le="(.*?)"', name)[1]): int(value) for name, value in fold.items()}
        self.assertEqual([buckets[bound] for bound in (0.005, 0.01, 0.025, 2.5, 5, 60, float("inf"))], [1, 1, 3, 3, 4, 4, 5])
        self.assertEqual(sorted(buckets.values()), [buckets[bound] for bound in sorted(buckets)])

    def test_labels_may_have_any_character(self):
        self.assertIn(r'partition="with \"quotes\" and \\"', exposition())

    def test_the_text_is_no_longer_with_a_thousand_jobs(self):
        self.assertLess(len(exposition(jobs=1000)), len(exposition(jobs=10)) + 200)
