# SPDX-License-Identifier: GPL-2.0-or-later
"""What experiments/evaluate makes of the output of jobs, from made-up jobs."""

import contextlib
import io
import json
import re
import tempfile
import unittest
from dataclasses import asdict
from pathlib import Path

from evaluation import everything, measures, options, real_mpi, record, report, workload
from evaluation.machines import named
from evaluation.play import asks, coarse_limits
from evaluation.policies import POLICIES
from vmcluster import ClusterError

FOLDED = """job: started 1000.000000 tasks=8 nodes=1
stand-in: begins 1001.000000 node=n1 processes=8
stand-in: has 1001.000000 node=n1 cores=8 mpl=1
stand-in: has 1003.000000 node=n1 cores=2 mpl=4
stand-in: has 1003.500000 node=n1 cores=2 mpl=4
stand-in: has 1007.000000 node=n1 cores=8 mpl=1
stand-in: ends 1009.250000 node=n1 due=1009.000000
job: ended 1010.000000
"""
RIGID = """job: started 1000.000000 tasks=4 nodes=1
stand-in: begins 1000.500000 node=n1 processes=4
stand-in: ends 1002.500000 node=n1 due=1002.500000
job: ended 1003.000000
"""
REQUEUED = """job: started 980.000000 tasks=4 nodes=1
slurmstepd: error: *** JOB 7 ON n1 CANCELLED AT 2026-01-01T00:00:00 DUE TO JOB REQUEUE ***
job: ended 980.500000
job: started 990.000000 tasks=4 nodes=1
stand-in: begins 990.500000 node=n1 processes=4
job: ended 993.000000
""" + RIGID
SUSPENDED = """job: started 1000.000000 tasks=4 nodes=1
stand-in: begins 1000.500000 node=n1 processes=4
stand-in: suspended 1001.000000 node=n1
stand-in: resumed 1006.000000 node=n1
stand-in: suspended 1006.500000 node=n1
stand-in: resumed 1010.500000 node=n1
stand-in: ends 1011.500000 node=n1 due=1011.500000
job: ended 1012.000000
"""


def job(number=1, **fields):
    values = {"submit": 5.0, "run_time": 28.0, "estimate": 28.0, "processes": 8, "procs": "pow2:8", "kind": "short",
              "application": "FT.A", **fields}
    return workload.WorkloadJob(number, **values)


def row(output, its=job(), submitted=998.0):
    return measures.row(its, submitted, record.read(output), began=990.0, clock=10)


class Records(unittest.TestCase):
    def test_changes_that_are_none_are_no_folds(self):
        found = record.read(FOLDED)
        self.assertEqual([(share.time, share.cores, share.mpl) for share in found.last.shares],
                         [(1000, 8, 1), (1003, 2, 4), (1007, 8, 1)])
        self.assertEqual((found.folds, found.unfolds, found.last.processes, found.last.due), (1, 1, 8, 1009.0))

    def test_core_seconds_are_those_of_each_stretch_launch_and_end_as_well(self):
        self.assertEqual(record.read(FOLDED).core_seconds(), 8 * 3 + 2 * 4 + 8 * 3)

    def test_job_that_starts_folded_is_folded_from_its_start(self):
        found = record.read(FOLDED.replace("has 1001.000000 node=n1 cores=8 mpl=1", "has 1001.000000 node=n1 cores=4 mpl=2"))
        self.assertEqual(found.core_seconds(), 4 * 3 + 2 * 4 + 8 * 3)

    def test_job_without_control_block_has_a_core_for_each_process(self):
        self.assertEqual(record.read(RIGID).core_seconds(), 4 * 3)

    def test_suspended_job_holds_nothing(self):
        found = record.read(SUSPENDED)
        self.assertEqual([(share.time, end, share.cores) for share, end in found.stretches()],
                         [(1000, 1001, 4), (1006, 1006.5, 4), (1010.5, 1012, 4)])
        self.assertEqual((found.held(), found.core_seconds(), found.folds, found.unfolds), (3, 12, 0, 0))

    def test_what_a_requeue_cut_short_is_wasted(self):
        found = record.read(REQUEUED)
        self.assertEqual([(attempt.started, attempt.ended) for attempt in found.attempts],
                         [(980, 980.5), (990, 993), (1000, 1003)])
        self.assertEqual((found.held(), found.core_seconds(), found.wasted_core_seconds()), (6.5, 4 * 6.5, 4 * 3.5))

    def test_run_that_was_lost_without_a_word_is_incomplete(self):
        for lost in ("job: ended 993.000000\n", "job: ended 980.500000\n"):
            with self.assertRaises(record.IncompleteRecord):
                record.read(REQUEUED.replace(lost, ""))
        with self.assertRaises(record.IncompleteRecord):
            record.read(REQUEUED.removesuffix(RIGID))

    def test_what_did_not_end_is_incomplete(self):
        for kept in range(7):
            with self.assertRaises(record.IncompleteRecord):
                record.read("".join(FOLDED.splitlines(keepends=True)[:kept]) + "slurmstepd: error: killed\n")
        with self.assertRaises(record.IncompleteRecord):
            record.read(FOLDED.partition("job: ended")[0])


