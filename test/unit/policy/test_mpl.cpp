// SPDX-License-Identifier: GPL-2.0-or-later
//
// The MPL of processes on an allotment.
#include "policy/folding/mpl.hpp"
#include "suites.hpp"

namespace {

using namespace vmall::policy;

struct Row {
    const char *what;
    int processes;
    int cores_per_process;
    CoreCounts allotment;
    int mpl;
};

const Row rows[] = {
    {"a core for each", 4, 1, {{{0}, 4}}, 1},
    {"more cores than processes", 2, 1, {{{0}, 4}}, 1},
    {"rounded up", 5, 1, {{{0}, 4}}, 2},
    {"two on each core", 8, 1, {{{0}, 4}}, 2},
    {"7 cores are no better for 8 than 4", 8, 1, {{{0}, 7}}, 2},
    {"spread over two nodes", 8, 1, {{{0}, 4}, {{3}, 4}}, 1},
    {"the narrowest node counts", 8, 1, {{{0}, 4}, {{3}, 1}}, 4},
    {"processes that do not divide: the fuller node", 5, 1, {{{0}, 3}, {{1}, 2}}, 2},
    {"several cores each", 4, 2, {{{0}, 4}}, 2},
    {"several cores each, all of them on one place", 4, 2, {{{0}, 2}}, 4},
    {"a part of a place is none", 4, 2, {{{0}, 7}}, 2},
    {"less than a place counts as one", 3, 4, {{{0}, 2}}, 3},
    {"several cores each, on the narrowest of two nodes", 6, 2, {{{0}, 6}, {{1}, 4}}, 2},
    {"no nodes", 4, 1, {}, 1},
    {"a node without cores", 4, 1, {{{0}, 0}}, 4},
};

START_TEST(of_processes_on_an_allotment) {
    const Row &row = rows[_i];
    const CoreCounts unfolded =
        unfolded_equally(row.processes, row.cores_per_process, row.allotment);
    const int mpl = mpl_of(unfolded, row.cores_per_process, row.allotment);
    ck_assert_msg(mpl == row.mpl, "%s: %d", row.what, mpl);
}
END_TEST

const CoreCounts four_and_one = {{{0}, 4}, {{3}, 1}};

struct UnequalRow {
    const char *what;
    CoreCounts allotment;
    int mpl;
};

const UnequalRow unequal_rows[] = {
    {"a core for each", four_and_one, 1},
    {"the node counts where it is folded deepest", {{{0}, 2}, {{3}, 1}}, 2},
    {"not the one with the fewest cores", {{{0}, 1}, {{3}, 1}}, 4},
};

START_TEST(of_processes_that_are_spread_unequally) {
    const UnequalRow &row = unequal_rows[_i];
    const int mpl = mpl_of(four_and_one, 1, row.allotment);
    ck_assert_msg(mpl == row.mpl, "%s: %d", row.what, mpl);
}
END_TEST

} // namespace

Suite *mpl_suite() {
    Suite *suite = suite_create("mpl");
    TCase *tests = tcase_create("mpl");
    tcase_add_loop_test(tests, of_processes_on_an_allotment, 0, std::size(rows));
    tcase_add_loop_test(tests, of_processes_that_are_spread_unequally, 0, std::size(unequal_rows));
    suite_add_tcase(suite, tests);
    return suite;
}
