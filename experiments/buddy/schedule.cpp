// SPDX-License-Identifier: GPL-2.0-or-later
//
// What the policies of this folder have in common.
#include "experiments/buddy/schedule.hpp"

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <string>

namespace vmall::policy::buddy {

int reallocated_processors(const Schedule &schedule) {
    const int slots = static_cast<int>(schedule.jobs.size());
    int reallocated = 0;
    for (const auto &job : schedule.jobs)
        if (job.slots < slots)
            reallocated += job.processors;
    return reallocated;
}

void check_jobs(int processors, const std::vector<int> &minima) {
    if (processors < 1)
        throw std::invalid_argument("a schedule needs a processor");
    if (minima.empty())
        throw std::invalid_argument("a schedule needs a job");
    for (const int minimum : minima) {
        if (minimum < 1 || minimum > processors) {
            throw std::invalid_argument("a job needs at least " + std::to_string(minimum) +
                                        " processors, which is not from 1 to " +
                                        std::to_string(processors));
        }
    }
}

std::vector<int> smallest_minimum_first(const std::vector<int> &minima) {
    std::vector<int> jobs(minima.size());
    std::iota(jobs.begin(), jobs.end(), 0);
    std::stable_sort(jobs.begin(), jobs.end(),
                     [&](int left, int right) { return minima[left] < minima[right]; });
    return jobs;
}

} // namespace vmall::policy::buddy