OVER_NODES = """job: started 1000.000000 tasks=8 nodes=2
stand-in: begins 1001.500000 node=n2 processes=8
stand-in: has 1001.500000 node=n2 cores=4 mpl=1
stand-in: has 1003.250000 node=n2 cores=1 mpl=4
stand-in: has 1007.000000 node=n2 cores=2 mpl=2
stand-in: ends 1010.000000 node=n2 due=1009.500000
stand-in: begins 1001.000000 node=n1 processes=8
stand-in: has 1001.000000 node=n1 cores=4 mpl=1
stand-in: has 1003.000000 node=n1 cores=2 mpl=2
stand-in: ends 1009.250000 node=n1 due=1009.000000
job: ended 1011.000000
"""


class SeveralNodes(unittest.TestCase):
    def test_job_has_the_cores_of_all_its_nodes_and_ends_with_the_last(self):
        found = record.read(OVER_NODES).last
        self.assertEqual([(share.time, share.cores, share.mpl) for share in found.shares],
                         [(1000, 8, 1), (1003, 6, 2), (1003.25, 3, 4), (1007, 4, 2)])
        self.assertEqual((found.begins, found.ends, found.due), (1001, 1010, 1009.5))
        self.assertEqual((found.folds, found.unfolds), (1, 1))

    def test_record_without_that_of_a_node_is_incomplete(self):
        with self.assertRaises(record.IncompleteRecord):
            record.read("".join(line for line in OVER_NODES.splitlines(keepends=True) if "node=n2" not in line))
        with self.assertRaises(record.IncompleteRecord):
            record.read(OVER_NODES.replace("stand-in: ends 1010.000000 node=n2 due=1009.500000\n", ""))

    def test_job_is_suspended_while_any_of_its_nodes_says_so(self):
        lines = [line for line in OVER_NODES.splitlines(keepends=True) if " has " not in line]
        lines[1:1] = [f"stand-in: {what} 100{time}.000000 node={node}\n" for what, time, node in (
            ("suspended", 4, "n1"), ("suspended", 5, "n2"), ("resumed", 6, "n1"), ("resumed", 7, "n2"))]
        self.assertEqual([(share.time, share.cores) for share in record.read("".join(lines)).last.shares],
                         [(1000, 8), (1004, 0), (1007, 8)])

    def test_virtually_malleable_jobs_ask_for_as_many_nodes_as_their_largest_size_needs(self):
        for processes, machine, nodes in ((49, "1x60", 1), (16, "4x16", 1), (17, "4x16", 2), (64, "4x16", 4), (64, "16x32", 2)):
            self.assertIn(f"--nodes={nodes}", asks(job(processes=processes), POLICIES["bfm"], 10, named(machine)))


