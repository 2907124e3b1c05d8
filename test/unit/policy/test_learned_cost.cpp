// SPDX-License-Identifier: GPL-2.0-or-later
//
// What folding costs here, by what jobs have shown.
#include "policy/cost/learned_cost.hpp"
#include "suites.hpp"

#include <iterator>
#include <vector>

namespace {

using namespace vmall::policy;

constexpr Seconds now = 1'000'000;

struct Showing {
    std::uint32_t first, jobs; // ids, ascending
    int percent;
};

struct Row {
    const char *what;
    std::vector<Showing> showings;
    int cost;
};

const Row rows[] = {
    {"nothing is known", {}, 110},
    {"half of 31 jobs less one say little", {{1, 15, 150}}, 110},
    {"one more is the median", {{1, 16, 150}}, 150},
    {"as often as one job says it", {{1, 1, 150}, {1, 1, 150}}, 110},
    {"the last thing that it says holds", {{1, 16, 150}, {16, 1, 120}}, 120},
    {"the last jobs count", {{1, 31, 150}, {100, 16, 104}}, 104},
    {"not less than nothing", {{1, 31, 50}}, 100},
    {"not more than ten times", {{1, 31, 5000}}, 1000},
};

START_TEST(is_the_median_of_the_last) {
    const Row &row = rows[_i];
    LearnedCost cost;
    for (const Showing &showing : row.showings)
        for (std::uint32_t id = showing.first; id < showing.first + showing.jobs; id++)
            cost.note({id}, showing.percent, now);
    ck_assert_msg(cost.percent() == row.cost, "%s: %d", row.what, cost.percent());
}
END_TEST

START_TEST(is_forgotten_after_30_days) {
    constexpr Seconds month = 30 * 24 * 3600;
    LearnedCost cost;
    for (std::uint32_t id = 1; id <= 16; id++)
        cost.note({id}, 150, now);
    cost.forget(now + month);
    ck_assert_int_eq(cost.percent(), 150);
    cost.note({1}, 150, now + 1); // it says so again
    cost.forget(now + month + 1);
    ck_assert_int_eq(static_cast<int>(cost.shown().size()), 1);
    ck_assert_int_eq(cost.percent(), usual_folding_cost);
}
END_TEST

} // namespace

Suite *learned_cost_suite() {
    Suite *suite = suite_create("learned cost");
    TCase *cases = tcase_create("rows");
    tcase_add_loop_test(cases, is_the_median_of_the_last, 0, static_cast<int>(std::size(rows)));
    tcase_add_test(cases, is_forgotten_after_30_days);
    suite_add_tcase(suite, cases);
    return suite;
}
