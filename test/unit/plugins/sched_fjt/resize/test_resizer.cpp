// SPDX-License-Identifier: GPL-2.0-or-later
//
// What nodes are told of a job and when, and what comes of their replies.
#include "plugins/sched_fjt/resize/resizer.hpp"

#include "plugins/sched_fjt/fake_glue.hpp"
#include "plugins/sched_fjt/resize/fake_messenger.hpp"
#include "plugins/sched_fjt/see/look.hpp"
#include "run.hpp"

#include <slurm/slurm_errno.h>

#include <ctime>
#include <iterator>
#include <optional>
#include <unistd.h>

using namespace vmall;
using namespace vmall::sched;
using wire::Outcome;

namespace {

constexpr JobNumber job_id = 1, other_id = 2;
const policy::CoreCounts two_cores = {{{0}, 2}};
const policy::CoreCounts four_cores = {{{0}, 4}};

// Jobs 1 and 2 of four tasks on the first cores of node 0.
class Resizing {
  public:
    Resizing() {
        post = {};
        glue = FakeGlue();
        for (const JobNumber id : {job_id, other_id}) {
            vmall_job &job = glue.active[id] = {};
            job.applicant.spank_environment = asked_;
            job.applicant.spank_environment_count = 1;
            job.id = id;
            job.state = VMALL_JOB_RUNNING;
            job.tasks = 4;
            job.run = 3;
            job.allotment = &here_;
            job.allotment_count = 1;
            for (const char **text : {&job.name, &job.partition, &job.qos, &job.account})
                *text = "";
        }
        config.resize_retry_interval = 3600;
        resizer.configure(config);
    }

    // As it is in Slurm now.
    View view(JobNumber id = job_id) const { return look_at_job(id, {}); }
    LedgerEntry &entry(JobNumber id = job_id) { return *ledger.find(id); }
    const JobTarget &target(JobNumber id = job_id) { return entry(id).target; }

    void fold(JobNumber id = job_id) {
        const View seen = view(id);
        resizer.fold(seen, seen.active.at(id), two_cores);
    }
    bool unfold() { return resizer.unfold(view().active.at(job_id), four_cores); }
    void announce(JobNumber id = job_id) {
        const View seen = view(id);
        resizer.announce(seen, seen.active.at(id));
    }

    // To what was sent last.
    static NodeReply reply(Outcome outcome) {
        return {"n0", true, outcome, post.targets.back().at(0).target.generation, ""};
    }
    static NodeReply silence() { return {"n0", false, Outcome::refused, 0, "no answer in time"}; }
    static void put(const NodeReply &reply) {
        const wire::Target &sent = post.targets.back().at(0).target;
        post.confirmations.push_back({sent.job_id, sent.generation, {reply}});
    }
    void settle(const NodeReply &reply) {
        put(reply);
        resizer.conclude();
    }
    // The nodes have confirmed where the job is.
    void settle() {
        announce();
        settle(reply(Outcome::applied));
    }

    void survey(View seen, policy::Seconds steady) {
        seen.steady = steady;
        resizer.survey(seen);
    }
    void report(const std::vector<NodeReply> &replies) {
        const wire::Target &sent = post.surveys.back().at(0).target;
        post.reports.push_back({sent.job_id, sent.generation, replies});
        resizer.conclude();
    }

    config::Config config;
    Ledger ledger{1000000};
    Counters counters;
    Messenger messenger{"", [] {}};
    Resizer resizer{ledger, messenger, counters};