class Computing(unittest.TestCase):
    def test_program_that_has_no_model_is_not_due(self):
        found = record.read(FOLDED.replace(" due=1009.000000", ""))
        self.assertEqual((found.last.ends, found.last.due), (1009.25, None))

    def test_table_for_vmsim_has_what_was_measured(self):
        programs = {"cg": {"amount": 9, "seconds": {"1": 30.5, "2": 16}}, "stencil": {"amount": 8, "seconds": {"1": 7, "2": 4}}}
        self.assertEqual(real_mpi.table(programs), "app,class,sizes,1,2\ncg,long,1 2,30.5,16\nstencil,short,1 2,7,4\n")

    def test_runs_are_on_the_real_machine_by_the_real_clock_and_only_what_vmsim_has(self):
        found = options.runs(asked("x", "--policies=bfm,gang", "--workloads=real-mpi,high-80", "--machines=4x16", "--clock=20"))
        self.assertEqual([(run.policy.name, run.machine.name, run.settings.clock) for run in found],
                         [("bfm", "real", 1), ("bfm", "4x16", 20), ("gang", "4x16", 20)])


class Measures(unittest.TestCase):
    def test_times_are_of_the_clock_of_the_workload(self):
        found = row(FOLDED)
        self.assertEqual([found[name] for name in ("submit", "start", "end", "wait", "response", "run_time")],
                         [80, 100, 200, 20, 120, 100])

    def test_allotment_is_that_of_the_time_with_cores(self):
        self.assertEqual((row(FOLDED)["core_seconds"], row(FOLDED)["average_allotment"]), (560, 5.6))
        self.assertEqual((row(SUSPENDED)["core_seconds"], row(SUSPENDED)["average_allotment"]), (120, 4))

    def test_job_waits_whenever_it_holds_no_cores(self):
        def times(output):
            found = row(output, submitted=975.0)
            return [found[name] for name in ("start", "end", "response", "run_time", "wait", "starts")]

        self.assertEqual(times(SUSPENDED), [100, 220, 370, 30, 340, 1])
        self.assertEqual(times(REQUEUED), [-100, 130, 280, 65, 215, 3])

    def test_slowdown_is_bounded(self):
        self.assertEqual(row(RIGID, job(run_time=2.0))["bounded_slowdown"], 5)
        self.assertEqual(row(RIGID, job(run_time=500.0))["bounded_slowdown"], 1)

    def test_summary_is_by_class_and_of_all(self):
        rows = [row(FOLDED), row(RIGID, job(2, kind="long"), 999.0)]
        found = measures.summary(rows, 60)
        self.assertEqual({kind: those["jobs"] for kind, those in found["classes"].items()}, {"all": 2, "short": 1, "long": 1})
        self.assertEqual(found["classes"]["all"]["wait"], 15)
        self.assertEqual(found["classes"]["all"]["standard_deviation_of_waits"], 5)
        self.assertEqual((found["makespan"], found["folds"], found["requeues"], found["wasted_core_hours"]), (120, 1, 0, 0))
        self.assertAlmostEqual(found["utilisation"], sum(each["core_seconds"] for each in rows) / (60 * 120))

    def test_summary_says_what_requeues_threw_away(self):
        found = measures.summary([row(FOLDED), row(REQUEUED, job(2), 975.0)], 60)
        self.assertEqual((found["requeues"], found["wasted_core_hours"]), (2, 4 * 35 / 3600))


