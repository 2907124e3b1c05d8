// SPDX-License-Identifier: GPL-2.0-or-later
//
// Resizes that fail on our side: what becomes of them, and of the others. Root: agents are.
#include "plugins/sched_fjt/resize/resizer.hpp"

#include "control/agents.hpp"
#include "control/munged.hpp"
#include "plugins/sched_fjt/fake_glue.hpp"
#include "run.hpp"

#include <condition_variable>
#include <mutex>
#include <unistd.h>

using namespace vmall;
using namespace vmall::sched;

namespace {

constexpr JobNumber broken = 1, sound = 2;
const policy::CoreCounts two_cores = {{{0}, 2}};

// Two jobs of four tasks on four cores each of node 0, and its agent, which does as it is told.
class Resizing {
  public:
    Resizing() {
        config_.agent_port = {false, agents_.port()};
        config_.agent_timeout_ms = 3600 * 1000;
        config_.resize_retry_interval = 3600;
        resizer.configure(config_);
        NodeView &node = view_.nodes[0];
        node.name = "n0";
        node.address = "127.0.0.1";
        node.cores_per_socket = 8;
        for (const JobNumber id : {broken, sound}) {
            vmall_job &job = glue.active[id] = {};
            job.id = id;
            job.state = VMALL_JOB_RUNNING;
            job.name = job.partition = job.qos = job.account = "";
            job.tasks = 4;
            job.applicant.spank_environment = asked_;
            job.applicant.spank_environment_count = 1;
            job.allotment = &here_;
            job.allotment_count = 1;
            JobView &seen = view_.active[id];
            seen.id = id;
            seen.virtually_malleable = true;
            seen.tasks = 4;
            seen.cores[0] = {0, 1, 2, 3};
        }
    }

    void fold(JobNumber id) { resizer.fold(view_, view_.active.at(id), two_cores); }

    void wait_answers(int count) {
        std::unique_lock<std::mutex> guard(mutex_);
        condition_.wait(guard, [&] { return answers_ == count; });
    }

    // Slurm says that the job has cores on a node that it does not show.
    void break_one() {
        glue.active[broken].allotment = nullptr;
        glue.active[broken].allotment_count = 0;
    }

    Ledger ledger{1000};
    Counters counters;

  private:
    void arrived() {
        const std::lock_guard<std::mutex> guard(mutex_);
        ++answers_;
        condition_.notify_all();
    }

    static constexpr const char *asked_[] = {"SPANK_VMALL_CLASS=short"};
    static constexpr vmall_node_count here_ = {0, 4, 0};
    std::mutex mutex_;
    std::condition_variable condition_;
    int answers_ = 0;
    const Munged munged_;
    const Agents agents_{munged_.socket()};
    Messenger messenger_{munged_.socket(), [this] { arrived(); }};
    config::Config config_;
    View view_;

  public:
    Resizer resizer{ledger, messenger_, counters};
};

START_TEST(one_confirmation_that_cannot_be_carried_out_drops_no_other) {
    Resizing it;
    it.fold(broken);
    it.fold(sound);
    it.break_one();
    it.wait_answers(2);
    it.resizer.settle();
    ck_assert_uint_eq(it.counters.folds.total(), 1);
    ck_assert_uint_eq(it.counters.folds.counts().at({"", "short", "room"}), 1);
    ck_assert_uint_eq(it.counters.fold_times.count(), 1);
    ck_assert_uint_eq(it.counters.unfold_times.count(), 0);
    ck_assert(!it.ledger.find(sound)->fold_to);
    ck_assert_uint_eq(it.ledger.find(sound)->applied, it.ledger.find(sound)->wanted);
}
END_TEST

START_TEST(job_of_that_confirmation_is_told_again_what_it_has_after_a_while) {
    Resizing it;
    it.fold(broken);
    it.break_one();
    it.wait_answers(1);
    const policy::Seconds before = steady_seconds();
    it.resizer.settle();
    const LedgerEntry &entry = *it.ledger.find(broken);
    ck_assert(!entry.fold_to && !entry.under_way);
    ck_assert(entry.applied != entry.wanted);
    ck_assert_int_ge(entry.retry_at, before + 3600);
}
END_TEST

} // namespace

int main() {
    if (geteuid() != 0)
        return 77; // skipped
    TCase *tests = tcase_create("retries");
    tcase_add_test(tests, one_confirmation_that_cannot_be_carried_out_drops_no_other);
    tcase_add_test(tests, job_of_that_confirmation_is_told_again_what_it_has_after_a_while);
    return run("retries", tests);
}
