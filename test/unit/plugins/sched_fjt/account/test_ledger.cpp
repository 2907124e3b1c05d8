// SPDX-License-Identifier: GPL-2.0-or-later
//
// The ledger: generations, runs of a job, and what survives a restart.
#include "plugins/sched_fjt/account/ledger.hpp"
#include "run.hpp"

#include <cstddef>
#include <map>
#include <string>

using namespace vmall;
using namespace vmall::sched;

namespace {

JobView job_of(JobNumber id, policy::Seconds started) {
    JobView job;
    job.id = id;
    job.started = started;
    return job;
}

START_TEST(generations_rise) {
    Ledger ledger(1000);
    const auto first = ledger.next_generation();
    ck_assert(ledger.next_generation() > first);
}
END_TEST

START_TEST(generations_are_higher_after_a_restart) {
    Ledger before(1000);
    for (int i = 0; i < 100000; ++i)
        before.next_generation();
    Ledger after(1001);
    ck_assert(after.next_generation() > before.next_generation());
}
END_TEST

START_TEST(a_node_that_knows_a_higher_generation_is_outbid) {
    Ledger ledger(1000);
    const wire::Generation known = ledger.next_generation() + 500;
    ledger.outbid(known);
    ck_assert(ledger.next_generation() > known);
    ledger.outbid(1);
    ck_assert(ledger.next_generation() > known);
}
END_TEST

START_TEST(a_damaged_generation_does_not_end_the_counter) {
    Ledger ledger(1000);
    const wire::Generation before = ledger.next_generation();
    ledger.outbid(wire::highest_generation);
    ck_assert_uint_eq(ledger.next_generation(), before + 1);
}
END_TEST

START_TEST(a_requeued_job_starts_anew) {
    Ledger ledger(1000);
    ledger.of(job_of(7, 2000)).backfilled = true;
    ck_assert(ledger.of(job_of(7, 2000)).backfilled);
    ck_assert(!ledger.of(job_of(7, 2100)).backfilled);
}
END_TEST

// sched/backfill takes one that is to run again for one that waits.
START_TEST(a_run_that_completes_is_the_same_when_slurm_forgets_its_start) {
    Ledger ledger(1000);
    ledger.of(job_of(7, 2000)).folds = 3;
    JobView forgotten = job_of(7, 0);
    forgotten.state = JobState::completing;
    ck_assert_uint_eq(ledger.of(forgotten).folds, 3);
    ck_assert_int_eq(ledger.of(forgotten).started, 2000);
    ck_assert_uint_eq(ledger.of(job_of(7, 2100)).folds, 0);
}
END_TEST

START_TEST(a_job_whose_nodes_boot_is_the_same_when_its_start_is_set_anew) {
    Ledger ledger(1000);
    JobView job = job_of(7, 2000);
    job.nodes_booting = true;
    ledger.of(job).backfilled = true;
    ledger.of(job).window_end = 2400;
    Ledger restarted(2050);
    restarted.restore(ledger.saved());
    const LedgerEntry entry = restarted.of(job_of(7, 2100));
    ck_assert(entry.backfilled && entry.window_end == 2400);
    ck_assert_int_eq(entry.started, 2100);
    ck_assert(!restarted.of(job_of(7, 2200)).backfilled); // requeued
}
END_TEST

START_TEST(what_folding_costs_here_is_known_after_a_restart) {
    constexpr std::uint64_t second = 1'000'000'000;
    constexpr policy::Seconds month = 30 * 24 * 3600;
    Ledger ledger(1000);
    View view;
    view.now = 2120;
    for (JobNumber id = 1; id <= 31; ++id) {
        JobView job = job_of(id, 2000);
        job.virtually_malleable = true;
        job.state = JobState::running;
        job.tasks = 2;
        job.allotment = {{{0}, 1}};
        ledger.of(job);
        view.active[id] = job;
        const Held alone{1, 1, 1, 1, 0}, folded{1, 1, 1, 2, 0};
        ledger.note_ranks(id, {1, 1, 0, 0, 0, 0, 0}, 0, alone);
        ledger.note_ranks(id, {1, 1, 60 * second, 0, 0, 6000, 0}, 60, alone);
        ledger.note_ranks(id, {1, 1, 60 * second, 0, 0, 6000, 0}, 60, folded);
        ledger.note_ranks(id, {1, 1, 90 * second, 30 * second, 0, 8000, 0}, 120, folded);
    }
    ledger.learn(view);
    ck_assert_int_eq(ledger.folding_cost(), 150);
    Ledger restarted(3000);
    restarted.restore(ledger.saved());
    ck_assert_int_eq(restarted.folding_cost(), 150);
    View nobody_runs;
    nobody_runs.now = view.now + month;
    restarted.learn(nobody_runs);
    ck_assert_int_eq(restarted.folding_cost(), 150);
    ++nobody_runs.now;
    restarted.learn(nobody_runs);
    ck_assert_int_eq(restarted.folding_cost(), policy::usual_folding_cost);
    view.now += month;
    ledger.learn(view); // they are folded still
    ck_assert_int_eq(ledger.folding_cost(), 150);
    for (auto &[id, job] : view.active)
        job.allotment = {{{0}, 2}};
    view.now += month + 1;
    ledger.learn(view);
    ck_assert_int_eq(ledger.folding_cost(), policy::usual_folding_cost);
}
END_TEST

START_TEST(a_job_loses_time_from_its_start_if_it_is_started_folded) {
    Ledger ledger(1000);
    JobView job = job_of(7, 2000);
    job.virtually_malleable = true;
    job.tasks = 8;
    job.allotment = {{{0}, 2}, {{1}, 2}};
    ck_assert_int_eq(ledger.of(job).lost.until(220), 120'000);
    job.allotment = {{{0}, 4}, {{1}, 4}}; // it has grown; that is for others to note
    ck_assert_int_eq(ledger.of(job).lost.until(220), 120'000);
}
END_TEST

START_TEST(lost_time_adds_up) {
    LostTime lost;
    ck_assert_int_eq(lost.until(5000), 0);
    lost.change(1000, 2);
    ck_assert_int_eq(lost.until(1000), 0);
    ck_assert_int_eq(lost.until(1220), 120'000);
    lost.change(1220, 1);
    ck_assert_int_eq(lost.until(2000), 120'000);
    lost.change(2000, 4);
    ck_assert_int_eq(lost.until(1990), 120'000); // the clock was set back
    ck_assert_int_eq(lost.until(2044), 154'000);
    ck_assert_int_eq(lost.folded_until(1990), 220);
    ck_assert_int_eq(lost.folded_until(2044), 220 + 44);
    lost.change(1990, 2); // the clock was set back
    ck_assert_int_eq(lost.until(2000), 120'000);
    ck_assert_int_eq(lost.folded_until(2000), 220);
    ck_assert_int_eq(lost.until(2220), 240'000);
}
END_TEST

START_TEST(the_next_run_has_the_limit_that_was_asked_for) {
    for (const bool is_seen_between : {false, true}) {
        Ledger ledger(1000);
        WorkLimit &limit = ledger.of(job_of(7, 2000)).limit;
        limit.see(60, {});
        limit.extend({220, 120'000, 4});
        if (is_seen_between)
            ledger.keep_only({});
        ck_assert(!ledger.of(job_of(7, 2100)).limit.is_known());
        ck_assert_int_eq(ledger.extended().at(7).asked(), 60);
    }
}
END_TEST

START_TEST(ended_jobs_are_forgotten) {
    Ledger ledger(1000);
    ledger.of(job_of(7, 2000));
    ledger.of(job_of(8, 2000));
    const auto dropped = ledger.keep_only({{8, job_of(8, 2000)}});
    ck_assert(dropped.size() == 1 && dropped.count(7));
    ck_assert_ptr_null(ledger.find(7));
    ck_assert_ptr_nonnull(ledger.find(8));
}
END_TEST

START_TEST(a_hundred_thousand_jobs_leave_nothing) {
    constexpr JobNumber count = 100'000, at_once = 1000;
    Ledger ledger(1000);
    const std::string before = ledger.saved();
    for (JobNumber first = 1; first <= count; first += at_once) {
        std::map<JobNumber, JobView> active;
        for (JobNumber id = first; id < first + at_once; ++id) {
            LedgerEntry &entry = ledger.of(active.emplace(id, job_of(id, id)).first->second);
            entry.target.on(TargetEvent::due);
            entry.target.on(TargetEvent::confirmed);
            ++entry.folds;
        }
        const std::size_t left = ledger.keep_only(active).size();
        ck_assert_uint_eq(left, first == 1 ? 0 : at_once);
    }
    ck_assert_uint_eq(ledger.keep_only({}).size(), at_once);
    ck_assert(ledger.extended().empty() && ledger.take_happenings().empty());
    ck_assert_text(ledger.saved(), before);
}
END_TEST

START_TEST(a_run_that_is_left_alone_is_not_virtually_malleable) {
    Ledger ledger(1000);
    ledger.of(job_of(7, 2000)).left_alone = true;
    ledger.of(job_of(8, 2000));
    View view;
    for (const JobView &job : {job_of(7, 2000), job_of(8, 2000), job_of(9, 2000)})
        (view.active[job.id] = job).virtually_malleable = true;
    ledger.mark(view);
    ck_assert(!view.active[7].virtually_malleable);
    ck_assert(view.active[8].virtually_malleable && view.active[9].virtually_malleable);
    view.active[7] = job_of(7, 2100); // requeued
    view.active[7].virtually_malleable = true;
    ledger.mark(view);
    ck_assert(view.active[7].virtually_malleable);
}
END_TEST

START_TEST(a_run_that_is_left_alone_grows_back_first) {
    Ledger ledger(1000);
    LedgerEntry &entry = ledger.of(job_of(7, 2000));
    entry.left_alone = true;
    entry.lost.change(0, 4);
    const auto counts = [&] {
        View view;
        (view.active[7] = job_of(7, 2000)).virtually_malleable = true;
        ledger.mark(view);
        return view.active[7].virtually_malleable;
    };
    ck_assert(counts());
    entry.lost.change(100, 2);
    ck_assert(counts());
    entry.lost.change(200, 1);
    ck_assert(!counts());
}
END_TEST

START_TEST(the_saved_part_comes_back) {
    Ledger before(1000);
    LedgerEntry &entry = before.of(job_of(7, 2000));
    entry.backfilled = true;
    entry.window_end = 2500;
    entry.folds = 3;
    entry.unfolds = 2;
    entry.resized_at = 2400;
    entry.resize_loss = {700, 2'400'000};
    entry.left_alone = true;
    entry.lost.change(0, 2);
    entry.lost.change(220, 4);
    entry.limit.see(60, {});
    entry.limit.extend({220, 120'000, 4});
    entry.steps[3].limit.see(10, {});
    entry.steps[3].lost_before = 50;
    entry.holding = {2300, 4, 567};
    entry.target.on(TargetEvent::due);
    before.of(job_of(9, 2001));

    Ledger after(3000);
    after.restore(before.saved());
    const LedgerEntry *restored = after.find(7);
    ck_assert_ptr_nonnull(restored);
    ck_assert(restored->backfilled);
    ck_assert_int_eq(restored->started, 2000);
    ck_assert_int_eq(restored->window_end.value_or(0), 2500);
    ck_assert_uint_eq(restored->folds, 3);
    ck_assert_uint_eq(restored->unfolds, 2);
    ck_assert(restored->left_alone && !after.find(9)->left_alone);
    ck_assert_int_eq(restored->resized_at.value_or(0), 2400);
    ck_assert_int_eq(restored->resize_loss.owed, 700);
    ck_assert_int_eq(restored->resize_loss.since, 2'400'000);
    ck_assert_int_eq(restored->lost.until(264), 154'000);
    ck_assert_int_eq(restored->lost.mpl(), 4);
    ck_assert_int_eq(restored->lost.folded_until(264), 264);
    ck_assert_int_eq(restored->limit.asked(), 60);
    ck_assert_int_eq(restored->limit.granted(), entry.limit.granted());
    ck_assert_int_eq(restored->limit.work(), 3600);
    ck_assert_int_eq(restored->steps.at(3).limit.granted(), 10);
    ck_assert_int_eq(restored->steps.at(3).lost_before, 50);
    ck_assert_uint_eq(restored->holding.core_seconds(2310), 567 + 40);
    ck_assert(restored->target.state() == TargetState::untold);
    ck_assert(!after.find(9)->window_end && !after.find(9)->resized_at);
    ck_assert_int_eq(after.find(9)->resize_loss.owed, 0);
}
END_TEST

START_TEST(the_limit_of_a_run_that_is_over_is_owed) {
    Ledger ledger(1000);
    for (const JobNumber id : {7u, 8u, 9u})
        ledger.of(job_of(id, 2000)).limit.see(60, {});
    for (const JobNumber id : {7u, 8u})
        ledger.of(job_of(id, 2000)).limit.extend({0, 0, 4});
    ledger.keep_only({{8, job_of(8, 2000)}});
    Ledger after(3000);
    after.restore(ledger.saved());
    ck_assert_uint_eq(after.extended().size(), 1);
    ck_assert_int_eq(after.extended().at(7).asked(), 60);
    ck_assert_int_eq(after.extended().at(7).granted(), 264);
}
END_TEST

// A state with one job, whose number and folds these are.
std::string state_with(const std::string &job, const std::string &folds) {
    return "{\"version\": 1, \"jobs\": {\"" + job + "\": {\"started\": 1, \"backfilled\": false, " +
           "\"unfolds\": 0, \"folds\": " + folds + "}}}";
}

START_TEST(numbers_are_taken_as_they_are) {
    Ledger ledger(1000);
    ledger.restore(state_with("4294967293", "18446744073709551615"));
    ck_assert_uint_eq(ledger.find(4294967293)->folds, 18446744073709551615u);
}
END_TEST

const std::vector<std::string> torn = {
    "",
    "{",
    "[]",
    "{\"version\": 2, \"jobs\": {}}",
    "{\"version\": 1}",
    "{\"version\": 1, \"jobs\": {\"x\": {}}}",
    "{\"version\": 1, \"jobs\": {\"7\": {\"started\": \"soon\"}}}",
    "{\"version\": 1, \"jobs\": {}, \"extended\": {\"7\": {\"asked\": 60}}}",
    state_with("7", "1e300"),
    state_with("7", "0.5"),
    state_with("7", "-1"),
    state_with("7", "18446744073709551616"),
    state_with("-7", "1"),
    state_with("7x", "1"),
    state_with("4294967296", "1")};

START_TEST(a_torn_state_changes_nothing) {
    Ledger ledger(1000);
    ledger.of(job_of(7, 2000)).folds = 5;
    ck_assert(refusal<std::exception>([&] { ledger.restore(torn[_i]); }) != "(accepted)");
    ck_assert_uint_eq(ledger.find(7)->folds, 5);
}
END_TEST

} // namespace

int main() {
    TCase *tests = tcase_create("ledger");
    tcase_add_test(tests, generations_rise);
    tcase_add_test(tests, generations_are_higher_after_a_restart);
    tcase_add_test(tests, a_node_that_knows_a_higher_generation_is_outbid);
    tcase_add_test(tests, a_damaged_generation_does_not_end_the_counter);
    tcase_add_test(tests, a_requeued_job_starts_anew);
    tcase_add_test(tests, a_run_that_completes_is_the_same_when_slurm_forgets_its_start);
    tcase_add_test(tests, a_job_whose_nodes_boot_is_the_same_when_its_start_is_set_anew);
    tcase_add_test(tests, what_folding_costs_here_is_known_after_a_restart);
    tcase_add_test(tests, a_job_loses_time_from_its_start_if_it_is_started_folded);
    tcase_add_test(tests, lost_time_adds_up);
    tcase_add_test(tests, the_next_run_has_the_limit_that_was_asked_for);
    tcase_add_test(tests, the_limit_of_a_run_that_is_over_is_owed);
    tcase_add_test(tests, ended_jobs_are_forgotten);
    tcase_add_test(tests, a_hundred_thousand_jobs_leave_nothing);
    tcase_add_test(tests, a_run_that_is_left_alone_is_not_virtually_malleable);
    tcase_add_test(tests, a_run_that_is_left_alone_grows_back_first);
    tcase_add_test(tests, the_saved_part_comes_back);
    tcase_add_test(tests, numbers_are_taken_as_they_are);
    tcase_add_loop_test(tests, a_torn_state_changes_nothing, 0, static_cast<int>(torn.size()));
    return run("ledger", tests);
}