class Asking(unittest.TestCase):
    def test_stock_slurm_is_asked_for_the_largest_size_and_whole_minutes_that_leave_time_to_launch(self):
        self.assertEqual(asks(job(estimate=1100.0), POLICIES["stock"], 10, named("1x60")), ["--ntasks=8", "--time=2"])
        self.assertEqual(asks(job(estimate=1190.0), POLICIES["stock"], 10, named("1x60")), ["--ntasks=8", "--time=3"])

    def test_others_are_asked_by_the_second(self):
        self.assertEqual(asks(job(estimate=1101.0), POLICIES["bfm"], 10, named("1x60"))[:3],
                         ["--vm-class=short", "--vm-procs=pow2:8", "--vm-estimate=1:51"])

    def test_long_estimates_are_told_by_all(self):
        for name in ("stock", "gang"):
            self.assertEqual(asks(job(estimate=2 * 1100.0), POLICIES[name], 10, named("1x60"))[-1], "--time=4")
        self.assertIn("--vm-estimate=3:40", asks(job(estimate=2 * 1100.0), POLICIES["bfm-requeue"], 10, named("1x60")))

    def test_limits_that_say_little_are_counted(self):
        self.assertEqual(coarse_limits([job(estimate=28.0), job(estimate=1150.0)], 10), 1)


class Workloads(unittest.TestCase):
    HEAD = ("; Queue: 1 short\n; Queue: 2 long\n"
            "; Note: vmsim executable 1: virtually-malleable sizes=square speedup=times:1=2441,49=50 cores-per-process=1 "
            "application=BT.A\n")

    def read(self, text):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "workload.swf"
            path.write_text(text, encoding="utf-8")
            return workload.read(path)

    def test_jobs_are_those_of_the_file(self):
        found = self.read(self.HEAD + "5 21 -1 50 49 -1 -1 49 60 -1 -1 -1 -1 1 2 -1 -1 -1\n")
        self.assertEqual(found, [workload.WorkloadJob(5, 21.0, 50.0, 60.0, 49, "square:49", "long", "BT.A")])

    def test_sizes_of_a_list_are_those_that_the_machine_has(self):
        self.assertEqual(self.read(self.HEAD.replace("sizes=square", "sizes=9,16,25,36,49")
                                   + "5 21 -1 66 36 -1 -1 36 66 -1 -1 -1 -1 1 2 -1 -1 -1\n")[0].procs, "9,16,25,36")

    def test_without_jobs_there_is_nothing_to_run(self):
        with self.assertRaisesRegex(workload.WorkloadError, "no jobs"):
            self.read(self.HEAD)


def asked(folder, *words):
    return options.parse(["--out", folder, "--policies", "bfm", *words], needs_build=False)


def summary(policy, wait, seed=1, **fields):
    def side(seconds):
        jobs = {"jobs": 3, "wait": seconds, "standard_deviation_of_waits": 0.0, "response": seconds + 10, "execution": 10.0,
                "bounded_slowdown": 1.0}
        return {"makespan": 100.0, "utilisation": 0.5, "folds": 0, "unfolds": 0, "requeues": 0, "wasted_core_hours": 0.0,
                "classes": {"all": jobs, "short": jobs}}

    settings = asdict(options.runs(asked("x"))[0].settings)
    predicted = POLICIES[policy].is_simulated
    return {"policy": policy, "workload": "high-80", "estimates": "right", "sizes": "largest", "machine": "1x60",
            "seed": seed, "settings": settings,
            "measured": side(wait), "predicted": side(20.0) if predicted else None,
            "predicted_with_delays": [side(wait - 0.5), side(wait - 4), side(wait - 2)] if predicted else None,
            "mean_delays": {"notice": 0.25, "launch": 0.2, "beyond_program": 0.5}, "resizes": None,
            "latest_submission": 0.1, "latest_end_after_due": 0.01,
            "coarse_time_limits": 2 if policy == "stock" else 0, "log_errors": [], **fields}


