// SPDX-License-Identifier: GPL-2.0-or-later
//
// What nodes are told of a job and when, with agents that only answer. Root: agents are.
#include "plugins/sched_fjt/resize/resizer.hpp"

#include "control/agents.hpp"
#include "control/munged.hpp"
#include "plugins/sched_fjt/fake_glue.hpp"
#include "plugins/sched_fjt/see/look.hpp"
#include "run.hpp"

#include <atomic>
#include <condition_variable>
#include <ctime>
#include <iterator>
#include <mutex>
#include <optional>
#include <string>
#include <unistd.h>

using namespace vmall;
using namespace vmall::sched;

namespace {

constexpr JobNumber job_id = 1;

// Job 1 on the four first cores of its node.
class ResizerTest {
  public:
    ResizerTest(const std::string &munge_socket, int port)
        : messenger_(munge_socket, [this] { arrived(); }) {
        static const char *const asked[] = {"VMALL_PROCS=4"};
        vmall_job &job = glue.active[job_id] = {};
        job.applicant.spank_environment = asked;
        job.applicant.spank_environment_count = 1;
        job.id = job_id;
        job.state = VMALL_JOB_RUNNING;
        job.tasks = 4;
        job.run = 3;
        static const vmall_node_count here[] = {{0, 4, 0}};
        job.allotment = here;
        job.allotment_count = 1;
        for (const char **text : {&job.name, &job.partition, &job.qos, &job.account})
            *text = "";
        config::Config config;
        config.agent_port.value = port;
        resizer_.configure(config);
    }
    // As it is in Slurm now.
    View view() const {
        View view = look_at_job(job_id, {});
        view.nodes[0].address = "127.0.0.1";
        return view;
    }
    const JobView &job(const View &view) const { return view.active.at(job_id); }
    Resizer &resizer() { return resizer_; }
    Ledger &ledger() { return ledger_; }
    LedgerEntry &entry() { return *ledger_.find(job_id); }
    // Waits for the answers to one target.
    void settle() {
        std::unique_lock<std::mutex> lock(mutex_);
        condition_.wait(lock, [this] { return arrived_ > 0; });
        --arrived_;
        lock.unlock();
        resizer_.settle();
    }

