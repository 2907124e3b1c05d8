// SPDX-License-Identifier: GPL-2.0-or-later
//
// Conservative backfilling on small machines over time: while jobs do not outlast their estimates,
// a promised start never moves back, and is kept.
#include "situation.hpp"
#include "suites.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <vector>

namespace {

using namespace vmall::policy;

constexpr std::uint32_t machines = 300;
constexpr std::uint32_t jobs_of_one = 20;

// Starts jobs exactly where it is told, and ends them when they are over.
class Play {
  public:
    explicit Play(std::uint32_t seed_) : seed(seed_), engine(seed_) {
        Settings settings;
        settings.queue_discipline = "conservative";
        settings.sizing = between(0, 1) == 0 ? "rigid" : "fjt";
        scheduler.emplace(settings);
        for (int count = between(1, 3); count > 0; count--) {
            const int cores = between(2, 8);
            state.nodes.push_back({cores, cores});
        }
    }

    void run() {
        std::uint32_t arrived = 0;
        for (; arrived < jobs_of_one || !state.waiting.empty() || !state.running.empty();
             state.now++) {
            end_jobs();
            while (arrived < jobs_of_one && between(1, 8) == 1)
                state.waiting.push_back(new_job({++arrived}));
            for (const auto &action : scheduler->decide(state))
                std::visit([&](const auto &one) { carry_out(one); }, action);
        }
    }

  private:
    int between(int least, int most) {
        return least + static_cast<int>(engine() % static_cast<std::uint32_t>(most - least + 1));
    }

    // On one node, or equally on several: what it is told leaves the machine no choice.
    WaitingJob new_job(JobId id) {
        const int nodes = between(1, static_cast<int>(state.nodes.size()));
        WaitingJob job;
        job.id = id;
        job.arrival = state.now;
        job.virtually_malleable = nodes > 1 || between(0, 1) == 0;
        job.min_nodes = job.max_nodes = nodes;
        job.sizes = {nodes * between(1, 2)};
        if (job.virtually_malleable && between(0, 1) == 0)
            job.sizes.add(job.sizes.smallest() + nodes);
        job.estimate = job.time_limit = between(1, 30);
        return job;
    }

    void end_jobs() {
        for (auto job = state.running.begin(); job != state.running.end();) {
            if (ends.at(job->id.value) > state.now) {
                ++job;
                continue;
            }
            for (const auto &part : job->allotment)
                state.nodes[part.node.value].free += part.cores;
            job = state.running.erase(job);
        }
    }

    void carry_out(const Start &start) {
        const auto waiting = std::find_if(state.waiting.begin(), state.waiting.end(),
                                          [&](const auto &job) { return job.id == start.id; });
        ck_assert_msg(!waiting->promise || state.now <= waiting->promise->start,
                      "seed %u: job %u starts late", seed, start.id.value);
        RunningJob job;
        job.id = start.id;
        job.arrival = waiting->arrival;
        job.virtually_malleable = waiting->virtually_malleable;
        job.processes = start.processes;
        job.started = state.now;
        job.expected_end = state.now + waiting->estimate;
        ck_assert_int_eq(start.on.size(), waiting->min_nodes);
        for (const auto node : start.on) {
            const int cores = start.processes / waiting->min_nodes;
            job.allotment.push_back({node, cores});
            state.nodes[node.value].free -= cores;
            ck_assert_int_ge(state.nodes[node.value].free, 0);
        }
        ends[start.id.value] =
            state.now + between(1, static_cast<int>(waiting->estimate)); // never longer
        const auto place = std::find_if(state.running.begin(), state.running.end(),
                                        [&](const auto &other) { return start.id < other.id; });
        state.running.insert(place, std::move(job));
        state.waiting.erase(waiting);
    }

    void carry_out(const Wait &wait) {
        ck_assert_msg(wait.promise.has_value(), "seed %u: job %u has no promise", seed,
                      wait.id.value);
        const auto waiting = std::find_if(state.waiting.begin(), state.waiting.end(),
                                          [&](const auto &job) { return job.id == wait.id; });
        ck_assert_msg(!waiting->promise || wait.promise->start <= waiting->promise->start,
                      "seed %u: the start of job %u moves back", seed, wait.id.value);
        waiting->promise = wait.promise;
    }

    template <class Other>
    void carry_out(const Other &) {
        ck_abort_msg("seed %u: what runs is left alone", seed);
    }

    const std::uint32_t seed;
    std::mt19937 engine;
    std::optional<Scheduler> scheduler;
    Snapshot state;
    std::map<std::uint32_t, Seconds> ends;
};

START_TEST(a_promised_start_never_moves_back) {
    for (std::uint32_t seed = 0; seed < machines; seed++)
        Play(seed).run();
}
END_TEST

} // namespace

Suite *promises_suite() {
    Suite *suite = suite_create("promises");
    TCase *play = tcase_create("conservative");
    tcase_add_test(play, a_promised_start_never_moves_back);
    suite_add_tcase(suite, play);
    return suite;
}