class Reports(unittest.TestCase):
    def line(self, text, beginning):
        return next(line for line in text.splitlines() if line.startswith(beginning))

    def test_numbers_are_means_with_their_ratios_to_what_vmsim_says(self):
        text = report.text([summary("bfm", 20.0), summary("bfm", 41.0, seed=2)])
        self.assertTrue(self.line(text, "| bfm | short").startswith(
            "| bfm | short | 6 | 40.5 (1.35; 1.01 to 1.11) | 30.5 (1.52; 1.02 to 1.15) | 10 (1.00; 1.00 to 1.00) | 0 (vmsim: 0, 0, 0) |"))
        self.assertEqual(self.line(text, "| bfm | 0.25"), "| bfm | 0.25 | 0.20 | 0.50 | 0 | - | - | - | 0.10 | 0.01 |")

    def test_what_no_prediction_with_delays_comes_near_is_marked(self):
        for wait, marked in ((11.5, True), (10.5, False), (9.6, False), (0.0, False), (-1.0, True)):  # predicted: responses of 10 to 20
            summaries = [summary("bfm", each)["measured"] for each in (0.0, 10.0)]
            text = report.text([summary("bfm", wait, predicted_with_delays=summaries)])
            self.assertEqual(self.line(text, "| bfm | short").split(" | ")[3].endswith("*)"), marked, wait)
            # The responses of two classes; of no wait nothing is a part.
            explained, compared = re.search(r"Delays explain (\d+) of the (\d+) numbers", text).groups()
            self.assertEqual(int(compared) - int(explained), 2 if marked else 0)

    def test_times_of_resizes_are_of_all_runs(self):
        runs = [summary("bfm", 20.0, seed, resizes={"number": seed, "median": 0.01 * seed, "percentile_95": 0.04 * seed,
                                                    "longest": 0.05 * seed}) for seed in (1, 3)] + [summary("bfm", 20.0, 4)]
        self.assertIn("| 4 | 0.020 | 0.120 | 0.150 |", self.line(report.text(runs), "| bfm | 0.25"))

    def test_limits_that_say_little_are_told(self):
        self.assertIn("2 of 3 jobs under Slurm's own policies have a limit", report.text([summary("stock", 90.0)]))

    def test_runs_of_other_settings_are_not_mixed(self):
        other = summary("bfm", 90.0)
        other["settings"]["clock"] = 3
        text = report.text([summary("bfm", 20.0), other])
        self.assertEqual(text.count("\n## high-80, "), 2)
        self.assertEqual(text.count("\n| bfm | short | 3 | "), 2)
        self.assertIn("\nUnless something else is said: 1x60, estimates are right, jobs as large as they accept, folding costs", text)
        self.assertIn("\n## high-80, 3 times as fast\n", text)

    def test_what_was_measured_of_programs_that_compute_is_told(self):
        programs = {"cg": {"amount": 9, "seconds": {"1": 30.5, "2": 16}}}
        text = report.text([summary("bfm", 20.0, workload="real-mpi", machine="real", programs=programs,
                                    latest_end_after_due=None)])
        self.assertIn("| program | class | processes: 1 | processes: 2 |", text)
        self.assertIn("\n| cg | long | 30.5 | 16 |\n", text)
        self.assertTrue(self.line(text, "| bfm | 0.25").endswith("| 0.10 | - |"))

    def test_policy_that_vmsim_does_not_have_has_no_ratio(self):
        text = report.text([summary("gang", 20.0), summary("gang", 40.0, seed=2)])
        self.assertTrue(self.line(text, "| gang | short").startswith("| gang | short | 6 | 40 | 30 | 10 | 0 |"))

    def test_limits_of_policies_are_told_once(self):
        text = report.text([summary(name, 20.0) for name in ("stock", "gang", "easy-requeue", "bfm-requeue")])
        for sentence in ("OverTimeLimit=UNLIMITED", "Under gang, a turn is 5 real seconds", "6 real seconds later"):
            self.assertEqual(text.count(sentence), 1, sentence)
        self.assertNotIn("OverTimeLimit", report.text([summary("bfm", 20.0)]))

    def test_workloads_that_differ_in_estimates_are_not_mixed(self):
        text = report.text([summary("bfm", 20.0), summary("bfm", 40.0, estimates="over")])
        self.assertEqual([line.split(" (")[0] for line in text.splitlines() if line.startswith("| bfm | short")],
                         ["| bfm | short | 3 | 30", "| bfm | short | 3 | 50"])
        self.assertIn("\n## high-80, estimates are 1 to 5 times too long\n", text)

    def test_workloads_that_differ_in_sizes_are_not_mixed(self):
        text = report.text([summary("bfm", 20.0), summary("bfm", 40.0, sizes="efficient")])
        self.assertEqual([line.split(" (")[0] for line in text.splitlines() if line.startswith("| bfm | short")],
                         ["| bfm | short | 3 | 30", "| bfm | short | 3 | 50"])
        self.assertIn("\n## high-80, jobs as large as runs at 90 % efficiency\n", text)

    def test_clock_is_explained_where_it_is_not_real_time(self):
        self.assertIn("Times are seconds of the workload's clock", report.text([summary("bfm", 20.0)]))
        real = summary("bfm", 20.0)
        real["settings"]["clock"] = 1
        self.assertIn("\nTimes are real seconds. Slurm keeps", report.text([real]))

    def test_errors_that_daemons_logged_are_shown(self):
        text = report.text([summary("bfm", 20.0, log_errors=["slurmctld: error: x"])])
        self.assertIn("- bfm, high-80 on 1x60, estimates right, sizes largest, seed 1: slurmctld: error: x\n", text)
        self.assertNotIn(" more\n", text)

    def test_of_many_errors_of_a_run_the_first_are_shown(self):
        text = report.text([summary("bfm", 20.0, log_errors=list("abcde"))])
        self.assertEqual([line[-3:] for line in text.splitlines() if "seed 1: " in line], [": a", ": b", ": c", "ore"])
        self.assertIn("seed 1: 2 more\n", text)


