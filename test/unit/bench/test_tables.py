# SPDX-License-Identifier: GPL-2.0-or-later
"""The tables of the pages of measurements, from made-up rows."""

import os
import re
import tempfile
import unittest
from pathlib import Path

import fold_tables
import fold_verdicts
from fold_tables import Row
from pages import BadRow, NoSuchTable, put_tables

HEAD = "table,program,grain_us,mpl,side,ranks,cpus,values,state,note\n"


def row(side, values, table="programs", program="cg", mpl=4, **fields):  # pylint: disable=too-many-arguments
    return Row(table, program, fields.get("grain_us", 0), mpl, side, values, fields.get("state", "measured"),
               fields.get("note", ""))


def rows_of(text):
    with tempfile.NamedTemporaryFile("w", suffix=".csv", encoding="utf-8") as file:
        file.write(HEAD + text)
        file.flush()
        return fold_tables.read(file.name)


def verdict(rows, beginning):
    """The line of the verdicts' table that begins like this, as its cells."""
    lines = [line.strip("| ").split(" | ") for line in fold_verdicts.verdicts(rows).splitlines()]
    return next(line for line in lines if line[0].startswith(beginning))


class Reading(unittest.TestCase):
    def test_values_and_notes(self):
        found, = rows_of("queues,cg,0,4,ours,8,2,1;2;4,measured,chose kernel in 1 of 3\n")
        self.assertEqual((found.median, found.note), (2, "chose kernel in 1 of 3"))

    def test_of_rows_measured_twice_the_later_counts(self):
        found, = rows_of("programs,cg,0,4,ours,8,2,,failed,oops\nprograms,cg,0,4,ours,8,2,1.5,measured,\n")
        self.assertEqual(found.values, [1.5])

    def test_bad_line_is_named(self):
        with self.assertRaisesRegex(BadRow, "line 2: .*many"):
            rows_of("programs,cg,0,4,ours,8,2,many,measured,\n")


class Programs(unittest.TestCase):
    def test_say_how_long_they_compute_between_hand_overs(self):
        found = fold_tables.programs([row("ours", [1.1]), row("ours", [5.31, 5.27, 9], table="stretches"),
                                      row("ours", [1.2], program="heat")])
        self.assertEqual(found.splitlines()[2:], ["| cg | 4 | 1.10 | 5.3 µs |", "| heat | 4 | 1.20 |  |",
                                                  "| **median** | 4 | **1.15** |  |"])


class InShort(unittest.TestCase):
    def test_has_a_line_of_medians_for_each_program(self):
        found = fold_tables.in_short([row("ours", [1.3, 1.0, 1.1]), row("stock", [20], "stock", state="over"),
                                      row("ours", [1.04], mpl=2), row("unfolded", [1.0], mpl=1),
                                      row("ours", [5.31], table="stretches"), row("ours", [1.2], program="heat"),
                                      row("folded", [2655], program="hand-over of 4 without MPI", table="calls", mpl=2)])
        self.assertEqual(found.splitlines()[2:], [
            "| cg | 1.10 | > 20 |  | 1.04 | 1.00 | 5.3 µs | 1.50 |", "| heat | 1.20 |  |  |  |  |  |  |",
            "| **median** | **1.15** | **20** |  | **1.04** | **1.00** |  |  |"])


class Pages(unittest.TestCase):
    def put(self, page, tables):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "page.md")
            path.write_text(page, encoding="utf-8")
            put_tables(path, tables)
            return path.read_text(encoding="utf-8")

    def test_only_tables_are_replaced(self):
        page = "Text.\n<!-- table grain -->\n{}<!-- end of grain -->\nMore.\n"
        self.assertEqual(self.put(page.format("| old |\n"), {"grain": "| new |", "calls": "| x |"}),
                         page.format("| new |\n"))
        self.assertEqual(self.put(page.format("| old |\n"), {"grain": ""}), page.format("| old |\n"))

    def test_page_without_any_is_refused(self):
        with self.assertRaisesRegex(NoSuchTable, "none of the tables grain"):
            self.put("<!-- table other -->\n<!-- end of other -->\n", {"grain": "| new |"})

    def test_every_table_of_a_page_is_made_by_somebody(self):
        bench = Path(os.environ["SOURCE"], "test/bench")
        programs = "".join(path.read_text(encoding="utf-8")
                           for path in [*bench.glob("*.py"), *bench.glob("*-table"), bench / "fold-page"])
        for page in [*Path(os.environ["SOURCE"], "doc").glob("*.md"), *bench.glob("pages/*.md")]:
            text = page.read_text(encoding="utf-8")
            names = re.findall(r"^<!-- table (.*) -->$", text, re.MULTILINE)
            self.assertEqual(names, re.findall(r"^<!-- end of (.*) -->$", text, re.MULTILINE), page)
            self.assertEqual([name for name in names if f'"{name}"' not in programs], [], page)


class Cells(unittest.TestCase):
    def test_median_and_spread(self):
        self.assertEqual(fold_tables.cell(row("ours", [1.3, 1.0, 1.1])), "1.10 (1.00–1.30)")

    def test_one_value(self):
        self.assertEqual(fold_tables.cell(row("stock", [83.4])), "83")

    def test_ended(self):
        self.assertEqual(fold_tables.cell(row("stock", [20], state="over")), "> 20")

    def test_nothing_measured(self):
        self.assertEqual(fold_tables.cell(row("lewi", [], state="skipped")), "skipped")
        self.assertEqual(fold_tables.cell(None), "")


