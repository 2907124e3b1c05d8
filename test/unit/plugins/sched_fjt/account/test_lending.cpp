// SPDX-License-Identifier: GPL-2.0-or-later
//
// What folding gains and costs, and how that and other things are counted.
#include "plugins/sched_fjt/account/lending.hpp"

#include "plugins/sched_fjt/account/tally.hpp"
#include "run.hpp"

#include <cmath>
#include <iterator>
#include <string>

using namespace vmall;
using namespace vmall::sched;

namespace {

// Of eight processes on so many cores of one node.
JobView job_on(std::uint32_t cores) {
    JobView job;
    job.id = 1;
    job.virtually_malleable = true;
    job.state = JobState::running;
    job.tasks = 8;
    for (std::uint32_t core = 0; core < cores; ++core)
        job.cores[0].push_back(core);
    return job;
}

struct Case {
    const char *name;
    std::uint32_t cores;
    int useful_percent; // 0: not known
    double lent;        // cores
    double lost;
};

constexpr Case cases[] = {
    {"unfolded", 8, 0, 0, 0},
    {"a quarter, by time limits' rule", 2, 0, 6, 8 * (1 - 1 / 4.4)},
    {"a quarter, of ranks that never wait", 2, 100, 6, 6},
    {"a quarter, of ranks that wait half of the time", 2, 50, 6, 4},
    {"a half, of ranks that wait half of the time", 4, 50, 4, 0},
};

START_TEST(cores_are_lent_and_lost_second_by_second) {
    const Case &row = cases[_i];
    View view;
    view.active.emplace(1, job_on(row.cores));
    Ledger ledger(0);
    if (row.useful_percent)
        ledger.of(view.active.at(1)).useful = UsefulShare(row.useful_percent, 100);
    ledger.of(view.active.at(1));
    Lending lending;
    view.steady = 1000;
    lending.look(view, ledger);
    ck_assert(lending.lent() == 0 && lending.lost() == 0);
    view.steady = 1010;
    view.active.clear();
    lending.look(view, ledger);
    view.steady = 1100;
    lending.look(view, ledger);
    ck_assert_msg(std::abs(lending.lent() - 10 * row.lent) < 1e-9, "%s: lent %f", row.name,
                  lending.lent());
    ck_assert_msg(std::abs(lending.lost() - 10 * row.lost) < 1e-9, "%s: lost %f", row.name,
                  lending.lost());
}
END_TEST

START_TEST(who_is_suspended_lends_nothing) {
    View view;
    view.active.emplace(1, job_on(2));
    view.active.at(1).state = JobState::suspended;
    view.steady = 1000;
    Lending lending;
    lending.look(view, Ledger(0));
    view.steady = 2000;
    lending.look(view, Ledger(0));
    ck_assert(lending.lent() == 0 && lending.lost() == 0);
}
END_TEST

START_TEST(labels_do_not_grow_without_bound) {
    using NodeTally = Tally<2>;
    NodeTally tally;
    const std::uint64_t many = 3 * NodeTally::highest;
    for (std::uint64_t node = 0; node < many; ++node)
        tally.count({"n" + std::to_string(node), node % 2 ? "odd" : "even"});
    tally.count({"n0", "even"});
    ck_assert_uint_eq(tally.total(), many + 1);
    ck_assert_uint_eq(tally.counts().size(), NodeTally::highest + 2);
    ck_assert_uint_eq(tally.counts().at({"n0", "even"}), 2);
    ck_assert_uint_eq(tally.counts().at({"other", "odd"}), NodeTally::highest);
}
END_TEST

} // namespace

int main() {
    TCase *tests = tcase_create("lending");
    tcase_add_loop_test(tests, cores_are_lent_and_lost_second_by_second, 0, std::size(cases));
    tcase_add_test(tests, who_is_suspended_lends_nothing);
    tcase_add_test(tests, labels_do_not_grow_without_bound);
    return run("lending", tests);
}
