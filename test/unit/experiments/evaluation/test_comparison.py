# SPDX-License-Identifier: GPL-2.0-or-later
"""How experiments/evaluate compares policies with each other, with vmsim and with the papers, from made-up runs."""

import json
import tempfile
import unittest
from pathlib import Path

from evaluation import claims, commands, delays, everything, headline, intervals, kept, pictures, predictions, timelines
from evaluation.workload import WorkloadJob

SETTINGS = {"clock": 10, "duration": None, "folding_cost": "1.04", "one_process": False, "log": None, "jobs": None}


def run(policy, response, seed=1, workload="high-80", predicted=None, **settings):
    """`response`: {class: mean of each measure}."""
    def side(means):
        return {"classes": {kind: {"response": mean, "wait": mean, "execution": mean, "standard_deviation_of_waits": mean}
                            for kind, mean in means.items()}}

    return {"policy": policy, "workload": workload, "estimates": "right", "sizes": "largest", "machine": "1x60", "seed": seed,
            "settings": {**SETTINGS, **settings}, "measured": side(response), "predicted": side(predicted or response)}


def groups(*runs):
    return kept.groups(runs)


class Intervals(unittest.TestCase):
    def test_interval_is_students(self):
        found = intervals.of_values([1, 2, 3])
        self.assertEqual(found.mean, 2)
        self.assertAlmostEqual(found.high - 2, 4.303 / 3 ** 0.5)
        self.assertAlmostEqual(found.low - 2, -4.303 / 3 ** 0.5)

    def test_one_value_has_none(self):
        self.assertEqual(intervals.of_values([5]), intervals.Interval(5))
        self.assertEqual(str(intervals.of_values([5])), "5")

    def test_half_and_twice_as_long_cancel_out(self):
        self.assertAlmostEqual(intervals.of_ratios([0.5, 2]).mean, 1)
        self.assertEqual(str(intervals.of_ratios([0.25, 0.25])), "0.25 (0.25 to 0.25)")


class Kept(unittest.TestCase):
    def test_complete_runs_of_the_directory_are_found(self):
        with tempfile.TemporaryDirectory() as folder:
            complete = Path(folder) / "1x60/high-80/right/largest/bfm/seed-1"
            for path in (complete, complete / "predicted", Path(folder) / "1x60/high-80/right/largest/bfm/seed-2"):
                path.mkdir(parents=True)
            (complete / "predicted/summary.json").write_text("{}", encoding="utf-8")
            (complete / "summary.json").write_text(json.dumps(run("bfm", {"all": 1})), encoding="utf-8")
            self.assertEqual([(found["policy"], found["folder"]) for found in kept.runs(Path(folder))], [("bfm", complete)])

    def test_workloads_are_in_the_order_of_their_table(self):
        with tempfile.TemporaryDirectory() as folder:
            for workload, seed in (("high-100", 1), ("high-80", 10), ("high-80", 2)):
                path = Path(folder) / f"1x60/{workload}/right/largest/bfm/seed-{seed}"
                path.mkdir(parents=True)
                (path / "summary.json").write_text(json.dumps(run("bfm", {"all": 1}, seed, workload)), encoding="utf-8")
            self.assertEqual([(found["workload"], found["seed"]) for found in kept.runs(Path(folder))],
                             [("high-80", 2), ("high-80", 10), ("high-100", 1)])

    def test_only_the_same_jobs_under_the_same_settings_are_compared(self):
        found = groups(run("stock", {"all": 100}, 1), run("stock", {"all": 200}, 2), run("bfm", {"all": 50}, 1), run("bfm", {"all": 5}, 3),
                       run("bfm", {"all": 1}, 2, clock=3), run("bfm", {"all": 1}, 2, workload="w1"))
        self.assertEqual([group.ratios("bfm", "stock") for group in found], [[0.5], [], []])
        self.assertEqual(len(groups(run("bfm", {}), {**run("bfm", {}), "machine": "4x16"}, {**run("bfm", {}), "estimates": "over"},
                                    {**run("bfm", {}), "sizes": "efficient"})), 4)

    def test_what_most_runs_have_is_said_once(self):
        found = groups(run("bfm", {}), run("bfm", {}, workload="w1"), {**run("bfm", {}), "machine": "4x16"})
        self.assertEqual([group.name for group in found], ["high-80", "w1", "high-80, 4x16"])
        self.assertEqual(found[0].usual[:2], ("1x60", "estimates are right"))


