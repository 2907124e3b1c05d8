// SPDX-License-Identifier: GPL-2.0-or-later
//
// EQUI-EPOCH, and the greedy rule that looks just as good and is not.
#include "experiments/buddy/equi_epoch.hpp"

#include <algorithm>
#include <set>

namespace vmall::policy::buddy {

namespace {

// Jobs of the next epoch: the most that can share the processors equally. `largest_minimum(n)` is
// that of the next n jobs.
template <typename LargestMinimum>
int next_epoch(int processors, int jobs, LargestMinimum largest_minimum) {
    int count = std::min(jobs, processors);
    while (processors % count != 0 || largest_minimum(count) > processors / count)
        count--;
    return count;
}

// One job always fits, so this ends.
template <typename LargestMinimum>
Schedule fill_epochs(int processors, const std::vector<int> &jobs, LargestMinimum largest_minimum) {
    Schedule schedule = {processors, std::vector<Rectangle>(jobs.size())};
    const int all = static_cast<int>(jobs.size());
    for (int first = 0; first < all;) {
        const int count = next_epoch(processors, all - first,
                                     [&](int n) { return largest_minimum(&jobs[first], n); });
        const int width = processors / count;
        for (int i = 0; i < count; i++)
            schedule.jobs[jobs[first + i]] = {i * width, width, first, count};
        first += count;
    }
    return schedule;
}

} // namespace

Schedule equi_epoch_schedule(int processors, const std::vector<int> &minima) {
    check_jobs(processors, minima);
    return fill_epochs(processors, smallest_minimum_first(minima),
                       [&](const int *next, int count) { return minima[next[count - 1]]; });
}

Schedule largest_first_epoch_schedule(int processors, const std::vector<int> &minima) {
    check_jobs(processors, minima);
    auto jobs = smallest_minimum_first(minima);
    std::reverse(jobs.begin(), jobs.end());
    return fill_epochs(processors, jobs, [&](const int *next, int) { return minima[next[0]]; });
}

int epochs(const Schedule &schedule) {
    std::set<int> starts;
    for (const auto &job : schedule.jobs)
        starts.insert(job.first_slot);
    return static_cast<int>(starts.size());
}

} // namespace vmall::policy::buddy
