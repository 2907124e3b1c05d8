// SPDX-License-Identifier: GPL-2.0-or-later
//
// What must hold for every workload under every policy, on thousands of small random ones. What is
// expected is worked out from the outcome alone, without code of the policies.
#include "random_case.hpp"

#include "run.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <sstream>

namespace {

using namespace vmall::policy;
using namespace vmall::sim;

Outcome played(const Case &random) {
    Progress progress;
    try {
        return simulate(random.workload, random.machine, random.options, progress);
    } catch (const std::exception &error) {
        ck_abort_msg("%s: %s", random.text.c_str(), error.what());
    }
}

bool kills(const Case &random) {
    return random.options.policy.window_policy == "kill";
}

std::string as_text(const Outcome &outcome) {
    std::ostringstream text;
    for (const auto &job : outcome.jobs) {
        text << job.job->id << ' ' << static_cast<int>(job.end) << ' ' << job.started << ' '
             << job.ended << ' ' << job.held << ' ' << job.folds << ' ' << job.unfolds << ' '
             << job.expiries << ' ' << job.starts << ' ' << job.wasted << '\n';
        for (const auto &change : job.allotments)
            text << "  " << change.begin << ' ' << change.cores << ' ' << change.mpl << '\n';
    }
    return text.str();
}

// A job holds `cores` from `begin` to `end`.
struct Stretch {
    Milliseconds begin;
    Milliseconds end;
    int cores;
    int mpl;
};

std::vector<Stretch> stretches(const JobOutcome &job) {
    std::vector<Stretch> result;
    for (std::size_t i = 0; i < job.allotments.size(); i++) {
        const auto &[begin, cores, mpl] = job.allotments[i];
        const bool last = i + 1 == job.allotments.size();
        result.push_back({begin, last ? job.ended : job.allotments[i + 1].begin, cores, mpl});
    }
    return result;
}

START_TEST(no_core_is_in_two_allotments) {
    for (std::uint32_t seed = 0; seed < random_cases; seed++) {
        const Case random = RandomCase(seed).any();
        const Outcome outcome = played(random);
        std::map<Milliseconds, int> changes;
        for (const auto &job : outcome.jobs) {
            for (const auto &one : stretches(job)) {
                ck_assert_msg(one.begin <= one.end && one.cores >= 0, "%s", random.text.c_str());
                changes[one.begin] += one.cores;
                changes[one.end] -= one.cores;
            }
        }
        int held = 0;
        for (const auto &[time, change] : changes) {
            held += change;
            ck_assert_msg(held >= 0 && held <= outcome.cores, "%s: %d of %d cores at %lld",
                          random.text.c_str(), held, outcome.cores, static_cast<long long>(time));
        }
        ck_assert_int_eq(held, 0);
    }
}
END_TEST

// The simulator itself watches every node; of a machine of one node the outcome tells, too. None
// waits for ever.
START_TEST(no_memory_is_given_twice) {
    int waited = 0;
    for (std::uint32_t seed = 0; seed < random_cases; seed++) {
        Case random = RandomCase(seed).any();
        const Outcome without = played(random);
        const int percent = 1 + static_cast<int>(seed % 100);
        random.options.memory = share_of_memory(percent);
        const Outcome outcome = played(random);
        waited += as_text(without) != as_text(outcome);
        std::map<Milliseconds, int> changes;
        for (const auto &job : outcome.jobs) {
            ck_assert_msg(job.end != End::never_started, "%s", random.text.c_str());
            if (job.starts > 1 && random.options.policy.window_policy != "suspend")
                continue; // with how many processes it was started before is not told
            const int needed = job.processes * percent;
            for (const auto &one : stretches(job)) {
                changes[one.begin] += one.cores > 0 ? needed : 0;
                changes[one.end] -= one.cores > 0 ? needed : 0;
            }
        }
        int held = 0;
        for (const auto &[time, change] : changes) {
            held += change;
            ck_assert_msg(held <= outcome.cores * 100, "%s: %d parts of a core's memory at %lld",
                          random.text.c_str(), held, static_cast<long long>(time));
        }
    }
    ck_assert_uint_gt(waited, random_cases / 20);
}
END_TEST

double speedup(const Job &job, double processors) {
    return job.speedup ? 1 / (0.25 + 0.75 / processors) : processors;
}

// From the last start on: what was done before a requeue is lost.
START_TEST(work_done_is_work_given) {
    int folded = 0;
    for (std::uint32_t seed = 0; seed < random_cases; seed++) {
        const Case random = RandomCase(seed).any();
        for (const auto &result : played(random).jobs) {
            if (result.end != End::completed)
                continue;
            double done = 0;
            for (const auto &one : stretches(result)) {
                if (one.cores == 0 && random.options.policy.window_policy == "requeue")
                    done = 0;
                if (one.cores > 0) {
                    const double processors =
                        result.job->malleable ? one.cores : 1.0 * result.processes / one.mpl;
                    const double speed = speedup(*result.job, processors) /
                                         random.options.folding_cost.by_mpl[one.mpl - 1];
                    done += static_cast<double>(one.end - one.begin) * speed /
                            speedup(*result.job, result.job->runtime_processes);
                }
                folded += one.mpl > 1;
            }
            const double off = std::abs(done - static_cast<double>(result.job->runtime));
            const double of_a_millisecond = speedup(*result.job, result.processes);
            ck_assert_msg(off <= std::max(1.0, of_a_millisecond), "%s, job %u: %f of %lld done",
                          random.text.c_str(), result.job->id, done,
                          static_cast<long long>(result.job->runtime));
        }
    }
    ck_assert_uint_gt(folded, random_cases / 30);
}
END_TEST

START_TEST(no_job_starves) {
    for (std::uint32_t seed = 0; seed < random_cases; seed++) {
        const Case random = RandomCase(seed).any();
        for (const auto &result : played(random).jobs) {
            const bool may_be_killed = result.job->time_limit > 0 || kills(random);
            ck_assert_msg(result.end == End::completed ||
                              (result.end == End::killed && may_be_killed),
                          "%s, job %u", random.text.c_str(), result.job->id);
        }
    }
}
END_TEST

START_TEST(only_requeueing_and_killing_lose_work) {
    std::map<std::string, int> expired;
    for (std::uint32_t seed = 0; seed < random_cases; seed++) {
        const Case random = RandomCase(seed).any();
        const auto window = random.options.policy.window_policy;
        for (const auto &result : played(random).jobs) {
            expired[window->name] += result.expiries;
            if (window == "requeue" || result.end == End::killed)
                continue;
            ck_assert_msg(result.wasted == 0 && result.starts == 1, "%s, job %u",
                          random.text.c_str(), result.job->id);
        }
    }
    for (const auto window : {"shrink", "requeue", "kill", "suspend"})
        ck_assert_uint_gt(expired[window], random_cases / 300);
}
END_TEST

START_TEST(the_same_input_gives_the_same_outcome) {
    for (std::uint32_t seed = 0; seed < random_cases / 4; seed++) {
        const std::string first = as_text(played(RandomCase(seed).any()));
        const std::string second = as_text(played(RandomCase(seed).any()));
        ck_assert_str_eq(first.c_str(), second.c_str());
    }
}
END_TEST

START_TEST(fcfs_is_easy_with_one_core_jobs) {
    for (std::uint32_t seed = 0; seed < random_cases; seed++) {
        Case random = RandomCase(seed).with_sound_estimates("fcfs", false);
        for (auto &job : random.workload.jobs) {
            job.sizes = {1};
            job.runtime_processes = 1;
        }
        const Outcome fcfs = played(random);
        random.options.policy.queue_discipline = "easy";
        const Outcome easy = played(random);
        for (std::size_t i = 0; i < fcfs.jobs.size(); i++) {
            ck_assert_msg(fcfs.jobs[i].started == easy.jobs[i].started, "%s, job %u",
                          random.text.c_str(), fcfs.jobs[i].job->id);
        }
    }
}
END_TEST

Milliseconds estimated_end(const JobOutcome &job, Milliseconds now) {
    const Milliseconds end = job.started + job.job->estimate * 1000;
    return std::max(end, now);
}

// When a job can start that is the head of the queue now, if those end as estimated that run.
Milliseconds promised_start(const Outcome &outcome, const JobOutcome &head, Milliseconds now) {
    std::multimap<Milliseconds, int> releases;
    int free = outcome.cores;
    for (const auto &other : outcome.jobs) {
        // At the same instant, those that arrived earlier start before it.
        const bool runs =
            other.ended > now && (other.started < now || (other.started == now && &other < &head));
        if (runs) {
            free -= other.processes;
            releases.emplace(estimated_end(other, now), other.processes);
        }
    }
    Milliseconds start = now;
    for (auto next = releases.begin(); free < head.processes; ++next) {
        free += next->second;
        start = next->first;
    }
    return start;
}

START_TEST(easy_does_not_delay_the_head) {
    int backfilled = 0;
    for (std::uint32_t seed = 0; seed < random_cases; seed++) {
        Case random = RandomCase(seed).with_sound_estimates("easy", false);
        if (seed % 2 == 1)
            random.options.policy.backfill_order = BackfillOrder::shortest;
        const Outcome outcome = played(random);
        Milliseconds head_since = 0;
        for (const auto &head : outcome.jobs) {
            head_since = std::max(head_since, head.job->submit);
            const Milliseconds promise = promised_start(outcome, head, head_since);
            ck_assert_msg(head.started <= promise, "%s, job %u starts at %lld instead of %lld",
                          random.text.c_str(), head.job->id, static_cast<long long>(head.started),
                          static_cast<long long>(promise));
            head_since = std::max(head_since, head.started);
            backfilled += head.backfilled;
        }
    }
    ck_assert_uint_gt(backfilled, random_cases / 3);
}
END_TEST

// In order of arrival, each at the first time when its cores are free for as long as it runs.
std::vector<Milliseconds> planned_starts(const Workload &workload, int cores) {
    std::vector<Stretch> planned;
    std::vector<Milliseconds> starts;
    for (const auto &job : workload.jobs) {
        std::set<Milliseconds> times = {job.submit};
        for (const auto &other : planned)
            times.insert(std::max(other.end, job.submit));
        const int size = job.sizes.smallest();
        const auto fits_at = [&](Milliseconds time) {
            int held = 0;
            for (const auto &other : planned)
                held += other.begin <= time && time < other.end ? other.cores : 0;
            return held + size <= cores;
        };
        const auto fits_from = [&](Milliseconds begin) {
            return fits_at(begin) &&
                   std::all_of(planned.begin(), planned.end(), [&](const Stretch &other) {
                       return other.begin <= begin || other.begin >= begin + job.runtime ||
                              fits_at(other.begin);
                   });
        };
        const Milliseconds start = *std::find_if(times.begin(), times.end(), fits_from);
        planned.push_back({start, start + job.runtime, size, 1});
        starts.push_back(start);
    }
    return starts;
}

START_TEST(conservative_delays_nobody) {
    for (std::uint32_t seed = 0; seed < random_cases; seed++) {
        const Case random = RandomCase(seed).with_sound_estimates("conservative", true);
        const auto planned = planned_starts(random.workload, random.machine.cores.front());
        const Outcome outcome = played(random);
        for (std::size_t i = 0; i < planned.size(); i++) {
            ck_assert_msg(outcome.jobs[i].started == planned[i],
                          "%s, job %zu starts at %lld instead of %lld", random.text.c_str(), i + 1,
                          static_cast<long long>(outcome.jobs[i].started),
                          static_cast<long long>(planned[i]));
        }
    }
}
END_TEST

} // namespace

int main() {
    TCase *tests = tcase_create("random workloads");
    tcase_add_test(tests, no_core_is_in_two_allotments);
    tcase_add_test(tests, no_memory_is_given_twice);
    tcase_add_test(tests, work_done_is_work_given);
    tcase_add_test(tests, no_job_starves);
    tcase_add_test(tests, only_requeueing_and_killing_lose_work);
    tcase_add_test(tests, the_same_input_gives_the_same_outcome);
    tcase_add_test(tests, fcfs_is_easy_with_one_core_jobs);
    tcase_add_test(tests, easy_does_not_delay_the_head);
    tcase_add_test(tests, conservative_delays_nobody);
    return run("properties", tests);
}