class Headline(unittest.TestCase):
    def test_first_line_answers_by_how_much(self):
        runs = [run(policy, {"all": factor * seed, "short": factor * seed, "long": 100 + (policy == "bfm") * seed * (-1) ** seed}, seed)
                for policy, factor in (("stock", 100), ("bfm", 50)) for seed in (1, 2)]
        self.assertEqual("- jobs as large as they accept, 10 times as fast: all jobs 0.5 (0.5 to 0.5), sooner; short jobs 0.5 (0.5 to 0.5), "
                         "sooner; long jobs 1 (0.831 to 1.21), cannot be told (workloads: 1, pairs of runs: 2)",
                         headline.text(groups(*runs)).splitlines()[2])

    def test_our_own_policy_is_first(self):
        runs = [run(policy, {"all": mean}, seed) for policy, mean in (("stock", 100), ("bfm", 50), ("least-work", 20)) for seed in (1, 2)]
        lines = headline.text(groups(*runs)).splitlines()
        self.assertRegex(lines[0], "default of vmall.conf.*`least-work`, with sleeping stand-ins")
        self.assertIn("all jobs 0.2 (0.2 to 0.2), sooner", lines[2])
        self.assertIn("all jobs 0.5 (0.5 to 0.5), sooner", lines[6])

    def test_answers_are_apart_for_different_settings(self):
        runs = [run(policy, {"all": mean}, seed, clock=clock) for clock, policy, mean in (
            (10, "stock", 100), (10, "bfm", 10), (3, "stock", 100), (3, "bfm", 50), (1, "stock", 5)) for seed in (1, 2)]
        self.assertIn("- jobs as large as they accept, 10 times as fast: all jobs 0.1 (0.1 to 0.1), sooner (workloads: 1, pairs of runs: 2)\n"
                      "- jobs as large as they accept, 3 times as fast: all jobs 0.5 (0.5 to 0.5), sooner (workloads: 1, pairs of runs: 2)\n",
                      headline.text(groups(*runs)))

    def test_answers_are_apart_for_different_sizes_and_what_is_most_like_a_sites_jobs_is_first(self):
        runs = [{**run(policy, {"all": mean}, seed), "sizes": sizes} for sizes, policy, mean in (
            ("largest", "stock", 100), ("largest", "bfm", 10), ("efficient", "stock", 50), ("efficient", "bfm", 40)) for seed in (1, 2)]
        text = headline.text(groups(*runs))
        self.assertIn("- jobs as large as runs at 90 % efficiency, 10 times as fast: all jobs 0.8 (0.8 to 0.8), sooner "
                      "(workloads: 1, pairs of runs: 2)\n"
                      "- jobs as large as they accept, 10 times as fast: all jobs 0.1 (0.1 to 0.1), sooner (workloads: 1, pairs of runs: 2)\n",
                      text)
        self.assertIn("| bfm | jobs as large as runs at 90 % efficiency | measured | 0.8 (0.8 to 0.8) |", text)

    def test_programs_that_compute_are_told_apart_from_those_that_sleep(self):
        alone = groups(run("stock", {"all": 10}, workload="real-mpi"), run("bfm", {"all": 5}, workload="real-mpi"))
        text = headline.text(alone)
        self.assertNotIn("sleeping", text)
        self.assertIn("**With MPI programs that compute**, on this machine's own cores:\n\n"
                      "- `bfm`: all jobs 0.5, no interval (workloads: 1, pairs of runs: 1)\n", text)
        self.assertIn("| bfm | as said above | measured | 0.5 ", text)

    def test_who_loses_is_named(self):
        runs = [run("stock", {"all": 10, "short": 10, "long": 10}, seed) for seed in (1, 2)]
        runs += [run("fjt4", {"all": 10, "short": 5, "long": 20}, seed) for seed in (1, 2)]
        text = headline.text(groups(*runs))
        self.assertIn("| **2 (2 to 2)** |", text)
        self.assertEqual([line for line in text.splitlines() if line.startswith("| fjt4 | high-80")],
                         ["| fjt4 | high-80 | long jobs | 2 (2 to 2) | later |"])
        self.assertNotIn("Nobody", text)
        self.assertIn("Nobody", headline.text(groups(run("stock", {"all": 10}), run("fjt4", {"all": 9}))))

    def test_sooner_is_said_only_where_the_whole_interval_is(self):
        runs = [run("stock", {"all": 10}, 1), run("stock", {"all": 10}, 2), run("bfm", {"all": 5}, 1), run("bfm", {"all": 9}, 2)]
        self.assertIn("all jobs 0.671 (0.016 to 28.1), cannot be told", headline.text(groups(*runs)))
        runs = [run("stock", {"all": 10}, 1), run("stock", {"all": 10}, 2), run("bfm", {"all": 11}, 1), run("bfm", {"all": 20}, 2)]
        self.assertRegex(headline.text(groups(*runs)), r"all jobs 1.48 \([^)]*\), cannot be told")

    def test_policies_in_question_are_first(self):
        text = headline.text(groups(*(run(policy, {"all": 10}) for policy in ("stock", "fjt4", "bfm", "least-work", "psa"))))
        self.assertEqual([line.split()[1] for line in text.splitlines() if "| measured |" in line], ["least-work", "bfm", "fjt4", "psa"])

    def test_what_vmsim_says_of_the_same_runs_is_beside(self):
        text = headline.text(groups(run("stock", {"all": 10}), run("bfm", {"all": 5}, predicted={"all": 8})))
        self.assertRegex(text, r"\| bfm \| [^|]* \| measured \| 0.5 \|")
        self.assertRegex(text, r"\| bfm \| [^|]* \| vmsim \| 0.8 \|")

    def test_without_stock_slurm_nothing_is_compared(self):
        self.assertIn("nothing can be compared", headline.text(groups(run("fjt4", {"all": 10}), run("bfm", {"all": 5}))))


