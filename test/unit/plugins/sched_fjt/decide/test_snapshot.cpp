// SPDX-License-Identifier: GPL-2.0-or-later
//
// What a policy is shown of slurmctld's jobs.
#include "plugins/sched_fjt/decide/snapshot.hpp"

#include "plugins/sched_fjt/decide/fold_bound.hpp"
#include "plugins/sched_fjt/see/standing.hpp"
#include "policy/cost/work.hpp"
#include "run.hpp"

using namespace vmall;
using namespace vmall::sched;
using policy::JobClass;

namespace {

// Two nodes of four cores; node 1 is missing in Slurm's table, as after a node was deleted.
View machine() {
    View view;
    view.now = 10000;
    for (NodeNumber index : {0u, 2u}) {
        NodeView &node = view.nodes[index];
        node.name = "n" + std::to_string(index);
        node.usable = true;
        node.cores = 4;
        node.cores_per_socket = 4;
    }
    return view;
}

JobView running_on(JobNumber id, NodeNumber node, cores::Cores held) {
    JobView job;
    job.id = id;
    job.state = JobState::running;
    job.started = 9000;
    job.time_limit = 3600;
    job.tasks = static_cast<int>(held.size());
    job.allotment = {{{node}, job.tasks}};
    job.cores[node] = std::move(held);
    return job;
}

policy::Snapshot shot(const View &view, const Ledger &ledger = Ledger(1),
                      const Refusals &refusals = {}, const config::Config &config = {},
                      const Promises &promises = {}) {
    return snapshot(view, ledger, config, refusals, promises);
}

START_TEST(cores_of_running_jobs_are_not_free) {
    View view = machine();
    view.active[1] = running_on(1, 0, {0, 1, 3});
    const auto nodes = shot(view).nodes;
    ck_assert_uint_eq(nodes.size(), 3);
    ck_assert_int_eq(nodes[0].free, 1);
    ck_assert_int_eq(nodes[1].cores, 0);
    ck_assert_int_eq(nodes[2].free, 4);
}
END_TEST

// Two users, two accounts, two partitions, and a job that takes its nodes without lending.
View on_whole_nodes() {
    View view = machine();
    const auto of = [](JobView job, std::uint32_t user, const char *account,
                       const char *partition) {
        job.user_id = user;
        job.account = account;
        job.partition = partition;
        job.whole_nodes = job.virtually_malleable = true;
        return job;
    };
    view.active[1] = of(running_on(1, 0, {0, 1}), 7, "a", "p");
    view.queue = {of({}, 7, "b", "q"), of({}, 8, "a", "q"), of({}, 8, "b", "p"),
                  of({}, 8, "b", "q")};
    view.queue.push_back(view.queue[0]);
    view.queue.back().virtually_malleable = false;
    JobNumber id = 2;
    for (JobView &job : view.queue)
        job.id = id++;
    return view;
}

struct CompanyRow {
    const char *lend;
    std::vector<JobNumber> company; // of the job that runs
};

const std::vector<CompanyRow> companies = {
    {"no", {}}, {"user", {2}}, {"account", {3}}, {"partition", {4}}, {"yes", {2, 3, 4, 5}},
};

START_TEST(jobs_on_whole_nodes_share_them_with_their_company) {
    const CompanyRow &row = companies[_i];
    const config::Config config = config::parse(std::string("LendWholeNodes=") + row.lend, "f");
    const policy::Snapshot seen = shot(on_whole_nodes(), Ledger(1), {}, config);
    std::vector<JobNumber> company;
    for (const policy::WaitingJob &job : seen.waiting)
        if (job.company == seen.nodes[0].company)
            company.push_back(job.id.value);
    ck_assert(company == row.company);
    ck_assert_int_ne(seen.nodes[0].company, 0);
    ck_assert(!seen.waiting[0].whole_nodes && seen.waiting[4].whole_nodes);
    ck_assert_int_eq(seen.waiting[4].company, 0);
}
END_TEST

START_TEST(a_running_job_has_its_processes_by_node) {
    View view = machine();
    JobView &job = view.active[1] = running_on(1, 0, {0, 1});
    job.virtually_malleable = true;
    job.tasks = 5;
    job.allotment = {{{0}, 2}, {{2}, 1}};
    job.tasks_on = {{0, 4}, {2, 1}};
    const policy::RunningJob seen = shot(view).running[0];
    ck_assert(seen.unfolded == (policy::CoreCounts{{{0}, 4}, {{2}, 1}}));
    ck_assert_int_eq(seen.max_mpl, policy::highest_mpl);
    job.tasks_on = {};
    ck_assert(shot(view).running[0].unfolded == (policy::CoreCounts{{{0}, 3}, {{2}, 3}}));
}
END_TEST

START_TEST(a_waiting_job_may_leave_its_spread_open) {
    View view = machine();
    view.queue.resize(2);
    view.queue[0].virtually_malleable = view.queue[0].any_spread = true;
    view.queue[1].virtually_malleable = true;
    view.queue[1].id = 1;
    const policy::Snapshot seen = shot(view);
    ck_assert(seen.waiting[0].any_spread && !seen.waiting[1].any_spread);
    ck_assert_int_eq(seen.waiting[0].max_nodes, 0);
}
END_TEST

// Held, before --begin, or for a job that it depends on, it does not grow old.
START_TEST(a_job_has_come_when_it_could_first_start) {
    View view = machine();
    JobView job;
    job.id = 1;
    job.submitted = 100;
    job.waits_since = 5000;
    view.queue.push_back(job);
    view.active[2] = running_on(2, 0, {0});
    view.active[2].submitted = 100;
    view.active[2].waits_since = 6000;
    const auto seen = shot(view);
    ck_assert_int_eq(seen.waiting.at(0).arrival, 5000);
    ck_assert_int_eq(seen.running.at(0).arrival, 6000);
}
END_TEST

START_TEST(a_node_that_is_down_has_nothing_free) {
    View view = machine();
    view.nodes[2].usable = false;
    ck_assert_int_eq(shot(view).nodes[2].free, 0);
}
END_TEST

START_TEST(a_suspended_job_holds_nothing_and_does_not_run) {
    View view = machine();
    view.active[1] = running_on(1, 0, {0, 1});
    view.active[1].state = JobState::suspended;
    ck_assert_int_eq(shot(view).nodes[0].free, 4);
    ck_assert(shot(view).running.empty());
}
END_TEST

START_TEST(a_job_that_is_completing_holds_its_cores_and_is_ending) {
    View view = machine();
    view.active[1] = running_on(1, 0, {0, 1});
    view.active[1].state = JobState::completing;
    ck_assert_int_eq(shot(view).nodes[0].free, 2);
    ck_assert(shot(view).running.at(0).ending);
    view.active[1].state = JobState::running;
    ck_assert(!shot(view).running.at(0).ending);
}
END_TEST

START_TEST(a_job_that_did_not_ask_is_never_resizable) {
    View view = machine();
    view.active[1] = running_on(1, 0, {0, 1});
    const auto job = shot(view).running.at(0);
    ck_assert(!job.virtually_malleable);
    ck_assert(!job.resizable);
}
END_TEST

START_TEST(a_job_is_left_alone_until_its_retry_time) {
    View view = machine();
    view.active[1] = running_on(1, 0, {0, 1});
    view.active[1].virtually_malleable = true;
    Ledger ledger(1);
    view.steady = 5000;
    ledger.of(view.active[1]).target.rest_until(view.steady + 1);
    ck_assert(!shot(view, ledger).running.at(0).resizable);
    view.now -= 3600; // somebody sets the clock
    view.steady += 1;
    ck_assert(shot(view, ledger).running.at(0).resizable);
}
END_TEST

// A virtually malleable job of the QOS high in the Slurm partition big, at 10000.
View one_that_may_be_folded() {
    View view = machine();
    JobView &job = view.active[1] = running_on(1, 0, {0, 1});
    job.virtually_malleable = true;
    job.partition = "big";
    job.qos = "high";
    job.tasks = 4;
    return view;
}

START_TEST(a_job_is_folded_only_as_often_as_it_may_be) {
    View view = one_that_may_be_folded();
    config::Config config = config::parse("MaxFoldsPerJob=9,partition/big:2", "f");
    Ledger ledger(1);
    LedgerEntry &entry = ledger.of(view.active.at(1));
    entry.folds = 1;
    ck_assert_int_eq(shot(view, ledger, {}, config).running.at(0).max_mpl, 4);
    entry.folds = 2;
    ck_assert_int_eq(shot(view, ledger, {}, config).running.at(0).max_mpl, 2); // what it is
    ck_assert(shot(view, ledger, {}, config).running.at(0).resizable);         // it may grow
    view.active.at(1).tasks = 2;
    ck_assert_int_eq(shot(view, ledger, {}, config).running.at(0).max_mpl, 1);
}
END_TEST

START_TEST(a_folded_job_whose_steps_do_not_register_only_grows) {
    View view = one_that_may_be_folded();
    Ledger ledger(1);
    LedgerEntry &entry = ledger.of(view.active.at(1));
    ck_assert_int_eq(shot(view, ledger).running.at(0).max_mpl, 4);
    entry.left_alone = true;
    ck_assert_int_eq(shot(view, ledger).running.at(0).max_mpl, 2); // what it is
    ck_assert(shot(view, ledger).running.at(0).resizable);
}
END_TEST

START_TEST(a_folded_job_with_gres_only_grows_where_those_are_not_folded_any_more) {
    View view = one_that_may_be_folded();
    view.active.at(1).gres = true;
    Ledger ledger(1);
    ledger.of(view.active.at(1));
    const auto seen = [&](const char *fold_gres) {
        return shot(view, ledger, {}, config::parse(fold_gres, "f")).running.at(0);
    };
    ck_assert_int_eq(seen("FoldGres=yes").max_mpl, 4);
    ck_assert_int_eq(seen("FoldGres=no").max_mpl, 2); // what it is
    ck_assert(seen("FoldGres=no").resizable);
}
END_TEST

struct ByDefault {
    const char *what;
    std::optional<bool> served;
    const char *conf;
    int max_mpl; // of a job with two processes on each of its cores
};

const std::vector<ByDefault> by_default = {
    {"not surveyed", {}, "", 2}, // what it is
    {"served", true, "", 4},
    {"served as far as the site allows", true, "MaxMplPerJob=3", 3},
    {"not served", false, "", 1},
    {"not served any more, with no survey", false, "SurveyInterval=0", 2},
    {"served once, with no survey", true, "SurveyInterval=0", 2},
};

START_TEST(a_job_that_takes_part_by_default_is_folded_while_it_is_known_to_be_served) {
    const ByDefault &row = by_default[_i];
    View view = one_that_may_be_folded();
    JobView &job = view.active.at(1);
    job.by_default = true;
    view.queue = {job};
    view.queue[0].id = 2;
    const auto config = config::parse(row.conf, "f");
    Ledger ledger(1);
    ledger.of(job).served = row.served;
    const policy::Snapshot seen = shot(view, ledger, {}, config);
    ck_assert_msg(seen.running.at(0).max_mpl == row.max_mpl, "%s: %d", row.what,
                  seen.running.at(0).max_mpl);
    ck_assert(seen.running.at(0).resizable);
    ck_assert_int_eq(seen.waiting.at(0).max_mpl, 1);
    job.by_default = false;
    ck_assert_int_ge(shot(view, ledger, {}, config).running.at(0).max_mpl, 3);
}
END_TEST

// Slurm would refuse it: srun does not ask for a step that overcommits.
START_TEST(a_job_of_an_srun_alone_is_not_folded_before_its_step_runs) {
    View view = one_that_may_be_folded();
    JobView &job = view.active.at(1);
    job.request.starts_unfolded = true;
    view.queue = {job};
    view.queue[0].id = 2;
    Ledger ledger(1);
    ledger.of(job);
    const policy::Snapshot before = shot(view, ledger, {}, {});
    ck_assert_int_eq(before.waiting.at(0).max_mpl, 1);
    ck_assert_int_eq(before.running.at(0).max_mpl, 2); // what it is
    job.has_steps = true;
    ck_assert_int_ge(shot(view, ledger, {}, {}).running.at(0).max_mpl, 3);
}
END_TEST

START_TEST(a_job_is_folded_only_as_deep_as_it_may_be) {
    View view = one_that_may_be_folded();
    view.queue = {view.active.at(1)};
    view.queue[0].id = 2;
    const auto config = config::parse("MaxMplPerJob=1,qos/high:2", "f");
    Ledger ledger(1);
    ledger.of(view.active.at(1));
    ck_assert_int_eq(shot(view, ledger, {}, config).running.at(0).max_mpl, 2);
    ck_assert_int_eq(shot(view, ledger, {}, config).waiting.at(0).max_mpl, 2);
    view.queue[0].qos = "normal";
    ck_assert_int_eq(shot(view, ledger, {}, config).waiting.at(0).max_mpl, 1);
    const auto never_folded = config::parse("MaxFoldsPerJob=0", "f");
    ck_assert_int_eq(shot(view, ledger, {}, never_folded).waiting.at(0).max_mpl, 1);
}
END_TEST

START_TEST(a_job_is_not_folded_deeper_while_resizes_have_cost_it_too_much) {
    View view = one_that_may_be_folded();
    const auto config = config::parse("MaxResizeLoss=5,class/long:1", "f");
    Ledger ledger(1);
    const JobView &job = view.active.at(1);
    LedgerEntry &entry = ledger.of(job);
    const auto running = [&] { return shot(view, ledger, {}, config).running.at(0); };
    const auto fold = [&](int times) {
        for (int i = 0; i < times; i++)
            entry.resize_loss.note_fold(time_run(job, view.now) * 1000,
                                        max_resize_loss(job, config));
    };
    ck_assert_int_eq(max_resize_loss(job, config), 1);
    fold(11);
    ck_assert_int_eq(running().max_mpl, 4);
    fold(1);
    ck_assert_int_eq(running().max_mpl, 2); // what it is
    ck_assert(running().resizable);         // it may grow
    ck_assert_int_eq(until_next_fold(job, view.now, entry, config), 50);
    view.now += 49;
    ck_assert_int_eq(running().max_mpl, 2);
    view.now += 1;
    ck_assert_int_eq(running().max_mpl, 4);
    ck_assert_int_eq(until_next_fold(job, view.now, entry, config), 0);
    const auto never = config::parse("MaxResizeLoss=0", "f");
    ck_assert_int_eq(until_next_fold(job, view.now, entry, never), policy::never);
}
END_TEST

START_TEST(lost_time_counts_and_moves_the_end) {
    View view = one_that_may_be_folded();
    JobView &job = view.active.at(1);
    job.request.estimate = 1500;
    Ledger ledger(1);
    ledger.of(job).lost = LostTime(120'000, 1000, 2); // which are over just now
    const auto running = shot(view, ledger).running.at(0);
    ck_assert_int_eq(running.lost, 120);
    ck_assert_int_eq(running.estimate, 1500);
    ck_assert_int_eq(running.expected_end, 9000 + 1500 + 120);
    view.now = 10620;
    job.suspended = 300; // and so it has run for 1320, 320 of them folded
    ck_assert_int_eq(shot(view, ledger).running.at(0).expected_end,
                     9000 + 300 + 1500 + 120 + policy::work_in_time(320, 1) -
                         policy::work_in_time(320, 2) - 1);
    job.request.estimate = 1;
    ck_assert_int_eq(shot(view, ledger).running.at(0).expected_end,
                     9000 + 300 + 3600 + 120 + policy::work_in_time(320, 1) -
                         policy::work_in_time(320, 2) - 1);
}
END_TEST

START_TEST(jobs_are_likely_to_run_as_long_past_their_estimates_as_others_of_their_user) {
    View view = one_that_may_be_folded(); // whose limit is an hour
    view.now = 9000 + 600;
    JobView &job = view.active.at(1);
    job.tasks = 2;
    job.user_id = 7;
    job.request.estimate = 60;
    JobView other = job;
    other.id = 2;
    other.state = JobState::waiting;
    JobView of_somebody_else = other;
    of_somebody_else.id = 3;
    of_somebody_else.user_id = 8;
    JobView longer = other;
    longer.id = 4;
    longer.request.estimate = 1200;
    view.queue = {other, of_somebody_else, longer};
    Ledger ledger(1);
    ledger.of(job);
    ledger.learn(view);
    const policy::Snapshot seen = shot(view, ledger);
    ck_assert_int_eq(seen.running.at(0).likely_work, 600);
    ck_assert_int_eq(seen.waiting.at(0).likely_work, 600);
    ck_assert_int_eq(seen.waiting.at(1).likely_work, 60);
    ck_assert_int_eq(seen.waiting.at(2).likely_work, 1200);
    view.queue[0].time_limit = 300;
    ck_assert_int_eq(shot(view, ledger).waiting.at(0).likely_work, 300);
    Ledger restarted(2);
    restarted.restore(ledger.saved());
    ck_assert_int_eq(restarted.likely_work(other, view.now), 600);
}
END_TEST

START_TEST(a_job_that_is_folded_deeper_than_the_site_allows_stays_as_it_is) {
    const View view = one_that_may_be_folded();
    Ledger ledger(1);
    ledger.of(view.active.at(1));
    const auto never = config::parse("MaxMplPerJob=1", "f");
    ck_assert_int_eq(shot(view, ledger, {}, never).running.at(0).max_mpl, 2);
}
END_TEST

// Of an hour of work, of which a third is done at 10000.
struct Bound {
    const char *what;
    const char *conf;
    void (*bind)(JobView &);
    int running; // how deep it may be folded then: 2600 s are left, 5720, 8580 and 11440 s folded
    int waiting; // an hour: 7920, 11880 and 15840 s
};

const std::vector<Bound> bounds = {
    {"none", "", [](JobView &) {}, 4, 4},
    {"a deadline", "", [](JobView &job) { job.deadline = 10000 + 8000; }, 2, 2},
    {"a later deadline", "", [](JobView &job) { job.deadline = 10000 + 8600; }, 3, 2},
    {"a deadline that has passed", "", [](JobView &job) { job.deadline = 9000; }, 1, 1},
    {"a reservation of others", "", [](JobView &job) { job.reserved = 10000 + 11880; }, 4, 3},
    {"one that has begun", "", [](JobView &job) { job.reserved = 9999; }, 1, 1},
    {"the end of its own", "", [](JobView &job) { job.reservation_ends = 10000 + 5720; }, 2, 1},
    {"the partition, if it is hard", "HardLimits=partition",
     [](JobView &job) { job.partition_limit = 7920; }, 2, 2},
    {"the partition, if it is not", "HardLimits=qos",
     [](JobView &job) { job.partition_limit = 7920; }, 4, 4},
    {"the QOS, if it is hard", "HardLimits=partition,qos",
     [](JobView &job) { job.qos_limit = 7919; }, 2, 1},
    {"the QOS, if it is not", "", [](JobView &job) { job.qos_limit = 7919; }, 4, 4},
    {"no extension", "LimitExtension=0", [](JobView &) {}, 1, 1},
    {"some extension", "LimitExtension=4320,partition/small:0", [](JobView &) {}, 2, 2},
    {"a little less", "LimitExtension=unlimited,partition/big:3119", [](JobView &) {}, 1, 1},
    {"no limit to extend", "LimitExtension=0", [](JobView &job) { job.limit_in_slurm = 0; }, 4, 4},
    {"no limit, and a deadline", "",
     [](JobView &job) {
         job.limit_in_slurm = 0;
         job.deadline = 10000 + 86400;
     },
     1, 1},
};

START_TEST(a_job_is_folded_only_as_deep_as_it_has_time_for) {
    const Bound &bound = bounds[_i];
    View view = one_that_may_be_folded();
    JobView &job = view.active.at(1);
    job.limit_in_slurm = 60;
    bound.bind(job);
    view.queue = {job};
    view.queue[0].id = 2;
    view.queue[0].state = JobState::waiting;
    const auto config = config::parse(bound.conf, "f");
    Ledger ledger(1);
    ledger.of(job).lost = LostTime();
    const policy::Snapshot seen = shot(view, ledger, {}, config);
    ck_assert_msg(seen.running.at(0).max_mpl == bound.running, "%s: %d", bound.what,
                  seen.running.at(0).max_mpl);
    ck_assert_msg(seen.waiting.at(0).max_mpl == bound.waiting, "%s: waiting: %d", bound.what,
                  seen.waiting.at(0).max_mpl);
}
END_TEST

START_TEST(a_fold_that_is_under_way_shows_as_target) {
    View view = machine();
    view.active[1] = running_on(1, 0, {0, 1, 2, 3});
    view.active[1].virtually_malleable = true;
    Ledger ledger(1);
    ck_assert(!shot(view, ledger).running.at(0).target);
    ledger.of(view.active[1]).target.fold({{{0, {0}}}, {}}, {});
    const auto target = shot(view, ledger).running.at(0).target;
    ck_assert(target && target->size() == 1 && target->at(0).cores == 1);
}
END_TEST

START_TEST(a_job_is_expected_to_end_by_estimate_then_by_limit) {
    View view = machine();
    view.active[1] = running_on(1, 0, {0});
    view.active[1].virtually_malleable = true;
    view.active[1].request.estimate = 1500;
    ck_assert_int_eq(shot(view).running.at(0).expected_end, 10500);
    view.now = 10500;
    ck_assert_int_eq(shot(view).running.at(0).expected_end, 12600);
    view.now = 13000; // over its limit, about to be killed
    ck_assert_int_eq(shot(view).running.at(0).expected_end, 13001);
}
END_TEST

START_TEST(no_job_is_expected_to_outlast_its_limit) {
    View view = machine();
    view.active[1] = running_on(1, 0, {0});
    view.active[1].virtually_malleable = true;
    view.active[1].request.estimate = 1'000'000;
    ck_assert_int_eq(shot(view).running.at(0).expected_end, 12600);
}
END_TEST

struct Classes {
    const char *what;
    std::optional<JobClass> asked;
    const char *partition;
    policy::Seconds limit;
    JobClass expected;
};

const std::vector<Classes> classes = {
    {"--vm-class wins", JobClass::long_job, "debug", 60, JobClass::long_job},
    {"then the partition", {}, "debug", 86400, JobClass::short_job},
    {"then the limit: short", {}, "main", 600, JobClass::short_job},
    {"then the limit: long", {}, "main", 601, JobClass::long_job},
};

START_TEST(class_of_a_job) {
    config::Config config;
    config.class_by_partition = {{"debug", JobClass::short_job}};
    config.short_time_limit = 600;
    JobView job;
    job.request.job_class = classes[_i].asked;
    job.partition = classes[_i].partition;
    job.time_limit = classes[_i].limit;
    ck_assert_msg(class_of(job, config) == classes[_i].expected, "%s", classes[_i].what);
}
END_TEST

START_TEST(a_rigid_job_has_one_size_in_cores) {
    View view = machine();
    view.nodes[0].threads_per_core = view.nodes[2].threads_per_core = 2;
    JobView job;
    job.id = 5;
    job.tasks = 3;
    job.cpus_per_task = 2;
    job.eligible = {{0}};
    view.queue = {job};
    ck_assert(shot(view).waiting.at(0).sizes == policy::Sizes{3});
}
END_TEST

START_TEST(a_job_on_several_nodes_keeps_to_those_with_equally_many_threads_per_core) {
    View view = machine();
    const NodeView another = view.nodes[0];
    view.nodes[1] = another;
    view.nodes[0].threads_per_core = view.nodes[2].threads_per_core = 2;
    JobView job;
    job.id = 5;
    job.virtually_malleable = true;
    job.eligible = {{0}, {1}, {2}};
    view.queue = {job};
    ck_assert(shot(view).waiting.at(0).eligible.size() == 3);
    view.queue[0].min_nodes = 2;
    const auto eligible = shot(view).waiting.at(0).eligible;
    ck_assert(eligible == (policy::NodeSet{{0}, {2}}));
}
END_TEST

START_TEST(jobs_with_the_same_nodes_share_them_in_a_snapshot) {
    View view = machine();
    const NodeView another = view.nodes[0];
    view.nodes[1] = another;
    view.nodes[1].threads_per_core = 2;
    JobView job;
    job.virtually_malleable = true;
    job.min_nodes = 2;
    job.eligible = {{0}, {1}, {2}};
    view.queue = {job, job};
    const auto waiting = shot(view).waiting;
    ck_assert_uint_eq(waiting.at(0).eligible.size(), 2);
    ck_assert_ptr_eq(waiting.at(0).eligible.identity(), waiting.at(1).eligible.identity());
}
END_TEST

START_TEST(a_job_needs_no_more_tasks_than_there_are_cores) {
    const View view = machine();
    NodeKinds kinds(view);
    JobView job;
    job.virtually_malleable = true;
    job.eligible = {{0}, {1}, {2}};
    job.request.sizes = {6, 12};
    ck_assert_int_eq(fewest_tasks(job, kinds), 6);
    job.request.sizes = {12};
    ck_assert_int_eq(fewest_tasks(job, kinds), 8);
}
END_TEST

START_TEST(tasks_of_several_cores_need_as_many) {
    const View view = machine();
    NodeKinds kinds(view);
    JobView job;
    job.virtually_malleable = true;
    job.eligible = {{0}, {1}, {2}};
    job.cores_per_task = 3;
    job.request.sizes = {6, 12};
    ck_assert_int_eq(fewest_tasks(job, kinds), 2);
}
END_TEST

START_TEST(a_job_with_cpus_per_task_is_counted_in_places) {
    View view = machine();
    JobView running = running_on(1, 0, {0, 1, 2});
    running.tasks = 4;
    running.cores_per_task = 2;
    view.active[1] = running;
    JobView waiting;
    waiting.id = 5;
    waiting.cpus_per_task = waiting.cores_per_task = 2;
    view.queue = {waiting};
    ck_assert_int_eq(shot(view).running.at(0).cores_per_process, 1); // Slurm's own: in cores
    ck_assert_int_eq(shot(view).waiting.at(0).cores_per_process, 1);
    view.queue[0].virtually_malleable = view.active[1].virtually_malleable = true;
    ck_assert_int_eq(shot(view).running.at(0).cores_per_process, 2);
    ck_assert_int_eq(shot(view).waiting.at(0).cores_per_process, 2);
    const auto ledger = [&] {
        Ledger known(1);
        known.of(view.active[1]).left_alone = true;
        return known;
    }();
    ck_assert_int_eq(ledger.find(1)->lost.mpl(), 4); // one whole place
    ck_assert_int_eq(shot(view, ledger).running.at(0).max_mpl, 4);
}
END_TEST

START_TEST(a_job_with_cpus_per_task_keeps_to_nodes_with_equally_many_threads_per_core) {
    View view = machine();
    const NodeView another = view.nodes.at(0);
    view.nodes[1] = another;
    view.nodes[0].threads_per_core = view.nodes[2].threads_per_core = 2;
    JobView job;
    job.virtually_malleable = true;
    job.cpus_per_task = 2;
    job.eligible = {{0}, {1}, {2}};
    view.queue = {job};
    ck_assert(shot(view).waiting.at(0).eligible == (policy::NodeSet{{0}, {2}}));
}
END_TEST

struct ThreadsRow {
    int cpus_per_task, threads_per_core, of_the_node, cores;
};

constexpr ThreadsRow threads_rows[] = {
    {1, 0, 1, 1}, {1, 0, 2, 1}, {3, 0, 1, 3}, {3, 0, 2, 2}, {4, 0, 2, 2},
    {4, 1, 2, 4}, {4, 4, 2, 2}, {2, 0, 8, 1}, {2, 0, 0, 2},
};

START_TEST(a_task_has_whole_cores) {
    const ThreadsRow &row = threads_rows[_i];
    JobView job;
    job.cpus_per_task = row.cpus_per_task;
    job.threads_per_core = row.threads_per_core;
    ck_assert_int_eq(cores_for_task(job, row.of_the_node), row.cores);
}
END_TEST

START_TEST(a_refused_job_carries_what_slurm_expects) {
    View view = machine();
    JobView job;
    job.id = 5;
    view.queue = {job};
    ck_assert(!shot(view).waiting.at(0).refused);
    const auto refused = shot(view, Ledger(1), {{5, {{}, 11000, {}}}}).waiting.at(0);
    ck_assert(refused.refused);
    ck_assert_int_eq(refused.earliest_start.value_or(0), 11000);
}
END_TEST

START_TEST(part_of_a_heterogeneous_job_starts_when_slurm_has_planned_it) {
    View view = machine();
    JobView job;
    job.id = 5;
    job.het_job = 1;
    view.queue = {job};
    ck_assert(shot(view).waiting.at(0).refused);
    ck_assert_int_eq(shot(view).waiting.at(0).earliest_start.value_or(0), view.now + 1);
    view.queue[0].planned_start = view.now + 500;
    ck_assert_int_eq(shot(view).waiting.at(0).earliest_start.value_or(0), view.now + 500);
}
END_TEST

START_TEST(a_job_refused_in_its_largest_size_is_left_those_that_slurm_would_start) {
    View view = machine();
    JobView job;
    job.id = 5;
    job.virtually_malleable = true;
    job.request.sizes = {2, 4, 8};
    view.queue = {job};
    const auto waiting = shot(view, Ledger(1), {{5, {{}, 11000, 4}}}).waiting.at(0);
    ck_assert(!waiting.refused);
    ck_assert(waiting.sizes == (policy::Sizes{2, 4}));
}
END_TEST

START_TEST(a_waiting_job_carries_the_promise_of_the_last_decision) {
    View view = machine();
    view.queue.resize(2);
    view.queue[0].id = 5;
    view.queue[1].id = 6;
    const policy::Promise promise{12000, 2, {{{2}, 2}}, {{{2}, 2}}};
    const auto decided =
        promises({policy::Requeue{{4}}, policy::Wait{{5}, {}, promise}, policy::Wait{{6}, {}}});
    const auto waiting = shot(view, Ledger(1), {}, {}, decided).waiting;
    ck_assert(waiting.at(0).promise && !waiting.at(1).promise);
    ck_assert_int_eq(waiting.at(0).promise->start, 12000);
    ck_assert_int_eq(waiting.at(0).promise->processes, 2);
    ck_assert(waiting.at(0).promise->allotment == promise.allotment);
}
END_TEST

} // namespace

int main() {
    TCase *tests = tcase_create("snapshot");
    tcase_add_test(tests, cores_of_running_jobs_are_not_free);
    tcase_add_loop_test(tests, jobs_on_whole_nodes_share_them_with_their_company, 0,
                        static_cast<int>(companies.size()));
    tcase_add_test(tests, a_job_has_come_when_it_could_first_start);
    tcase_add_test(tests, a_node_that_is_down_has_nothing_free);
    tcase_add_test(tests, a_running_job_has_its_processes_by_node);
    tcase_add_test(tests, a_waiting_job_may_leave_its_spread_open);
    tcase_add_test(tests, a_suspended_job_holds_nothing_and_does_not_run);
    tcase_add_test(tests, a_job_that_is_completing_holds_its_cores_and_is_ending);
    tcase_add_test(tests, a_job_that_did_not_ask_is_never_resizable);
    tcase_add_test(tests, a_job_is_left_alone_until_its_retry_time);
    tcase_add_test(tests, a_job_is_folded_only_as_often_as_it_may_be);
    tcase_add_test(tests, a_folded_job_whose_steps_do_not_register_only_grows);
    tcase_add_test(tests, a_folded_job_with_gres_only_grows_where_those_are_not_folded_any_more);
    tcase_add_loop_test(tests,
                        a_job_that_takes_part_by_default_is_folded_while_it_is_known_to_be_served,
                        0, static_cast<int>(by_default.size()));
    tcase_add_test(tests, a_job_of_an_srun_alone_is_not_folded_before_its_step_runs);
    tcase_add_test(tests, a_job_is_folded_only_as_deep_as_it_may_be);
    tcase_add_test(tests, a_job_is_not_folded_deeper_while_resizes_have_cost_it_too_much);
    tcase_add_test(tests, lost_time_counts_and_moves_the_end);
    tcase_add_test(tests, a_job_that_is_folded_deeper_than_the_site_allows_stays_as_it_is);
    tcase_add_loop_test(tests, a_job_is_folded_only_as_deep_as_it_has_time_for, 0,
                        static_cast<int>(bounds.size()));
    tcase_add_test(tests, a_fold_that_is_under_way_shows_as_target);
    tcase_add_test(tests,
                   jobs_are_likely_to_run_as_long_past_their_estimates_as_others_of_their_user);
    tcase_add_test(tests, a_job_is_expected_to_end_by_estimate_then_by_limit);
    tcase_add_test(tests, no_job_is_expected_to_outlast_its_limit);
    tcase_add_loop_test(tests, class_of_a_job, 0, static_cast<int>(classes.size()));
    tcase_add_test(tests, a_rigid_job_has_one_size_in_cores);
    tcase_add_test(tests, a_job_on_several_nodes_keeps_to_those_with_equally_many_threads_per_core);
    tcase_add_test(tests, jobs_with_the_same_nodes_share_them_in_a_snapshot);
    tcase_add_test(tests, a_job_needs_no_more_tasks_than_there_are_cores);
    tcase_add_test(tests, tasks_of_several_cores_need_as_many);
    tcase_add_test(tests, a_job_with_cpus_per_task_is_counted_in_places);
    tcase_add_test(tests,
                   a_job_with_cpus_per_task_keeps_to_nodes_with_equally_many_threads_per_core);
    tcase_add_loop_test(tests, a_task_has_whole_cores, 0,
                        static_cast<int>(std::size(threads_rows)));
    tcase_add_test(tests, a_refused_job_carries_what_slurm_expects);
    tcase_add_test(tests, part_of_a_heterogeneous_job_starts_when_slurm_has_planned_it);
    tcase_add_test(tests, a_job_refused_in_its_largest_size_is_left_those_that_slurm_would_start);
    tcase_add_test(tests, a_waiting_job_carries_the_promise_of_the_last_decision);
    return run("snapshot", tests);
}
