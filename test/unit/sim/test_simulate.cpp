// SPDX-License-Identifier: GPL-2.0-or-later
//
// The simulator on small cases computed by hand: when every job has how many cores.
#include "audit.hpp"
#include "policy/policies.hpp"
#include "run.hpp"

#include <map>
#include <stdexcept>
#include <vector>

using namespace vmall;
using sim::Job;

namespace {

constexpr auto short_job = policy::JobClass::short_job;
constexpr auto long_job = policy::JobClass::long_job;

// Times in seconds.
Job rigid(std::uint32_t id, double submit, int cores, double runtime, policy::Seconds estimate) {
    Job job;
    job.id = id;
    job.submit = static_cast<sim::Milliseconds>(submit * 1000);
    job.job_class = long_job;
    job.sizes = {cores};
    job.runtime = static_cast<sim::Milliseconds>(runtime * 1000);
    job.runtime_processes = cores;
    job.estimate = estimate;
    return job;
}

Job malleable(policy::JobClass job_class, Job job) {
    job.virtually_malleable = true;
    job.job_class = job_class;
    return job;
}

Job of_user(const char *user, Job job) {
    job.user = user;
    return job;
}

Job on_nodes(int nodes, Job job) {
    job.nodes = nodes;
    return job;
}

Job limited(policy::Seconds time_limit, Job job) {
    job.time_limit = time_limit;
    return job;
}

// Recorded with the largest size.
Job sized(policy::Sizes sizes, sim::SpeedupPointer speedup, Job job) {
    job.sizes = std::move(sizes);
    job.runtime_processes = job.sizes.largest();
    job.speedup = std::move(speedup);
    return job;
}

std::string seconds(sim::Milliseconds time) {
    return time % 1000 == 0 ? std::to_string(time / 1000) : std::to_string(time) + "ms";
}

// "1: 0 4x1, 10 end; …": from when on each job has how many cores at which MPL.
std::string in_words(const sim::Outcome &outcome) {
    std::string text;
    for (const auto &job : outcome.jobs) {
        text += (text.empty() ? "" : "; ") + std::to_string(job.job->id) + ": ";
        for (const auto &it : job.allotments) {
            text += seconds(it.begin) + ' ' + std::to_string(it.cores) + 'x' +
                    std::to_string(it.mpl) + ", ";
        }
        text += job.end == sim::End::completed ? seconds(job.ended) + " end"
                : job.end == sim::End::killed  ? seconds(job.ended) + " killed"
                                               : "never";
    }
    return text;
}

sim::Options options(const char *name) {
    sim::Options result;
    result.policy = policy::find_policy(name).settings;
    result.record_allotments = true;
    return result;
}

sim::Options with(sim::Options options, void (*change)(sim::Options &)) {
    change(options);
    return options;
}

struct Row {
    const char *name;
    std::vector<Job> jobs;
    std::vector<int> nodes;
    sim::Options options;
    const char *expected;
};

const std::vector<Job> fold_and_unfold = {
    malleable(long_job, rigid(1, 0, 4, 100, 100)),
    malleable(short_job, rigid(2, 20, 2, 10, 10)),
};

// The first has so much work, and a limit of 100 s; the second runs for so long.
std::vector<Job> fold_limited(double work, double second) {
    return {malleable(long_job, limited(100, rigid(1, 0, 4, work, 100))),
            malleable(short_job, rigid(2, 20, 2, second, static_cast<policy::Seconds>(second)))};
}

const std::vector<Job> outstays_its_window = {
    rigid(1, 0, 2, 10, 10),
    rigid(2, 1, 4, 5, 5),
    malleable(short_job, rigid(3, 1, 2, 20, 5)),
};

// Both have work for a node of 4 cores.
const std::vector<Job> two_of_four = {
    malleable(long_job, rigid(1, 0, 4, 10, 10)),
    malleable(long_job, rigid(2, 1, 4, 2, 2)),
};

sim::Options needing(int percent, sim::Options options) {
    options.memory = sim::share_of_memory(percent);
    return options;
}

// KiB of a core.
Job of_memory(std::int64_t requested, std::int64_t used, Job job) {
    job.requested_memory = requested;
    job.used_memory = used;
    return job;
}

// Nodes have 4 MiB for each core.
sim::Options recorded(sim::MemoryNeed need, sim::Options options) {
    options.memory = {need, 0, 4};
    return options;
}

const std::vector<Row> rows = {
    {"a job is folded for another that finds its memory",
     two_of_four,
     {4},
     needing(50, options("least-work")),
     "1: 0 4x1, 1 2x2, 5 4x1, 12 end; 2: 1 2x2, 5 end"},
    {"folding gives no memory back",
     two_of_four,
     {4},
     needing(51, options("least-work")),
     "1: 0 4x1, 10 end; 2: 10 4x1, 12 end"},
    {"what a log says of memory, it says of cores",
     {of_memory(2048, 0, malleable(long_job, rigid(1, 0, 4, 10, 10))),
      of_memory(2049, 2048, malleable(long_job, rigid(2, 1, 4, 2, 2)))},
     {4},
     recorded(sim::MemoryNeed::requested, options("least-work")),
     "1: 0 4x1, 10 end; 2: 10 4x1, 12 end"},
    {"what was used may leave room that what was asked for does not",
     {of_memory(2048, 0, malleable(long_job, rigid(1, 0, 4, 10, 10))),
      of_memory(2049, 2048, malleable(long_job, rigid(2, 1, 4, 2, 2)))},
     {4},
     recorded(sim::MemoryNeed::used, options("least-work")),
     "1: 0 4x1, 1 2x2, 5 4x1, 12 end; 2: 1 2x2, 5 end"},
    {"a job that says nothing needs what its cores have",
     {of_memory(1024, 0, malleable(long_job, rigid(1, 0, 4, 10, 10))),
      malleable(long_job, rigid(2, 1, 4, 2, 2))},
     {4},
     recorded(sim::MemoryNeed::requested, options("least-work")),
     "1: 0 4x1, 10 end; 2: 10 4x1, 12 end"},
    {"processes that need the memory of two cores are spread over more nodes",
     {of_memory(8192, 0, malleable(long_job, rigid(1, 0, 4, 10, 10)))},
     {4, 4},
     recorded(sim::MemoryNeed::requested, options("least-work")),
     "1: 0 4x1, 10 end"},
    {"a job that needs more than all nodes have is left out",
     {of_memory(9000, 0, malleable(long_job, rigid(1, 0, 4, 10, 10))),
      malleable(long_job, rigid(2, 1, 4, 2, 2))},
     {4, 4},
     recorded(sim::MemoryNeed::requested, options("least-work")),
     "1: never; 2: 1 4x1, 3 end"},
    {"a job of fewer processes finds memory beside it, and passes",
     {malleable(long_job, rigid(1, 0, 4, 10, 10)), malleable(long_job, rigid(2, 1, 4, 3, 3)),
      malleable(long_job, rigid(3, 1, 1, 1, 1))},
     {4},
     needing(80, options("least-work")),
     "1: 0 4x1, 1 2x2, 2 4x1, 10500ms end; 2: 10500ms 4x1, 13500ms end; 3: 1 1x1, 2 end"},
    {"memory keeps no job waiting that runs on cores of its own",
     {rigid(1, 0, 2, 10, 10), rigid(2, 0, 2, 10, 10)},
     {4},
     needing(100, options("easy")),
     "1: 0 2x1, 10 end; 2: 0 2x1, 10 end"},
    {"the second job waits for the first",
     {rigid(1, 0, 4, 10, 10), rigid(2, 1, 2, 5, 5)},
     {4},
     options("fcfs"),
     "1: 0 4x1, 10 end; 2: 10 2x1, 15 end"},
    {"a job that arrives when another ends gets its cores",
     {rigid(1, 0, 4, 10, 10), rigid(2, 10, 4, 5, 5)},
     {4},
     options("fcfs"),
     "1: 0 4x1, 10 end; 2: 10 4x1, 15 end"},
    {"a job that takes no time",
     {rigid(1, 3, 4, 0, 1), rigid(2, 3, 4, 1, 1)},
     {4},
     options("fcfs"),
     "1: 3 4x1, 3 end; 2: 3 4x1, 4 end"},
    {"times that are no whole seconds",
     {rigid(1, 0.25, 4, 1.5, 2), rigid(2, 0.5, 4, 1, 1)},
     {4},
     options("fcfs"),
     "1: 250ms 4x1, 1750ms end; 2: 1750ms 4x1, 2750ms end"},
    {"a job that is larger than the machine is left out",
     {rigid(1, 0, 5, 10, 10), rigid(2, 0, 4, 1, 1)},
     {4},
     options("fcfs"),
     "1: never; 2: 0 4x1, 1 end"},
    {"backfilling before the head's reserved start",
     {rigid(1, 0, 3, 10, 10), rigid(2, 1, 4, 5, 5), rigid(3, 2, 1, 8, 8)},
     {4},
     options("easy"),
     "1: 0 3x1, 10 end; 2: 10 4x1, 15 end; 3: 2 1x1, 10 end"},
    {"an estimate that passes moves the reserved start, and nothing else happens then",
     {limited(100, rigid(1, 0, 3, 50, 10)), rigid(2, 1, 4, 5, 5), rigid(3, 2, 1, 30, 30)},
     {4},
     options("easy"),
     "1: 0 3x1, 50 end; 2: 50 4x1, 55 end; 3: 10 1x1, 40 end"},
    {"who said too little before is believed less than others",
     {of_user("liar", malleable(long_job, rigid(1, 0, 4, 100, 1))),
      of_user("liar", malleable(long_job, rigid(2, 50, 4, 10, 1))),
      of_user("other", malleable(long_job, rigid(3, 50, 4, 30, 30)))},
     {4},
     with(options("least-work"), [](auto &o) { o.policy.max_mpl = 1; }),
     "1: 0 4x1, 100 end; 2: 130 4x1, 140 end; 3: 100 4x1, 130 end"},
    {"but not where nobody knows whose jobs they are",
     {malleable(long_job, rigid(1, 0, 4, 100, 1)), malleable(long_job, rigid(2, 50, 4, 10, 1)),
      malleable(long_job, rigid(3, 50, 4, 30, 30))},
     {4},
     with(options("least-work"), [](auto &o) { o.policy.max_mpl = 1; }),
     "1: 0 4x1, 100 end; 2: 100 4x1, 110 end; 3: 110 4x1, 140 end"},
    {"folded, half as fast and a quarter slower, then unfolded",
     fold_and_unfold,
     {4},
     with(options("fjt2"),
          [](auto &o) {
              o.folding_cost.by_mpl = {1, 1.25, 1.25, 1.25};
          }),
     "1: 0 4x1, 20 2x2, 30 4x1, 106 end; 2: 20 2x1, 30 end"},
    {"cores are given back two seconds after the decision",
     fold_and_unfold,
     {4},
     with(options("fjt2"),
          [](auto &o) {
              o.folding_cost.by_mpl = {1, 1.25, 1.25, 1.25};
              o.resize_latency = 2000;
          }),
     "1: 0 4x1, 22 2x2, 32 4x1, 106 end; 2: 22 2x1, 32 end"},
    {"a job that ends while it is giving cores back",
     {malleable(long_job, rigid(1, 0, 4, 21, 100)), malleable(short_job, rigid(2, 20, 2, 10, 10))},
     {4},
     with(options("fjt2"), [](auto &o) { o.resize_latency = 2000; }),
     "1: 0 4x1, 21 end; 2: 21 2x1, 31 end"},
    {"requeued at the end of its window, its work is lost",
     outstays_its_window,
     {4},
     options("easy-requeue"),
     "1: 0 2x1, 10 end; 2: 10 4x1, 15 end; 3: 1 2x1, 10 0x1, 15 2x1, 35 end"},
    {"requeueing takes two seconds",
     outstays_its_window,
     {4},
     with(options("easy-requeue"), [](auto &o) { o.resize_latency = 2000; }),
     "1: 0 2x1, 10 end; 2: 12 4x1, 17 end; 3: 1 2x1, 12 0x1, 17 2x1, 37 end"},
    {"a job that ends while it is being requeued has ended",
     outstays_its_window,
     {4},
     with(options("easy-requeue"), [](auto &o) { o.resize_latency = 12000; }),
     "1: 0 2x1, 10 end; 2: 21 4x1, 26 end; 3: 1 2x1, 21 end"},
    {"killed at its time limit",
     {limited(5, rigid(1, 0, 4, 10, 5)), rigid(2, 0, 4, 1, 1)},
     {4},
     options("fcfs"),
     "1: 0 4x1, 5 killed; 2: 5 4x1, 6 end"},
    {"a job that ends at its time limit is completed",
     {limited(10, rigid(1, 0, 4, 10, 5))},
     {4},
     options("fcfs"),
     "1: 0 4x1, 10 end"},
    {"time limits that are not enforced",
     {limited(5, rigid(1, 0, 4, 10, 5))},
     {4},
     with(options("fcfs"), [](auto &o) { o.kill_at_time_limit = false; }),
     "1: 0 4x1, 10 end"},
    {"what is lost to folding is added to a time limit",
     fold_limited(100, 10),
     {4},
     options("fjt2"),
     "1: 0 4x1, 20 2x2, 30 4x1, 105 end; 2: 20 2x1, 30 end"},
    {"killed when the work that its limit allows is done",
     fold_limited(110, 10),
     {4},
     options("fjt2"),
     "1: 0 4x1, 20 2x2, 30 4x1, 105455ms killed; 2: 20 2x1, 30 end"},
    {"killed folded",
     fold_limited(200, 500),
     {4},
     options("fjt2"),
     "1: 0 4x1, 20 2x2, 196 killed; 2: 20 2x1, 520 end"},
    {"not folded for what may not be added",
     fold_limited(100, 10),
     {4},
     with(options("fjt2"), [](auto &o) { o.limit_extension = 95; }),
     "1: 0 4x1, 100 end; 2: 100 2x1, 110 end"},
    {"folded for what may",
     fold_limited(100, 10),
     {4},
     with(options("fjt2"), [](auto &o) { o.limit_extension = 96; }),
     "1: 0 4x1, 20 2x2, 30 4x1, 105 end; 2: 20 2x1, 30 end"},
    {"not started folded for what may not be added",
     {rigid(1, 0, 2, 50, 50), malleable(long_job, limited(100, rigid(2, 1, 4, 100, 100)))},
     {4},
     with(options("fjt2"), [](auto &o) { o.limit_extension = 119; }),
     "1: 0 2x1, 50 end; 2: 50 4x1, 150 end"},
    {"jobs that have not asked are not folded, though they could",
     fold_and_unfold,
     {4},
     with(options("fjt2"), [](auto &o) { o.rigid_jobs = true; }),
     "1: 0 4x1, 100 end; 2: 100 2x1, 110 end"},
    {"fewer processes than recorded: by the speed-up curve, S(4) = 2, S(2) = 3/2",
     {malleable(long_job, sized({2, 4}, sim::amdahl_speedup(1.0 / 3), rigid(1, 0, 4, 10, 20)))},
     {2},
     options("fjt1"),
     "1: 0 2x1, 13333ms end"},
    {"the fullest node that suffices, so that the other one is whole for the third",
     {rigid(1, 0, 1, 10, 10), rigid(2, 0, 3, 10, 10), malleable(long_job, rigid(3, 0, 4, 10, 10))},
     {4, 4},
     options("fcfs"),
     "1: 0 1x1, 10 end; 2: 0 3x1, 10 end; 3: 0 4x1, 10 end"},
    {"equally over the nodes that it asks for",
     {on_nodes(2, malleable(long_job, rigid(1, 0, 6, 10, 10))),
      on_nodes(1, malleable(long_job, rigid(2, 1, 2, 10, 10)))},
     {4, 4},
     options("fcfs"),
     "1: 0 6x1, 10 end; 2: 10 2x1, 20 end"},
    {"over any nodes if it does not say",
     {malleable(long_job, rigid(1, 0, 6, 10, 10)), malleable(long_job, rigid(2, 1, 2, 10, 10))},
     {4, 4},
     options("fcfs"),
     "1: 0 6x1, 10 end; 2: 1 2x1, 11 end"},
    {"folded by MPL on each of its unequal nodes, and as slow as on the node where it is deepest",
     {malleable(long_job, rigid(1, 0, 6, 40, 40)), malleable(short_job, rigid(2, 1, 4, 1, 1))},
     {4, 4},
     options("least-work"),
     "1: 0 6x1, 1 3x2, 2 6x1, 40500ms end; 2: 1 4x1, 2 end"},
};

START_TEST(plays) {
    const Row &row = rows[_i];
    const sim::Workload workload = {"test", row.jobs, 0};
    sim::Progress progress;
    const auto outcome = sim::simulate(workload, {row.nodes}, row.options, progress);
    const std::string got = in_words(outcome);
    ck_assert_msg(got == row.expected, "%s\ngot:      %s\nexpected: %s", row.name, got.c_str(),
                  row.expected);
    const std::string problem = audit(outcome, row.options);
    ck_assert_msg(problem.empty(), "%s: %s", row.name, problem.c_str());
}
END_TEST

START_TEST(counts_what_a_requeue_costs) {
    const sim::Workload workload = {"test", outstays_its_window, 0};
    sim::Progress progress;
    const auto outcome = sim::simulate(workload, {{4}}, options("easy-requeue"), progress);
    const auto &job = outcome.jobs[2];
    ck_assert_int_eq(job.started, 1000);
    ck_assert_int_eq(job.starts, 2);
    ck_assert_int_eq(job.expiries, 1);
    ck_assert_int_eq(job.held, (9 + 20) * 1000);
    ck_assert_int_eq(job.core_milliseconds, 2 * (9 + 20) * 1000);
    ck_assert_int_eq(job.wasted, 2 * 9 * 1000);
    ck_assert_int_eq(progress.jobs_ended, 3);
}
END_TEST

START_TEST(counts_folds_and_unfolds) {
    const sim::Workload workload = {"test", fold_and_unfold, 0};
    sim::Progress progress;
    const auto outcome = sim::simulate(workload, {{4}}, options("fjt2"), progress);
    ck_assert_int_eq(outcome.jobs[0].folds, 1);
    ck_assert_int_eq(outcome.jobs[0].unfolds, 1);
    ck_assert_int_eq(outcome.jobs[0].expiries, 0);
}
END_TEST

START_TEST(folds_only_as_often_as_resizes_may_cost) {
    std::vector<Job> jobs = {malleable(long_job, rigid(1, 0, 4, 500, 500))};
    for (std::uint32_t i = 0; i < 13; i++)
        jobs.push_back(malleable(short_job, rigid(i + 2, 20 + 2 * i, 2, 1, 1)));
    const auto chosen = with(options("fjt2"), [](auto &o) { o.policy.max_resize_loss = 1; });
    sim::Progress progress;
    const sim::Workload workload = {"test", jobs, 0};
    const auto outcome = sim::simulate(workload, {{4}}, chosen, progress);
    ck_assert_int_eq(outcome.jobs[12].started, 42'000);
    // Twelve folds cost 6 s, of which 1 % of 24 s is earned back; the next one costs 0.5 s.
    ck_assert_int_eq(outcome.jobs[13].started, 70'000);
    ck_assert_int_eq(outcome.jobs[0].folds, 13);
}
END_TEST

START_TEST(tells_the_policy_what_folding_has_cost) {
    auto jobs = fold_and_unfold;
    jobs.push_back(rigid(3, 28, 5, 1, 1)); // larger than the machine: only to be asked then
    auto chosen = options("fjt2");
    std::map<policy::Seconds, policy::Seconds> lost; // by the first job, by time
    chosen.on_decision = [&](const policy::Snapshot &snapshot, const auto &) {
        if (!snapshot.running.empty() && snapshot.running[0].id.value == 1)
            lost[snapshot.now] = snapshot.running[0].lost;
    };
    sim::Progress progress;
    sim::simulate({"test", jobs, 0}, {{4}}, chosen, progress);
    const std::map<policy::Seconds, policy::Seconds> expected = {{0, 0}, {20, 0}, {28, 4}, {30, 5}};
    ck_assert(lost == expected);
}
END_TEST

// Twenty times, a long job on two nodes and a short one that it could be folded for; how often it
// is.
int folds_from_day(int day) {
    constexpr int days[] = {0, 20, 40};
    constexpr int times = 20, hours = 3600;
    std::vector<Job> jobs;
    for (const int start : days)
        for (int i = 0; i < times; i++) {
            const double submit = start * 24.0 * hours + i * hours;
            const auto id = static_cast<std::uint32_t>(jobs.size() + 1);
            jobs.push_back(malleable(long_job, rigid(id, submit, 8, 1800, 1800)));
            jobs.push_back(malleable(short_job, rigid(id + 1, submit + 60, 2, 10, 10)));
        }
    const auto chosen = with(options("least-work"), [](auto &o) {
        o.folding_cost.by_mpl = {1, 1.5, 1.5, 1.5};
    });
    const sim::Workload workload = {"test", jobs, 0};
    sim::Progress progress;
    int folds = 0;
    for (const auto &job : sim::simulate(workload, {{4, 4}}, chosen, progress).jobs)
        folds += job.job->submit / 1000 / hours / 24 == day ? job.folds : 0;
    return folds;
}

START_TEST(forgets_what_folding_costs_after_30_days) {
    ck_assert_int_eq(folds_from_day(0), 16); // of 31 that count, the others are taken to be cheap
    ck_assert_int_eq(folds_from_day(20), 0);
    ck_assert_int_eq(folds_from_day(40), 16);
}
END_TEST

std::string refused(const std::vector<Job> &jobs, const std::vector<int> &nodes) {
    return refusal<std::invalid_argument>([&] {
        sim::Progress progress;
        sim::simulate({"a file", jobs, 0}, {nodes}, options("fcfs"), progress);
    });
}

START_TEST(refuses_what_makes_no_sense) {
    ck_assert_contains(refused({rigid(1, 5, 1, 1, 1), rigid(2, 4, 1, 1, 1)}, {4}),
                       "a file: jobs are not in the order of submission");
    ck_assert_contains(refused({}, {}), "a machine needs nodes");
    ck_assert_contains(refused({}, {4, 0}), "each node cores");
}
END_TEST

START_TEST(stops_when_told) {
    sim::Progress progress;
    progress.stop = true;
    bool stopped = false;
    try {
        sim::simulate({"test", {rigid(1, 0, 1, 1, 1)}, 0}, {{1}}, options("fcfs"), progress);
    } catch (const sim::Stopped &) {
        stopped = true;
    }
    ck_assert(stopped);
}
END_TEST

START_TEST(the_audit_finds_a_core_given_twice_and_work_not_done) {
    const sim::Workload workload = {"test", {rigid(1, 0, 4, 10, 10), rigid(2, 1, 2, 5, 5)}, 0};
    sim::Progress progress;
    const auto good = sim::simulate(workload, {{4}}, options("fcfs"), progress);
    auto twice = good;
    twice.jobs[1].allotments.front().begin = twice.jobs[1].started = 9000;
    twice.jobs[1].ended = 14000;
    ck_assert_contains(audit(twice, options("fcfs")), "6 cores held at 9000");
    auto lazy = good;
    lazy.jobs[1].ended -= 2000;
    lazy.jobs[1].held -= 2000;
    lazy.jobs[1].core_milliseconds -= 2 * 2000;
    ck_assert_contains(audit(lazy, options("fcfs")), "job 2: 3000");
}
END_TEST

} // namespace

int main() {
    TCase *tests = tcase_create("simulate");
    tcase_add_loop_test(tests, plays, 0, static_cast<int>(rows.size()));
    tcase_add_test(tests, tells_the_policy_what_folding_has_cost);
    tcase_add_test(tests, forgets_what_folding_costs_after_30_days);
    tcase_add_test(tests, counts_what_a_requeue_costs);
    tcase_add_test(tests, counts_folds_and_unfolds);
    tcase_add_test(tests, folds_only_as_often_as_resizes_may_cost);
    tcase_add_test(tests, refuses_what_makes_no_sense);
    tcase_add_test(tests, stops_when_told);
    tcase_add_test(tests, the_audit_finds_a_core_given_twice_and_work_not_done);
    return run("simulate", tests);
}