class Claims(unittest.TestCase):
    def verdicts(self, *ratios, says="up to 25 % sooner"):
        runs = [run("bfm-requeue", {"long": 100}, seed) for seed, _ in enumerate(ratios)]
        runs += [run("bfm", {"long": 100 * ratio}, seed) for seed, ratio in enumerate(ratios)]
        return next(line for line in claims.text(groups(*runs)).splitlines() if line.startswith(f"| {says}"))

    def test_claim_holds_if_the_whole_interval_is_accepted(self):
        self.assertIn("**holds**", self.verdicts(0.85, 0.86, 0.87))

    def test_claim_does_not_if_none_of_it_is(self):
        self.assertIn("**does not hold**", self.verdicts(0.65, 0.66, 0.67))
        self.assertIn("**does not hold**", self.verdicts(1.1, 1.11, 1.12))

    def test_else_it_cannot_be_told(self):
        self.assertIn("**cannot be told**", self.verdicts(0.7, 0.8, 0.9))
        self.assertIn("**cannot be told**", self.verdicts(0.85))
        self.assertIn("**cannot be told**", self.verdicts(0.96, 0.97, 0.99))
        self.assertIn("**cannot be told**", self.verdicts(0.98, 1, 1.02))

    def test_one_measurement_decides_against_all_others(self):
        runs = [run(policy, {"long": 100}, seed) for policy in ("bfm-requeue", "fjt4") for seed in (1, 2)]
        runs += [run("bfm", {"long": 80}, seed) for seed in (1, 2)]
        runs += [run(policy, {"long": mean}, seed, "high-100") for policy, mean in (("fjt4", 60), ("bfm", 80)) for seed in (1, 2)]
        line = next(line for line in claims.text(groups(*runs)).splitlines() if "malleability, long jobs respond soonest" in line)
        self.assertIn("0.8 (0.8 to 0.8)<br>", line)
        self.assertTrue(line.endswith("| **does not hold** |"), line)

    def test_job_alone_whose_waits_do_not_deviate_is_no_measurement(self):
        self.assertNotIn("standard deviation", claims.text(groups(run("bfm", {"long": 0}), run("fjt4", {"long": 0}))))

    def test_growth_is_from_one_workload_to_another(self):
        runs = [run("fjt4", {"long": mean + seed}, seed, workload) for workload, mean in (("w1", 100), ("w3", 110), ("w2", 900))
                for seed in (1, 2, 3)]
        runs += [run("fjt4", {"long": 5}, workload="w1", clock=3)]
        line = next(line for line in claims.text(groups(*runs)).splitlines() if "stays constant" in line)
        self.assertIn("fjt4: 1.1 (1.1 to 1.1)", line)
        self.assertNotIn("<br>", line)
        self.assertIn("**holds**", line)

    def test_papers_know_only_jobs_as_large_as_they_accept(self):
        runs = [run(policy, {"long": mean}, seed) for policy, mean in (("bfm-requeue", 100), ("bfm", 80)) for seed in (1, 2)]
        other = [{**its, "sizes": "efficient"} for its in runs]
        self.assertEqual(claims.text(groups(*other)), claims.text(groups(run("bfm", {"long": 5}))))
        self.assertNotIn("90 % efficiency", claims.text(groups(*runs, *other)))
        self.assertIn("up to 25 % sooner", claims.text(groups(*runs, *other)))

    def test_nothing_is_said_of_what_was_not_run(self):
        self.assertEqual(claims.text(groups(run("bfm", {"long": 5}))), "Nothing of the workloads and policies that were run.\n")


