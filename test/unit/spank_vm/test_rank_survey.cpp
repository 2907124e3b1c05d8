// SPDX-License-Identifier: GPL-2.0-or-later
//
// Who of a job is attached, with real processes and with runtime pages that a hostile job wrote.
#include "layout/runtime_page.h"
#include "process_tree.hpp"
#include "run.hpp"
#include "spank_vm/agent/rank_survey.hpp"
#include "spank_vm/node/runtime_segment.hpp"

#include <slurm/slurm.h>

#include <csignal>
#include <cstring>
#include <limits>
#include <memory>
#include <sys/ipc.h>
#include <sys/prctl.h>
#include <sys/shm.h>
#include <unistd.h>

using namespace vmall::agent;
using vmall::wire::RankReport;

namespace {

constexpr std::uint32_t step_id = 3;
constexpr auto highest = std::numeric_limits<std::uint64_t>::max();

std::unique_ptr<vmall_runtime_page> formatted_page() {
    auto page = std::make_unique<vmall_runtime_page>();
    page->magic = VMALL_RUNTIME_MAGIC;
    page->version = VMALL_RUNTIME_VERSION;
    page->size = sizeof *page;
    return page;
}

// As they are read from where the ranks write them.
RankPage read_back(const vmall_runtime_page &page) {
    const vmall::spank_vm::RuntimeSegment segment(geteuid());
    void *memory = shmat(shmget(static_cast<key_t>(segment.key()), 0, 0), nullptr, 0);
    ck_assert(memory != reinterpret_cast<void *>(-1));
    std::memcpy(memory, &page, sizeof page);
    shmdt(memory);
    return read_rank_page(segment.key());
}

RankSlot slot_of(const Process &process) {
    return {process.pid, static_cast<std::uint32_t>(process.start_time), 10, 0, 2, 5};
}

Step step_of(const ProcessTree &tree, std::uint32_t id = step_id) {
    return {id, find_process(tree.stepd()).value()};
}

std::vector<FamilyMember> members(const ProcessTree &tree, std::size_t count) {
    for (;;) {
        auto found = ProcessTable::look().family({find_process(tree.stepd()).value()});
        if (found.size() == count)
            return found;
        usleep(1000);
    }
}

RankReport survey(const std::vector<Step> &steps, const std::vector<RankSlot> &slots) {
    return survey_ranks(steps, {slots, VMALL_ENGINE_UCX}, ProcessTable::look());
}

void expect_report(const RankReport &report, std::uint32_t attached, std::uint32_t tasks) {
    ck_assert_uint_eq(report.attached, attached);
    ck_assert_uint_eq(report.tasks, tasks);
    ck_assert((report.useful_ns > 0) == (attached > 0)); // awake, and not waiting
    ck_assert(attached > 0 ? report.waiting_ns >= 10 * attached : report.waiting_ns == 0);
    ck_assert_uint_eq(report.switches, 2 * attached);
    ck_assert_uint_eq(report.messages, 5 * attached);
    ck_assert_uint_eq(report.engines, VMALL_ENGINE_UCX);
}

START_TEST(what_ranks_wrote_is_read) {
    const auto page = formatted_page();
    vmall_runtime_slot &slot = page->slots[VMALL_RUNTIME_SLOTS - 1];
    slot.owner = std::uint64_t{77} << 32 | 0xfedcba98u;
    slot.waiting_ns = 2;
    slot.asleep_ns = 1;
    slot.switches = 3;
    slot.sent = 4;
    page->engines = VMALL_ENGINE_GENERIC;
    const auto [slots, engines] = read_back(*page);
    ck_assert_uint_eq(slots.size(), 1);
    ck_assert_int_eq(slots[0].pid, 77);
    ck_assert_uint_eq(slots[0].start_time, 0xfedcba98u);
    ck_assert_uint_eq(slots[0].waiting_ns, 2);
    ck_assert_uint_eq(slots[0].asleep_ns, 1);
    ck_assert_uint_eq(slots[0].switches, 3);
    ck_assert_uint_eq(slots[0].messages, 4);
    ck_assert_uint_eq(engines, VMALL_ENGINE_GENERIC);
}
END_TEST

START_TEST(what_is_no_page_has_no_slots) {
    const auto with = [](std::uint32_t vmall_runtime_page::*field, std::uint32_t value) {
        const auto page = formatted_page();
        page->slots[0].owner = highest;
        (*page).*field = value;
        return read_back(*page).slots.size();
    };
    ck_assert_uint_eq(with(&vmall_runtime_page::membership, 0), 1);
    ck_assert_uint_eq(with(&vmall_runtime_page::magic, 0), 0); // not formatted yet
    ck_assert_uint_eq(with(&vmall_runtime_page::magic, 1), 0);
    ck_assert_uint_eq(with(&vmall_runtime_page::version, 99), 0);
    ck_assert_uint_eq(with(&vmall_runtime_page::size, 8), 0);
}
END_TEST

START_TEST(without_a_page_there_are_no_slots) {
    ck_assert(read_rank_page(0).slots.empty()); // none was made
    ck_assert(
        read_rank_page(vmall::spank_vm::RuntimeSegment(geteuid()).key()).slots.empty()); // removed
}
END_TEST

START_TEST(tasks_with_a_slot_are_attached) {
    const ProcessTree tree(3, 1);
    const auto tasks = members(tree, 3);
    expect_report(survey({step_of(tree)}, {}), 0, 3);
    expect_report(survey({step_of(tree)}, {slot_of(tasks[0].process), slot_of(tasks[2].process)}),
                  2, 3);
}
END_TEST

START_TEST(slots_of_anybody_else_do_not_count) {
    const ProcessTree tree(2, 0), other(1, 0);
    const Process task = members(tree, 2)[0].process;
    RankSlot reused = slot_of(task);
    ++reused.start_time;
    const std::vector<RankSlot> slots = {
        reused,
        slot_of(find_process(getpid()).value()),
        slot_of(find_process(tree.stepd()).value()),
        slot_of(members(other, 1)[0].process),
        {-1, 0, highest, highest, highest, highest},
        {0, 0, highest, highest, highest, highest},
        slot_of(task),
        slot_of(task),
    };
    expect_report(survey({step_of(tree)}, slots), 1, 2);
}
END_TEST

START_TEST(counters_do_not_wrap_around) {
    const ProcessTree tree(2, 0);
    std::vector<RankSlot> slots;
    for (const FamilyMember &member : members(tree, 2))
        slots.push_back({member.process.pid, slot_of(member.process).start_time, highest, highest,
                         highest, highest});
    const RankReport report = survey({step_of(tree)}, slots);
    ck_assert_uint_eq(report.attached, 2);
    ck_assert_uint_eq(report.switches, highest);
    ck_assert_uint_eq(report.messages, highest);
}
END_TEST

START_TEST(nobody_has_waited_for_longer_than_he_lived) {
    constexpr std::uint64_t minute = 60'000'000'000;
    const ProcessTree tree(1, 0);
    RankSlot slot = slot_of(members(tree, 1)[0].process);
    slot.waiting_ns = highest;
    const RankReport report = survey({step_of(tree)}, {slot});
    ck_assert_uint_eq(report.useful_ns, 0);
    ck_assert_uint_lt(report.waiting_ns, minute);
}
END_TEST

START_TEST(who_is_yet_to_start_has_no_age) {
    const Process late{1, highest / 2};
    ck_assert_uint_eq(age_ns(late), 0);
    ck_assert_uint_gt(age_ns(find_process(getpid()).value()), 0);
}
END_TEST

START_TEST(a_batch_script_is_no_rank) {
    const ProcessTree tree(1, 0);
    expect_report(survey({step_of(tree, SLURM_BATCH_SCRIPT)}, {}), 0, 0);
}
END_TEST

START_TEST(steps_are_added_up) {
    const ProcessTree script(1, 0), first(2, 0), second(3, 1);
    const std::vector<RankSlot> slots = {slot_of(members(first, 2)[1].process),
                                         slot_of(members(second, 3)[0].process)};
    expect_report(
        survey({step_of(script, SLURM_BATCH_SCRIPT), step_of(first, 0), step_of(second, 1)}, slots),
        2, 5);
}
END_TEST

START_TEST(a_step_that_has_ended_has_no_ranks) {
    const ProcessTree tree(1, 0);
    Step ended = step_of(tree);
    ++ended.stepd.start_time;
    expect_report(survey({ended}, {}), 0, 0);
}
END_TEST

constexpr char rank_name[] = "a) 1 2 (b"; // must not confuse who reads it

// As `mpiexec` in a script, or `srun hydra_pmi_proxy`.
void launch_two() {
    prctl(PR_SET_NAME, "hydra_pmi_proxy");
    for (int i = 0; i < 2; ++i)
        if (fork() == 0) {
            prctl(PR_SET_PDEATHSIG, SIGKILL);
            prctl(PR_SET_NAME, rank_name);
            for (;;)
                pause();
        }
}

START_TEST(what_an_mpi_launcher_starts_are_ranks) {
    const ProcessTree tree(1, 0, launch_two);
    std::vector<FamilyMember> all;
    do // until then they are called as the launcher
        all = members(tree, 3);
    while (all[1].name != rank_name || all[2].name != rank_name);
    const Process rank = all[2].process;
    for (const std::uint32_t step : {step_id, std::uint32_t{SLURM_BATCH_SCRIPT}}) {
        expect_report(survey({step_of(tree, step)}, {}), 0, 2);
        expect_report(survey({step_of(tree, step)}, {slot_of(rank)}), 1, 2);
    }
}
END_TEST

} // namespace

int main() {
    TCase *tests = tcase_create("rank survey");
    tcase_add_test(tests, what_ranks_wrote_is_read);
    tcase_add_test(tests, what_is_no_page_has_no_slots);
    tcase_add_test(tests, without_a_page_there_are_no_slots);
    tcase_add_test(tests, tasks_with_a_slot_are_attached);
    tcase_add_test(tests, slots_of_anybody_else_do_not_count);
    tcase_add_test(tests, counters_do_not_wrap_around);
    tcase_add_test(tests, nobody_has_waited_for_longer_than_he_lived);
    tcase_add_test(tests, who_is_yet_to_start_has_no_age);
    tcase_add_test(tests, a_batch_script_is_no_rank);
    tcase_add_test(tests, steps_are_added_up);
    tcase_add_test(tests, a_step_that_has_ended_has_no_ranks);
    tcase_add_test(tests, what_an_mpi_launcher_starts_are_ranks);
    return run("rank_survey", tests);
}