class Grain(unittest.TestCase):
    def test_crossing_lies_between_the_points(self):
        self.assertAlmostEqual(fold_tables.crossing([(10, 1.2), (1000, 1.0)]), 100)

    def test_cheap_everywhere(self):
        self.assertIsNone(fold_tables.crossing([(10, 1.09), (100, 1.0)]))

    def test_dear_everywhere(self):
        self.assertEqual(fold_tables.crossing([(10, 3.0), (100, 2.0)]), 100)


class Choices(unittest.TestCase):
    def choice(self, kernel, ours, sched_yield):
        rows = [row(side, [value], "queues", note="chose kernel in 2 of 3")
                for side, value in (("kernel", kernel), ("ours", ours), ("yield", sched_yield))]
        return fold_tables.choices(rows)[0]

    def test_over_the_best_way(self):
        self.assertAlmostEqual(self.choice(0.9, 0.82, 0.8).over_best, 1.025)
        self.assertAlmostEqual(self.choice(0.8, 0.82, 0.9).over_best, 1.025)

    def test_hand_overs_alone_may_be_the_best(self):
        self.assertAlmostEqual(self.choice(1.3, 1.1, 1.2).over_best, 1.1)

    def test_the_table_ends_with_medians_and_the_price_of_a_hand_over(self):
        rows = [row(side, [value], "queues", note="chose kernel in 2 of 3")
                for side, value in (("kernel", 0.9), ("ours", 0.82), ("yield", 0.8))]
        text = fold_tables.queues(rows + [row("folded", [4000], "calls", "hand-over of 4 without MPI", 2)])
        self.assertIn("| **median** | **0.80** | **0.90** | **0.82** |  | **1.02** |", text)
        self.assertTrue(text.endswith("A hand-over among four processes took 4.0 µs there."))
        self.assertEqual(fold_tables.queues([]), "")


class Verdicts(unittest.TestCase):
    def test_dear_program_misses_the_target(self):
        rows = [row("ours", [1.02]), row("ours", [1.2], program="sort"), row("ours", [9], program="ring 50 us")]
        self.assertEqual(verdict(rows, "at MPL 4 every")[1:], ["1 of 2; not sort 1.20", "**no**"])
        self.assertEqual(verdict(rows, "at MPL 4 the median")[1:], ["1.11", "**no**"])

    def test_cheap_programs_reach_it(self):
        rows = [row("ours", [1.02]), row("ours", [1.09], program="sort"), row("ours", [1.0], program="heat")]
        self.assertEqual(verdict(rows, "at MPL 4 every")[1:], ["3 of 3", "yes"])
        self.assertEqual(verdict(rows, "at MPL 4 the median")[1:], ["1.02", "yes"])

    def test_what_hand_overs_do_not_explain_misses_the_target(self):
        rows = [row("folded", [4000], "calls", "hand-over of 4 without MPI", 2),
                row("ours", [1.4]), row("ours", [40], "stretches"),
                row("ours", [1.4], program="sort"), row("ours", [20], "stretches", "sort"),
                row("ours", [1.4], program="heat")]  # whose hand-overs nobody counted
        self.assertEqual(verdict(rows, "at MPL 4 no program")[1:], ["1 of 2; not cg 1.40", "**no**"])

    def test_slower_than_stock_beyond_the_spread(self):
        def rows_with(ours):
            return [row("ours", ours, "stock"), row("stock", [1.0, 1.1], "stock")]
        self.assertEqual(verdict(rows_with([1.05, 1.3]), "never slower")[2], "yes")
        self.assertEqual(verdict(rows_with([1.2, 1.3]), "never slower")[2], "**no**")

    def test_unfolded(self):
        def rows_with(values):
            return [row("unfolded", values, mpl=1), row("unfolded", [1.0], mpl=1, program="heat"),
                    row("unfolded", [1.0], mpl=1, program="sort")]
        self.assertEqual(verdict(rows_with([1.005, 1.03]), "unfolded")[2], "yes")
        self.assertEqual(verdict(rows_with([1.02, 1.03]), "unfolded")[2], "**no**")

    def test_slow_moves(self):
        fast = row("ours", [1.0] * 99 + [4.0], "move")
        slow = row("ours", [1.0] * 90 + [9.0] * 10, "move")
        self.assertEqual(verdict([fast], "from the agent")[2], "yes")
        self.assertEqual(verdict([slow], "from the agent")[2], "**no**")

    def test_wrong_result_of_a_random_fold(self):
        self.assertEqual(verdict([row("ours", [120, 5, 5], "random folds")], "right results")[2], "yes")
        self.assertEqual(verdict([row("ours", [120, 5, 4], "random folds")], "right results")[2], "**no**")
        self.assertEqual(verdict([row("ours", [99, 5, 5], "random folds")], "right results")[2], "**no**")

    def test_nothing_measured_gives_no_table(self):
        self.assertEqual(fold_verdicts.verdicts([]), "")