class Commands(unittest.TestCase):
    def test_runs_of_a_log_say_which_jobs_of_it(self):
        recorded = {**run("stock", {}, workload="recorded", log="kth.swf", jobs=300), "machine": "1x100", "estimates": "recorded",
                    "sizes": "recorded"}
        self.assertEqual(commands.text([recorded]), """```sh
experiments/evaluate --out DIR --machines=1x100 --policies=stock --workloads=recorded --seeds=1 --clock=10 --folding-cost=1.04 """
                         """--log=kth.swf --jobs=300
```
""")

    def test_runs_are_made_again_by_a_command_for_each_settings(self):
        runs = [run("bfm", {}), run("stock", {}, 2), run("stock", {}, 3, "w1", clock=2.5, one_process=True, duration="1:00")]
        self.assertEqual(commands.text(runs), """```sh
experiments/evaluate --out DIR --machines=1x60 --policies=bfm,stock --workloads=high-80 --estimates=right --sizes=largest --seeds=1,2 --clock=10 --folding-cost=1.04
experiments/evaluate --out DIR --machines=1x60 --policies=stock --workloads=w1 --estimates=right --sizes=largest --seeds=3 --clock=2.5 --folding-cost=1.04 """
                         """--duration=1:00 --one-process
```
""")

    def test_everything_is_made_again_by_one_short_command(self):
        names = ("workload", "policy", "estimates", "sizes", "machine", "seed")
        runs = [{**dict(zip(names, key)), "settings": SETTINGS} for key in sorted(everything.keys())]
        self.assertEqual(commands.text(runs), "```sh\nexperiments/evaluate --out DIR --everything --clock=10 --folding-cost=1.04\n```\n")
        self.assertNotIn("--everything", commands.text(runs[1:]))

    def test_each_machine_has_a_command_of_its_own(self):
        lines = commands.text([run("bfm", {}), {**run("stock", {}), "machine": "4x16"}]).splitlines()
        self.assertEqual([line.split()[3:5] for line in lines[1:-1]],
                         [["--machines=1x60", "--policies=bfm"], ["--machines=4x16", "--policies=stock"]])

    def test_real_machine_is_not_asked_for(self):
        self.assertIn("DIR --policies=bfm --workloads=real-mpi ", commands.text([{**run("bfm", {}, 1, "real-mpi"), "machine": "real"}]))


class Delays(unittest.TestCase):
    SWF = ("; MaxProcs: 60\n"
           "; Note: vmsim executable 1: virtually-malleable sizes=pow2 speedup=times:1=85,8=7.5 cores-per-process=1 application=CG.A\n"
           "7 3 -1 7.5 8 -1 -1 8 8 -1 -1 -1 -1 1 2 -1 -1 -1\n"
           "9 4 -1 7.5 8 -1 -1 8 8 -1 -1 -1 -1 1 2 -1 -1 -1\n")

    def test_each_job_takes_longer_by_the_same_time_with_any_number_of_processes(self):
        self.assertEqual(delays.added(self.SWF, {7: 2.25, 9: 0.5}, lambda estimate: estimate + 100).splitlines(),
                         ["; MaxProcs: 60",
                          "; Note: vmsim executable 7: virtually-malleable sizes=pow2 speedup=times:1=87.25,8=9.75 cores-per-process=1 "
                          "application=CG.A",
                          "; Note: vmsim executable 9: virtually-malleable sizes=pow2 speedup=times:1=85.5,8=8 cores-per-process=1 "
                          "application=CG.A",
                          "7 3 -1 9.75 8 -1 -1 8 108 -1 -1 -1 -1 7 2 -1 -1 -1",
                          "9 4 -1 8 8 -1 -1 8 108 -1 -1 -1 -1 9 2 -1 -1 -1"])

    def test_what_comes_before_the_program_is_counted_as_wait(self):
        job = WorkloadJob(7, 3.0, 20.0, 20.0, 8, "pow2:8", "short", "CG.A")
        row = {"job": "7", "wait": "5", "response": "30", "run_time": "25", "bounded_slowdown": "1.2", "core_seconds": "200"}
        self.assertEqual(delays.taken_off(row, job, delays.Delay(0.5, 0.2, 0.3), clock=10),
                         {"job": "7", "wait": 12, "response": "30", "run_time": 18, "bounded_slowdown": 1.5, "core_seconds": 160})

    def test_cores_are_lost_until_the_job_is_noticed_and_beyond_its_program(self):
        self.assertEqual(delays.Delay(0.5, 0.25, 0.75).of_cores, 1.25)

    def test_delays_are_dealt_out_anew_and_none_is_lost(self):
        found = {job: delays.Delay(job, 0, 0) for job in range(20)}
        first, second = (predictions.dealt(found, seed) for seed in (1, 2))
        for dealt in (first, second):
            self.assertEqual((list(dealt), sorted(its.notice for its in dealt.values())), (list(range(20)), list(range(20))))
        self.assertEqual(len({tuple(each.values()) for each in (found, first, second)}), 3)

    def test_means_are_over_the_jobs(self):
        self.assertEqual(delays.means([delays.Delay(1, 2, 3), delays.Delay(2, 4, 7)]), {"notice": 1.5, "launch": 3, "beyond_program": 5})