  private:
    static constexpr const char *asked_[] = {"VMALL_PROCS=4"};
    static constexpr vmall_node_count here_ = {0, 4, 0};
};

START_TEST(a_target_says_of_which_run_it_is) {
    Resizing it;
    it.settle();
    ck_assert(post.targets.back().at(0).target.run == 3u);
    ck_assert(it.target().state() == TargetState::settled);
}
END_TEST

enum class Then { nothing, contradiction, suspended, completing, accounting };

struct FoldCourse {
    const char *name;
    NodeReply (*reply)();
    bool has_step; // that Slurm knows there
    Then then;
    bool is_released;
    TargetState state;
};

NodeReply applied() {
    return Resizing::reply(Outcome::applied);
}
NodeReply unknown_job() {
    return Resizing::reply(Outcome::unknown_job);
}
NodeReply refused() {
    return Resizing::reply(Outcome::refused);
}
NodeReply silence() {
    return Resizing::silence();
}
NodeReply another_generation() {
    NodeReply reply = applied();
    --reply.generation;
    return reply;
}

const FoldCourse folds[] = {
    {"applied", applied, true, Then::nothing, true, TargetState::settled},
    {"no step", unknown_job, false, Then::nothing, true, TargetState::settled},
    {"no step there, says the node", unknown_job, true, Then::nothing, false, TargetState::growing},
    {"another generation", another_generation, true, Then::nothing, false, TargetState::growing},
    {"silence", silence, true, Then::nothing, false, TargetState::growing},
    {"refused", refused, true, Then::nothing, false, TargetState::settled},
    {"not malleable any more", applied, true, Then::contradiction, false, TargetState::growing},
    {"Slurm refuses", applied, true, Then::accounting, false, TargetState::growing},
    {"suspended", silence, true, Then::suspended, false, TargetState::growing},
    // Its nodes may have forgotten it, and would remember the target for its next run.
    {"completing", silence, true, Then::completing, false, TargetState::unsettled},
};

START_TEST(a_fold_comes_to_this) {
    const FoldCourse &row = folds[_i];
    Resizing it;
    it.settle();
    it.fold();
    ck_assert_uint_eq(post.targets.back().at(0).target.cores.size(), 2);
    glue.has_step = row.has_step;
    glue.contradiction = row.then == Then::contradiction ? "says so" : nullptr;
    glue.resize_error = row.then == Then::accounting ? ESLURM_ACCOUNTING_POLICY : 0;
    vmall_job &job = glue.active.at(job_id);
    job.state = row.then == Then::suspended    ? VMALL_JOB_SUSPENDED
                : row.then == Then::completing ? VMALL_JOB_COMPLETING
                                               : VMALL_JOB_RUNNING;
    it.settle(row.reply());
    ck_assert_msg(it.target().state() == row.state, "%s", row.name);
    ck_assert_msg((it.entry().folds == 1) == row.is_released, "%s", row.name);
    const std::size_t asked = row.is_released || row.then == Then::accounting ? 1 : 0;
    ck_assert_msg(glue.limits_of_resizes.size() == asked, "%s", row.name);
    const bool is_announced = row.state == TargetState::growing;
    ck_assert_msg(post.targets.size() == (is_announced ? 3u : 2u), "%s", row.name);
    ck_assert_msg(!is_announced || post.targets.back().at(0).target.cores.size() == 4, "%s",
                  row.name);
}
END_TEST

// What it was told before the fold has not been confirmed either.
START_TEST(a_job_that_was_not_where_it_belongs_is_told_again_after_a_refused_fold) {
    Resizing it;
    it.announce();
    it.settle(refused());
    it.fold();
    it.settle(refused());
    View later = it.view();
    later.steady = it.target().rests_until() - 1;
    it.resizer.retry(later);
    ck_assert_uint_eq(post.targets.size(), 2);
    ++later.steady;
    it.resizer.retry(later);
    ck_assert_uint_eq(post.targets.size(), 3);
}
END_TEST

// Its number is another run's in the middle.
START_TEST(confirmations_of_an_earlier_run_do_nothing) {
    Resizing it;
    it.settle();
    it.fold();
    Resizing::put(applied());
    glue.active.at(job_id).started = 5000;
    it.announce();
    it.resizer.conclude();
    ck_assert_uint_eq(it.entry().folds, 0);
    ck_assert(it.target().state() == TargetState::growing);
    ck_assert(glue.limits_of_resizes.empty());
}
END_TEST

START_TEST(an_unfold_takes_back_the_time_that_a_fold_gave) {
    constexpr std::uint32_t asked = 3600;
    Resizing it;
    vmall_job &job = glue.active.at(job_id);
    job.started = time(nullptr);
    job.time_limit = asked;
    it.fold();
    it.settle(applied());
    static const vmall_node_count folded[] = {{0, 2, 0}};
    job.allotment = folded;
    job.time_limit = glue.limits_of_resizes.at(0);
    ck_assert_uint_gt(job.time_limit, 2 * asked);

    glue.free_cores = {2, 3};
    ck_assert(it.unfold());
    ck_assert_uint_ge(glue.limits_of_resizes.at(1), asked);
    ck_assert_uint_lt(glue.limits_of_resizes.at(1), job.time_limit - asked);
}
END_TEST

START_TEST(nothing_grows_into_a_reservation) {
    Resizing it;
    static const vmall_node_count folded[] = {{0, 2, 0}};
    glue.active.at(job_id).allotment = folded;
    it.settle();
    glue.free_cores = {2, 3};
    glue.withheld_cores = {3};
    ck_assert(!it.unfold());
    ck_assert(glue.limits_of_resizes.empty() && it.target().state() == TargetState::settled);
    ck_assert(it.target().rests(steady_seconds()));
    glue.withheld_cores = {4};
    ck_assert(it.unfold());
}
END_TEST

// By its limit unfolded: an hour, of which nothing is over.
START_TEST(it_grows_into_a_reservation_that_begins_after_its_end) {
    Resizing it;
    static const vmall_node_count folded[] = {{0, 2, 0}};
    vmall_job &job = glue.active.at(job_id);
    job.started = time(nullptr);
    job.time_limit = 3600;
    it.settle();
    job.allotment = folded;
    glue.free_cores = {2, 3};
    glue.withheld_cores = {3};
    glue.withheld_in = 3000;
    ck_assert(!it.unfold());
    glue.withheld_in = 3600;
    ck_assert(it.unfold());
}
END_TEST

// Slurm says that it has cores on a node that it does not show.
void break_job(JobNumber id) {
    glue.active[id].allotment = nullptr;
    glue.active[id].allotment_count = 0;
}

START_TEST(one_confirmation_that_cannot_be_carried_out_drops_no_other) {
    Resizing it;
    for (const JobNumber id : {job_id, other_id}) {
        it.fold(id);
        Resizing::put(applied());
    }
    break_job(job_id);
    const policy::Seconds before = steady_seconds();
    it.resizer.conclude();
    ck_assert_uint_eq(it.counters.folds.total(), 1);
    ck_assert_uint_eq(it.counters.folds.counts().at({"", "short", "room"}), 1);
    ck_assert_uint_eq(it.counters.fold_times.count(), 1);
    ck_assert_uint_eq(it.counters.unfold_times.count(), 0);
    ck_assert(it.target(other_id).state() == TargetState::settled);
    ck_assert(it.target(job_id).state() == TargetState::unsettled);
    ck_assert_int_ge(it.target(job_id).rests_until(), before + 3600);
}
END_TEST

START_TEST(nodes_are_told_whom_to_fold_only_if_he_is_served) {
    Resizing it;
    View view = it.view();
    view.active.at(job_id).by_default = true;
    it.resizer.announce(view, view.active.at(job_id));
    ck_assert(!post.targets.back().at(0).target.only_served);
    it.settle(applied());
    it.resizer.fold(view, view.active.at(job_id), two_cores);
    ck_assert(post.targets.back().at(0).target.only_served);
}
END_TEST

// Ranks that have done so much until then: two seconds of each, of four ranks.
NodeReply with_ranks(std::uint32_t served, int seconds) {
    NodeReply reply = applied();
    const std::uint64_t half = 2'000'000'000ULL * static_cast<std::uint64_t>(seconds);
    reply.ranks = {4, served, half, half, 0, 0, 0};
    return reply;
}

START_TEST(a_survey_tells_the_share_and_moves_nobody) {
    Resizing it;
    it.settle();
    for (const int seconds : {0, 2}) {
        it.survey(it.view(), it.entry().survey_at);
        ck_assert(it.entry().survey.has_value());
        NodeReply dear = with_ranks(4, seconds), cheap = applied();
        dear.ranks->messages = 40'000 * static_cast<std::uint64_t>(seconds);
        dear.hand_over_ns = 50'000;
        cheap.node = "n1";
        cheap.hand_over_ns = 1'000;
        it.report({dear, cheap});
        ck_assert(!it.entry().survey);
        if (seconds == 0)
            sleep(2);
    }
    ck_assert_int_eq(it.entry().useful.unfolded_percent().value(), 50);
    ck_assert_int_eq(it.entry().useful.expected_percent(), 100);
    const std::map<std::string, std::uint32_t> hand_overs{{"n0", 50'000}, {"n1", 1'000}};
    ck_assert(it.ledger.hand_overs_ns() == hand_overs);
    it.survey(it.view(), it.entry().survey_at - 1); // it is not its turn yet
    ck_assert_uint_eq(post.surveys.size(), 2);
    ck_assert(it.target().state() == TargetState::settled);
    ck_assert_uint_eq(post.targets.size(), 1);
}
END_TEST

struct Report {
    const char *name;
    std::vector<NodeReply> replies;
    std::optional<bool> served;
};

START_TEST(a_survey_tells_whether_all_ranks_are_served) {
    Resizing it;
    it.settle();
    const Report reports[] = {
        {"one is silent", {with_ranks(4, 1), Resizing::silence()}, {}},
        {"one has forgotten the job", {with_ranks(4, 1), unknown_job()}, {}},
        {"all", {with_ranks(4, 1), with_ranks(4, 1)}, true},
        {"nobody knows better", {with_ranks(3, 1), Resizing::silence()}, true},
        {"not all", {with_ranks(4, 1), with_ranks(3, 1)}, false},
    };
    for (const Report &row : reports) {
        it.survey(it.view(), it.entry().survey_at);
        it.report(row.replies);
        ck_assert_msg(it.entry().served == row.served, "%s", row.name);
        ck_assert(it.target().state() == TargetState::settled);
        ck_assert(!it.target().is_only_noted() && it.target().rests_until() == 0);
    }
    ck_assert_uint_eq(post.targets.size(), 1);
}
END_TEST

START_TEST(nobody_is_surveyed_while_he_is_resized) {
    Resizing it;
    it.ledger.of(it.view().active.at(job_id));
    it.survey(it.view(), 1000); // it was never told where it belongs
    it.announce();
    it.survey(it.view(), 1000);
    it.settle(applied());
    it.fold();
    it.survey(it.view(), 1000);
    ck_assert(post.surveys.empty() && !it.entry().survey);
}
END_TEST

START_TEST(a_fold_does_not_wait_for_a_survey_which_then_says_nothing) {
    Resizing it;
    it.settle();
    it.survey(it.view(), 1000);
    it.fold();
    it.report({with_ranks(4, 1)});
    ck_assert(!it.entry().served && !it.entry().ranks);
    ck_assert(it.target().state() == TargetState::folding);
    it.settle(applied());
    ck_assert_uint_eq(it.entry().folds, 1);
}
END_TEST

START_TEST(without_an_interval_nobody_is_surveyed) {
    Resizing it;
    it.config.survey_interval = 0;
    it.resizer.configure(it.config);
    it.settle();
    it.survey(it.view(), 1000000);
    ck_assert(post.surveys.empty());
}
END_TEST

} // namespace

