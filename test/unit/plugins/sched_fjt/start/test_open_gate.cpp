// SPDX-License-Identifier: GPL-2.0-or-later
//
// What select/cons_tres_vmall is told around a start of ours.
#include "plugins/sched_fjt/start/open_gate.hpp"

#include "plugins/sched_fjt/stage.hpp"
#include "run.hpp"
#include "slurmglue/select_decorator.h"

#include <string>
#include <thread>
#include <vector>

namespace {

using namespace vmall;
using namespace vmall::sched;

std::vector<std::string> told; // to the gate, in this order

void note_open(bool open) noexcept {
    told.push_back(open ? "open" : "close");
}

void note_company(std::optional<vmall_company> company) noexcept {
    told.push_back("lend to " + (company ? std::to_string(*company) : "nobody"));
}

void note_limits(std::vector<vmall_core_limit> limits) noexcept {
    std::string text = "limit";
    for (const vmall_core_limit &limit : limits)
        text += ' ' + std::to_string(limit.node) + ':' + std::to_string(limit.cores);
    told.push_back(text);
}

constexpr select::Gate noting_gate = {
    no_gate.build,       no_gate.attach, note_open,   no_gate.go_by,    no_gate.without_machine,
    no_gate.close_nodes, note_company,   note_limits, no_gate.last_read};

void start(bool whole_nodes) {
    told.clear();
    Stage stage(1);
    stage.view.queue[0].whole_nodes = whole_nodes;
    stage.view.rules.lend_whole_nodes = config::LendWholeNodes::user;
    const OpenGate gate(noting_gate, stage.view, stage.view.queue[0]);
    told.push_back("start");
}

START_TEST(job_on_whole_nodes_lends_to_its_company_while_it_is_started) {
    start(true);
    const std::string company = "lend to " + std::to_string(VMALL_SAME_USER);
    ck_assert(told ==
              (std::vector<std::string>{company, "open", "start", "close", "lend to nobody"}));
}
END_TEST

START_TEST(job_that_shares_its_nodes_lends_none) {
    start(false);
    ck_assert(told == (std::vector<std::string>{"lend to nobody", "open", "start", "close",
                                                "lend to nobody"}));
}
END_TEST

bool lends_to(vmall_company company) {
    vmall_company found = VMALL_NO_COMPANY;
    return vmall_select_hooks.lends_whole_nodes(&found) && found == company;
}

bool lends() {
    vmall_company found = VMALL_NO_COMPANY;
    return vmall_select_hooks.lends_whole_nodes(&found);
}

START_TEST(only_for_the_thread_that_starts_it_does_it_lend) {
    select::gate.lend_to(VMALL_SAME_ACCOUNT);
    ck_assert(lends_to(VMALL_SAME_ACCOUNT));
    std::thread([] { ck_assert(!lends()); }).join();
    select::gate.lend_to(std::nullopt);
    ck_assert(!lends());
}
END_TEST

START_TEST(a_start_that_is_spread_unequally_goes_just_where_it_is_counted_on) {
    policy::Start start;
    start.nodes = 2;
    start.counted_on = {{{1}, 2}, {{3}, 1}};
    start.unfolded = {{{1}, 4}, {{3}, 2}};
    told.clear();
    { const CoreLimits limits(noting_gate, start); }
    ck_assert(told == (std::vector<std::string>{"limit 1:2 3:1", "limit"}));
}
END_TEST

START_TEST(any_other_start_has_whichever_cores_slurm_chooses) {
    policy::Start start;
    start.nodes = 2;
    start.cores_per_node = 2;
    start.counted_on = start.unfolded = {{{1}, 2}, {{3}, 2}};
    told.clear();
    { const CoreLimits limits(noting_gate, start); }
    ck_assert(told == (std::vector<std::string>{"limit", "limit"}));
}
END_TEST

std::uint32_t limited_nodes() {
    std::uint32_t count = 0;
    vmall_select_hooks.core_limits(&count);
    return count;
}

START_TEST(only_for_the_thread_that_starts_it_are_cores_limited) {
    select::gate.limit_cores({{1, 2}});
    ck_assert_uint_eq(limited_nodes(), 1);
    std::thread([] { ck_assert_uint_eq(limited_nodes(), 0); }).join();
    select::gate.limit_cores({});
    ck_assert_uint_eq(limited_nodes(), 0);
}
END_TEST

} // namespace

int main() {
    TCase *tests = tcase_create("open gate");
    tcase_add_test(tests, job_on_whole_nodes_lends_to_its_company_while_it_is_started);
    tcase_add_test(tests, job_that_shares_its_nodes_lends_none);
    tcase_add_test(tests, only_for_the_thread_that_starts_it_does_it_lend);
    tcase_add_test(tests, a_start_that_is_spread_unequally_goes_just_where_it_is_counted_on);
    tcase_add_test(tests, any_other_start_has_whichever_cores_slurm_chooses);
    tcase_add_test(tests, only_for_the_thread_that_starts_it_are_cores_limited);
    return run("open_gate", {tests});
}
