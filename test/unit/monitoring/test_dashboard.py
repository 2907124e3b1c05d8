# SPDX-License-Identifier: GPL-2.0-or-later
"""The dashboard for Grafana: whole, as far as can be told without Grafana."""

import itertools
import json
import tempfile
import unittest

from monitoring import dashboard, names_in, names_that_can_be_asked_for, needs_promtool, promtool, types


def expressions():
    return [target["expr"] for panel in dashboard()["panels"] for target in panel.get("targets", [])]


def overlap(one, other):
    return (one["x"] < other["x"] + other["w"] and other["x"] < one["x"] + one["w"]
            and one["y"] < other["y"] + other["h"] and other["y"] < one["y"] + one["h"])


class Dashboard(unittest.TestCase):
    def test_asks_for_metrics_that_there_are(self):
        self.assertGreater(len(expressions()), 20)
        self.assertEqual(names_in(json.dumps(dashboard())) - names_that_can_be_asked_for(), set())

    def test_takes_rates_of_counters_only(self):
        gauges = {name for name, kind in types().items() if kind == "gauge"}
        of_gauges = [text for text in expressions() if ("rate(" in text or "increase(" in text) and names_in(text) & gauges]
        self.assertEqual(of_gauges, [])

    def test_is_for_grafana_9_and_later(self):
        self.assertEqual(dashboard()["schemaVersion"], 36)
        for panel in dashboard()["panels"]:
            self.assertIn(panel["type"], ("row", "stat", "timeseries"))
            self.assertLessEqual({"id", "title", "gridPos"}, panel.keys())
            if panel["type"] != "row":
                self.assertEqual({target["datasource"]["uid"] for target in panel["targets"]}, {"${datasource}"})
                letters = [target["refId"] for target in panel["targets"]]
                self.assertEqual(len(letters), len(set(letters)), panel["title"])

    def test_has_nothing_that_grafanas_schemas_refuse(self):
        self.assertNotIn("id", dashboard())  # a number, which Grafana gives
        for variable in dashboard()["templating"]["list"]:
            self.assertIsInstance(variable["query"], str)
            self.assertNotIn("current", variable)  # needs a text and a value

    def test_ids_and_titles_are_unique(self):
        for key in ("id", "title"):
            found = [panel[key] for panel in dashboard()["panels"]]
            self.assertEqual(len(found), len(set(found)), key)

    def test_panels_lie_beside_each_other(self):
        places = [(panel["title"], panel["gridPos"]) for panel in dashboard()["panels"]]
        self.assertEqual([name for name, place in places if place["x"] + place["w"] > 24], [])
        pairs = itertools.combinations(places, 2)
        self.assertEqual([(one, other) for (one, here), (other, there) in pairs if overlap(here, there)], [])

    @needs_promtool
    def test_expressions_are_promql(self):
        rules = [{"record": f"r:{i}", "expr": text.replace("$__rate_interval", "5m").replace("$job", ".*")}
                 for i, text in enumerate(expressions())]
        with tempfile.NamedTemporaryFile("w", suffix=".yml") as file:
            json.dump({"groups": [{"name": "dashboard", "rules": rules}]}, file)
            file.flush()
            done = promtool("check", "rules", file.name)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