int main() {
    TCase *tests = tcase_create("resizer");
    tcase_add_test(tests, a_target_says_of_which_run_it_is);
    tcase_add_loop_test(tests, a_fold_comes_to_this, 0, static_cast<int>(std::size(folds)));
    tcase_add_test(tests, a_job_that_was_not_where_it_belongs_is_told_again_after_a_refused_fold);
    tcase_add_test(tests, confirmations_of_an_earlier_run_do_nothing);
    tcase_add_test(tests, an_unfold_takes_back_the_time_that_a_fold_gave);
    tcase_add_test(tests, nothing_grows_into_a_reservation);
    tcase_add_test(tests, it_grows_into_a_reservation_that_begins_after_its_end);
    tcase_add_test(tests, one_confirmation_that_cannot_be_carried_out_drops_no_other);
    tcase_add_test(tests, nodes_are_told_whom_to_fold_only_if_he_is_served);
    tcase_add_test(tests, a_survey_tells_the_share_and_moves_nobody);
    tcase_add_test(tests, a_survey_tells_whether_all_ranks_are_served);
    tcase_add_test(tests, nobody_is_surveyed_while_he_is_resized);
    tcase_add_test(tests, a_fold_does_not_wait_for_a_survey_which_then_says_nothing);
    tcase_add_test(tests, without_an_interval_nobody_is_surveyed);
    return run("resizer", tests);
}
