# SPDX-License-Identifier: GPL-2.0-or-later
"""The alerts: rules that Prometheus accepts, of metrics that there are, and that fire when they should."""

import re
import unittest

from monitoring import MONITORING, SOURCE, names_in, names_that_can_be_asked_for, needs_promtool, promtool

RULES = MONITORING / "alerts.yml"
CASES = SOURCE / "test/unit/monitoring/alert_cases.yml"


def alerts(path):
    return re.findall(r"alert: (\w+)", path.read_text(encoding="utf-8"))


class Alerts(unittest.TestCase):
    def test_are_of_metrics_that_there_are(self):
        self.assertEqual(names_in(RULES.read_text(encoding="utf-8")) - names_that_can_be_asked_for(), set())

    def test_are_explained(self):
        explained = re.findall(r"^\| (Vmall\w+) \|", (MONITORING / "README.md").read_text(encoding="utf-8"), re.MULTILINE)
        self.assertEqual(explained, alerts(RULES))

    def test_name_the_job_of_the_exporter(self):
        job = re.search(r"job_name: (\S+)", (MONITORING / "prometheus.yml").read_text(encoding="utf-8"))[1]
        self.assertIn(f'up{{job="{job}"}}', RULES.read_text(encoding="utf-8"))

    @needs_promtool
    def test_are_accepted(self):
        done = promtool("check", "rules", RULES)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    @needs_promtool
    def test_fire_when_they_should(self):
        cases = re.findall(r"alertname: (\w+)", CASES.read_text(encoding="utf-8"))
        self.assertEqual(set(cases), set(alerts(RULES)))
        done = promtool("test", "rules", CASES)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