  private:
    void arrived() {
        const std::lock_guard<std::mutex> guard(mutex_);
        ++arrived_;
        condition_.notify_all();
    }
    std::mutex mutex_;
    std::condition_variable condition_;
    int arrived_ = 0;
    Ledger ledger_{1000000};
    Counters counters_;
    Messenger messenger_;
    Resizer resizer_{ledger_, messenger_, counters_};
};

START_TEST(a_target_says_of_which_run_it_is) {
    const Munged munged;
    std::optional<std::uint32_t> run;
    const Agents agents(munged.socket(), 0, [&](const control::Target &target) {
        run = target.run;
        return control::Seal(munged.socket()).seal(control::encode(applied(target)), getuid());
    });
    ResizerTest test(munged.socket(), agents.port());
    const View view = test.view();
    test.resizer().announce(view, test.job(view));
    test.settle();
    ck_assert(run == 3u);
    ck_assert_uint_eq(test.entry().applied, test.entry().wanted);
}
END_TEST

struct Failure {
    const char *name;
    enum vmall_job_state state;
    bool is_announced;
};

const Failure failures[] = {
    {"running", VMALL_JOB_RUNNING, true},
    {"suspended", VMALL_JOB_SUSPENDED, true},
    {"completing", VMALL_JOB_COMPLETING, false},
};

// Its nodes may have forgotten it, and would remember the target for its next run.
START_TEST(a_job_that_completes_is_told_nothing_after_a_fold_that_failed) {
    const Failure &row = failures[_i];
    ResizerTest test("/nonexistent", 1);
    const View view = test.view();
    test.resizer().fold(view, test.job(view), {{{0}, 2}});
    const control::Generation asked = test.entry().wanted;
    glue.active.at(job_id).state = row.state;
    test.settle();
    ck_assert_msg((test.entry().wanted > asked) == row.is_announced, "%s", row.name);
}
END_TEST

// What it was told before the fold has not been confirmed either.
START_TEST(a_job_that_was_not_where_it_belongs_is_told_again_after_a_refused_fold) {
    const Munged munged;
    const Agents agents(munged.socket(), 0, [&](const control::Target &target) {
        control::Answer answer = applied(target);
        answer.outcome = control::Outcome::refused;
        return control::Seal(munged.socket()).seal(control::encode(answer), getuid());
    });
    ResizerTest test(munged.socket(), agents.port());
    const View view = test.view();
    test.resizer().announce(view, test.job(view));
    test.settle();
    test.resizer().fold(view, test.job(view), {{{0}, 2}});
    const control::Generation asked = test.entry().wanted;
    test.settle();
    View later = test.view();
    later.steady = test.entry().retry_at;
    test.resizer().retry(later);
    ck_assert_uint_gt(test.entry().wanted, asked);
}
END_TEST

START_TEST(an_answer_to_another_target_confirms_nothing) {
    const Munged munged;
    const Agents agents(munged.socket(), 0, [&](const control::Target &target) {
        control::Answer answer = applied(target);
        --answer.generation;
        return control::Seal(munged.socket()).seal(control::encode(answer), getuid());
    });
    ResizerTest test(munged.socket(), agents.port());
    const View view = test.view();
    test.resizer().fold(view, test.job(view), {{{0}, 2}});
    const control::Generation asked = test.entry().wanted;
    test.settle();
    ck_assert_uint_eq(test.entry().folds, 0);
    ck_assert(glue.limits_of_resizes.empty());
    ck_assert_uint_gt(test.entry().wanted, asked);
}
END_TEST

START_TEST(an_unfold_takes_back_the_time_that_a_fold_gave) {
    constexpr std::uint32_t asked = 3600;
    const Munged munged;
    const Agents agents(munged.socket());
    ResizerTest test(munged.socket(), agents.port());
    vmall_job &job = glue.active.at(job_id);
    job.started = time(nullptr);
    job.time_limit = asked;
    View view = test.view();
    test.resizer().fold(view, test.job(view), {{{0}, 2}});
    test.settle();
    static const vmall_node_count folded[] = {{0, 2, 0}};
    job.allotment = folded;
    job.time_limit = glue.limits_of_resizes.at(0);
    ck_assert_uint_gt(job.time_limit, 2 * asked);

    glue.free_cores = {2, 3};
    view = test.view();
    ck_assert(test.resizer().unfold(test.job(view), {{{0}, 4}}));
    ck_assert_uint_ge(glue.limits_of_resizes.at(1), asked);
    ck_assert_uint_lt(glue.limits_of_resizes.at(1), job.time_limit - asked);
}
END_TEST

// Agents whose ranks have done so much since the survey before, in seconds: two of each second, of
// four ranks.
class Surveyed {
  public:
    Surveyed()
        : agents_(munged_.socket(), 0, [this](const auto &target) { return answer(target); }) {}
    int port() const { return agents_.port(); }
    std::string munge_socket() const { return munged_.socket(); }
    std::atomic<int> seconds{0};
    std::atomic<bool> knows_job{true};
    std::atomic<std::uint32_t> served{4}; // of the four
    std::atomic<bool> told_only_served{false};