class Everything(unittest.TestCase):
    def parse(self, *words):
        return options.parse(["--out", "x", "--everything", *words], needs_build=False)

    def test_runs_of_the_page_are_made_once_each(self):
        runs = options.runs(self.parse("--clock=1"))
        found = [(run.workload, run.policy.name, run.estimates, run.sizes, run.machine.name, run.seed) for run in runs]
        self.assertEqual((sorted(found), {run.settings.clock for run in runs}), (sorted(everything.keys()), {1}))

    def test_options_that_choose_runs_do_not_go_with_it(self):
        for words in ("--seeds=1,2", "--policies=bfm", "--workloads=w1", "--estimates=over", "--sizes=efficient", "--machines=4x16"):
            with self.assertRaises(SystemExit), contextlib.redirect_stderr(io.StringIO()) as said:
                self.parse(words)
            self.assertIn(f"--everything does not go with {words.partition('=')[0]}\n", said.getvalue())


class Keeping(unittest.TestCase):
    def test_each_kind_of_sizes_has_a_folder_of_its_own(self):
        out = Path("out")
        self.assertEqual([str(run.folder(out)) for run in options.runs(asked("out", "--sizes=efficient,largest"))],
                         ["out/1x60/high-80/right/efficient/bfm/seed-1", "out/1x60/high-80/right/largest/bfm/seed-1"])

    def test_only_a_complete_run_of_the_same_settings_is_not_made_again(self):
        with tempfile.TemporaryDirectory() as folder:
            out = Path(folder)
            its = options.runs(asked(folder))[0]
            self.assertIsNone(its.kept(out))
            its.folder(out).mkdir(parents=True)
            self.assertIsNone(its.kept(out))
            kept = summary("bfm", 20.0)
            (its.folder(out) / "summary.json").write_text(json.dumps(kept), encoding="utf-8")
            self.assertEqual(its.kept(out), kept)
            other = options.runs(asked(folder, "--clock", "5"))[0]
            with self.assertRaisesRegex(ClusterError, "other settings"):
                other.kept(out)