class Timelines(unittest.TestCase):
    def test_jobs_wait_whenever_they_hold_no_cores(self):
        allotments = [{"job": job, "begin": begin, "end": end, "cores": cores, "mpl": 1}
                      for job, begin, end, cores in ((1, 1, 4, 8), (1, 4, 6, 2), (1, 9, 10, 8), (2, 4, 5, 6))]
        found = timelines.usage([{"job": 1, "submit": 0}, {"job": 2, "submit": 0}], allotments)
        self.assertEqual([tuple(row.values()) for row in found],
                         [(0, 0, 0, 2), (1, 8, 1, 1), (4, 8, 2, 0), (5, 2, 1, 0), (6, 0, 0, 1), (9, 8, 1, 0), (10, 0, 0, 0)])


class Pictures(unittest.TestCase):
    def charts(self, *runs):
        return {chart["name"]: chart for chart in pictures.charts(groups(*runs))}

    def test_bars_are_means_and_marks_are_vmsims(self):
        runs = [run("stock", {"short": 10}, 1, predicted={"short": 6}), run("stock", {"short": 14}, 2, predicted={"short": 8}),
                run("bfm", {"short": 5}, 1, "high-100", predicted={"short": 4})]
        panel = self.charts(*runs)["high-wait"]["panels"][0]
        self.assertEqual((panel["title"], panel["x"]), ("short jobs", ["high-80", "high-100"]))
        self.assertEqual([(series["name"], series["mean"], series["paper"]) for series in panel["series"]],
                         [("stock", [12, None], [7, None]), ("bfm", [None, 5], [None, 4])])
        self.assertAlmostEqual(panel["series"][0]["high"][0], 12 + 12.706 * 2)
        self.assertIsNone(panel["series"][1]["high"][1])

    def test_policy_that_vmsim_does_not_have_has_no_marks(self):
        gang = {**run("gang", {"short": 10}), "predicted": None}
        self.assertEqual(self.charts(gang)["high-wait"]["panels"][0]["series"][0]["paper"], [None])

    def test_allotments_are_of_the_same_jobs(self):
        runs = [run("least-work", {"all": 1}, 3), run("bfm", {"all": 1}, 2), run("least-work", {"all": 1}, 2), run("psa", {"all": 1}, 1),
                *(run("stock", {"all": 1}, seed) for seed in (1, 2, 3))]
        self.assertEqual([(each["policy"], each["seed"]) for each in pictures.shown(groups(*runs))],
                         [("stock", 2), ("least-work", 2), ("bfm", 2)])
        self.assertEqual(pictures.shown(groups(*runs[:4])), [])

    def test_families_of_workloads_and_settings_have_pictures_of_their_own(self):
        found = self.charts(run("bfm", {"short": 1}), run("bfm", {"short": 1}, workload="w1"), run("bfm", {"short": 1}, workload="w6"),
                            run("bfm", {"short": 1}, clock=3))
        self.assertEqual([name for name in found if name.endswith("-wait")], ["high-wait", "w-wait", "high-2-wait"])
        self.assertEqual({chart["title"] for chart in found.values()}, {"Response", "Wait", "Execution"})  # more does not fit
