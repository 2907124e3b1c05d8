// SPDX-License-Identifier: GPL-2.0-or-later
//
// What discipline least-work (doc/policy.md) promises to those that wait, on whole workloads.
#include "random_case.hpp"

#include "run.hpp"

#include <algorithm>
#include <optional>
#include <vector>

namespace {

using namespace vmall::policy;
using namespace vmall::sim;

Outcome played(const Case &random) {
    Progress progress;
    return simulate(random.workload, random.machine, random.options, progress);
}

START_TEST(every_job_starts) {
    for (std::uint32_t seed = 0; seed < random_cases; seed++) {
        Case random = RandomCase(seed).any();
        random.options.policy.queue_discipline = "least-work";
        random.options.policy.patience = static_cast<int>(seed % 20);
        for (const JobOutcome &job : played(random).jobs)
            ck_assert_msg(job.end == End::completed ||
                              (job.end == End::killed && job.job->time_limit > 0),
                          "%s, job %u", random.text.c_str(), job.job->id);
    }
}
END_TEST

constexpr Milliseconds second = 1000;
constexpr Milliseconds hour = 3600 * second;
constexpr Milliseconds short_time = 10 * second;

Job job(std::uint32_t id, Milliseconds submit, int processes, Milliseconds runtime,
        bool virtually_malleable) {
    Job result;
    result.id = id;
    result.submit = submit;
    result.sizes = {processes};
    result.runtime_processes = processes;
    result.runtime = runtime;
    result.estimate = runtime / second;
    result.virtually_malleable = virtually_malleable;
    return result;
}

struct Stream {
    const char *name;
    bool wide_is_malleable;
    bool short_are_malleable;
    int patience;
    Milliseconds bound; // for the wide job
};

// A wide job has the most work of all and comes when the machine is full. For hours there come
// short ones, a quarter more than the machine can do. Once the wide one is in front, nobody is
// started who would delay it, so it starts when those have ended that run: ten seconds later where
// nobody is folded, and four times as long at MPL 4, with what folding costs.
constexpr Milliseconds folded_time = 45 * second;
const Stream streams[] = {
    {"nobody is folded", false, false, 10, hour + short_time},
    {"short ones are", false, true, 10, hour + folded_time},
    {"the wide one is", true, false, 10, hour + short_time},
    {"all are", true, true, 10, hour + folded_time},
    {"no patience, nobody is folded", false, false, 0, short_time},
    {"no patience, all are", true, true, 0, folded_time},
};

Case endless(const Stream &stream) {
    Case result;
    result.machine.cores = {8};
    result.options.policy = default_settings();
    result.options.policy.patience = stream.patience;
    constexpr std::uint32_t wide = 3;
    for (std::uint32_t id = 1; id <= 2000; id++)
        result.workload.jobs.push_back(
            id == wide ? job(id, 1 * second, 8, 300 * second, stream.wide_is_malleable)
            : id < wide
                ? job(id, 0, 4, short_time, stream.short_are_malleable)
                : job(id, (id - wide) * 4 * second, 4, short_time, stream.short_are_malleable));
    return result;
}

START_TEST(a_wide_job_starts_though_short_ones_come_without_end) {
    const Stream &stream = streams[_i];
    const Case with_end = endless(stream);
    const JobOutcome wide = played(with_end).jobs[2];
    const Milliseconds waited = wide.started - wide.job->submit;
    ck_assert_msg(wide.end == End::completed && waited <= stream.bound, "%s: %lld ms", stream.name,
                  static_cast<long long>(waited));
}
END_TEST

// Without that the one above would show nothing. Beside jobs that cannot be folded, who cannot
// either has its place in Slurm's order, and who can has it after four times its run time.
START_TEST(with_endless_patience_it_starts_after_their_end_if_all_can_be_folded) {
    const Stream &stream = streams[_i];
    Case random = endless(stream);
    random.options.policy.patience = highest_patience;
    const Milliseconds last = random.workload.jobs.back().submit;
    const JobOutcome wide = played(random).jobs[2];
    const Milliseconds waited = wide.started - wide.job->submit;
    if (!stream.wide_is_malleable)
        ck_assert_int_le(waited, folded_time);
    else if (!stream.short_are_malleable)
        ck_assert_int_le(waited, 4 * wide.job->runtime + short_time);
    else
        ck_assert_int_gt(wide.started, last);
}
END_TEST

// The first in the order that does not fit, and when it could start by what was known then.
struct Reserved {
    JobId job;
    Seconds start = 0;
};

// When so many cores are free if those end as expected that run, or are started before it.
Seconds earliest_start(const Snapshot &snapshot, const std::vector<Action> &actions, int cores) {
    int free = snapshot.nodes.front().free;
    std::vector<std::pair<Seconds, int>> ends;
    for (const RunningJob &job : snapshot.running)
        ends.emplace_back(job.expected_end, job.processes);
    for (const Action &action : actions)
        if (const auto *start = std::get_if<Start>(&action); start && !start->backfilled) {
            const auto job =
                std::find_if(snapshot.waiting.begin(), snapshot.waiting.end(),
                             [&](const WaitingJob &waiting) { return waiting.id == start->id; });
            free -= start->processes;
            ends.emplace_back(snapshot.now + job->estimate, start->processes);
        }
    std::sort(ends.begin(), ends.end());
    Seconds start = snapshot.now;
    for (auto next = ends.begin(); free < cores; ++next) {
        free += next->second;
        start = next->first;
    }
    return start;
}

START_TEST(nobody_starts_after_its_reserved_start) {
    int kept = 0;
    for (std::uint32_t seed = 0; seed < random_cases; seed++) {
        Case random = RandomCase(seed).with_sound_estimates("least-work", seed % 2 == 0);
        random.options.policy.patience = seed % 3 == 0 ? 0 : 10;
        std::optional<Reserved> reserved;
        random.options.on_decision = [&](const Snapshot &snapshot,
                                         const std::vector<Action> &actions) {
            bool others_came_before = false;
            for (const Action &action : actions)
                if (const auto *start = std::get_if<Start>(&action)) {
                    if (reserved && start->id == reserved->job) {
                        ck_assert_msg(snapshot.now <= reserved->start || others_came_before,
                                      "%s, job %u starts at %lld instead of %lld",
                                      random.text.c_str(), start->id.value,
                                      static_cast<long long>(snapshot.now),
                                      static_cast<long long>(reserved->start));
                        reserved.reset();
                        kept++;
                    } else {
                        others_came_before |= !start->backfilled;
                    }
                }
            for (const Action &action : actions)
                if (const auto *wait = std::get_if<Wait>(&action);
                    wait && wait->why.kind == Reason::Kind::cores) {
                    if (reserved && reserved->job == wait->id && !others_came_before)
                        continue;
                    reserved =
                        Reserved{wait->id, earliest_start(snapshot, actions,
                                                          static_cast<int>(wait->why.number))};
                }
        };
        played(random);
    }
    ck_assert_int_gt(kept, static_cast<int>(random_cases));
}
END_TEST

} // namespace

int main() {
    TCase *tests = tcase_create("whole workloads");
    tcase_add_test(tests, every_job_starts);
    constexpr int stream_count = sizeof streams / sizeof *streams;
    tcase_add_loop_test(tests, a_wide_job_starts_though_short_ones_come_without_end, 0,
                        stream_count);
    tcase_add_loop_test(tests, with_endless_patience_it_starts_after_their_end_if_all_can_be_folded,
                        0, stream_count);
    tcase_add_test(tests, nobody_starts_after_its_reserved_start);
    return run("least work", tests);
}