  private:
    std::string answer(const control::Target &target) {
        control::Answer answer = applied(target);
        told_only_served = target.only_served;
        if (knows_job) {
            const std::uint64_t half = 2'000'000'000ULL * static_cast<std::uint64_t>(seconds);
            answer.ranks = {4, served, half, half, 0, 0, 0};
        } else {
            answer.outcome = control::Outcome::unknown_job;
        }
        return control::Seal(munged_.socket()).seal(control::encode(answer), getuid());
    }
    const Munged munged_;
    const Agents agents_;
};

// The share after two surveys that were so far apart by the agents' clocks.
std::optional<int> share_after(Surveyed &agents, ResizerTest &test, bool knows_job) {
    View view = test.view();
    test.resizer().announce(view, test.job(view));
    test.settle();
    for (const bool first : {true, false}) {
        view.steady = test.entry().survey_at;
        agents.knows_job = knows_job || first;
        test.resizer().survey(view);
        ck_assert(test.entry().surveyed);
        test.settle();
        ck_assert(!test.entry().surveyed);
        agents.seconds += 2;
        sleep(2);
    }
    test.resizer().survey(view);
    ck_assert(!test.entry().surveyed); // it is not its turn yet
    view.steady = test.entry().survey_at;
    test.resizer().survey(view);
    test.settle();
    return test.entry().useful.unfolded_percent();
}

START_TEST(a_survey_tells_the_share_and_moves_nobody) {
    Surveyed agents;
    ResizerTest test(agents.munge_socket(), agents.port());
    ck_assert_int_eq(share_after(agents, test, true).value(), 50);
    ck_assert_uint_eq(test.entry().applied, test.entry().wanted);
    ck_assert(!test.entry().under_way);
}
END_TEST

START_TEST(a_survey_that_a_node_does_not_confirm_changes_nothing) {
    Surveyed agents;
    ResizerTest test(agents.munge_socket(), agents.port());
    ck_assert(!share_after(agents, test, false));
    ck_assert_uint_eq(test.entry().applied, test.entry().wanted);
    ck_assert(!test.entry().under_way && !test.entry().only_noted);
    ck_assert_int_eq(test.entry().retry_at, 0);
}
END_TEST

START_TEST(a_survey_tells_whether_all_ranks_are_served) {
    Surveyed agents;
    ResizerTest test(agents.munge_socket(), agents.port());
    View view = test.view();
    test.resizer().announce(view, test.job(view));
    test.settle();
    ck_assert(!test.entry().served);
    const auto survey = [&](std::uint32_t served, bool knows_job) {
        agents.served = served;
        agents.knows_job = knows_job;
        view.steady = test.entry().survey_at;
        test.resizer().survey(view);
        test.settle();
        return test.entry().served;
    };
    ck_assert(survey(4, true) == true);
    ck_assert(survey(0, false) == true); // nobody knows better
    ck_assert(survey(3, true) == false);
}
END_TEST

START_TEST(nodes_are_told_whom_to_fold_only_if_he_is_served) {
    Surveyed agents;
    ResizerTest test(agents.munge_socket(), agents.port());
    View view = test.view();
    view.active.at(job_id).by_default = true;
    test.resizer().announce(view, test.job(view));
    test.settle();
    ck_assert(!agents.told_only_served);
    test.resizer().fold(view, test.job(view), {{{0}, 2}});
    test.settle();
    ck_assert(agents.told_only_served);
}
END_TEST

START_TEST(nobody_is_surveyed_while_he_is_resized) {
    Surveyed agents;
    ResizerTest test(agents.munge_socket(), agents.port());
    View view = test.view();
    view.steady = 1000;
    test.resizer().survey(view);
    ck_assert(!test.ledger().of(test.job(view)).surveyed); // it was never told where it belongs
    test.resizer().announce(view, test.job(view));
    test.settle();
    test.resizer().fold(view, test.job(view), {{{0}, 2}});
    test.resizer().survey(view);
    ck_assert(!test.entry().surveyed);
    test.settle();
}
END_TEST

START_TEST(a_fold_does_not_wait_for_a_survey) {
    Surveyed agents;
    ResizerTest test(agents.munge_socket(), agents.port());
    View view = test.view();
    test.resizer().announce(view, test.job(view));
    test.settle();
    view.steady = 1000;
    test.resizer().survey(view);
    test.resizer().fold(view, test.job(view), {{{0}, 2}});
    ck_assert(!test.entry().surveyed);
    test.settle();
    test.settle();
    ck_assert_uint_eq(test.entry().folds, 1);
}
END_TEST

START_TEST(without_an_interval_nobody_is_surveyed) {
    Surveyed agents;
    ResizerTest test(agents.munge_socket(), agents.port());
    config::Config config;
    config.survey_interval = 0;
    config.agent_port.value = agents.port();
    test.resizer().configure(config);
    View view = test.view();
    test.resizer().announce(view, test.job(view));
    test.settle();
    view.steady = 1000000;
    test.resizer().survey(view);
    ck_assert(!test.entry().surveyed);
}
END_TEST

} // namespace

int main() {
    constexpr int skipped = 77;
    if (geteuid() != 0)
        return skipped;
    TCase *tests = tcase_create("resizer");
    tcase_add_test(tests, a_target_says_of_which_run_it_is);
    tcase_add_loop_test(tests, a_job_that_completes_is_told_nothing_after_a_fold_that_failed, 0,
                        static_cast<int>(std::size(failures)));
    tcase_add_test(tests, a_job_that_was_not_where_it_belongs_is_told_again_after_a_refused_fold);
    tcase_add_test(tests, an_answer_to_another_target_confirms_nothing);
    tcase_add_test(tests, an_unfold_takes_back_the_time_that_a_fold_gave);
    tcase_add_test(tests, a_survey_tells_the_share_and_moves_nobody);
    tcase_add_test(tests, a_survey_that_a_node_does_not_confirm_changes_nothing);
    tcase_add_test(tests, a_survey_tells_whether_all_ranks_are_served);
    tcase_add_test(tests, nodes_are_told_whom_to_fold_only_if_he_is_served);
    tcase_add_test(tests, nobody_is_surveyed_while_he_is_resized);
    tcase_add_test(tests, a_fold_does_not_wait_for_a_survey);
    tcase_add_test(tests, without_an_interval_nobody_is_surveyed);
    return run("resizer", tests);
}
