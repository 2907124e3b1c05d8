// SPDX-License-Identifier: GPL-2.0-or-later
//
// BUDDY (figure 6.3).
#include "experiments/buddy/buddy.hpp"

#include "experiments/buddy/frontier.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace vmall::policy::buddy {

namespace {

bool is_power_of_two(int number) {
    return number > 0 && (number & (number - 1)) == 0;
}

int power_of_two_from(int number) {
    int power = 1;
    while (power < number)
        power *= 2;
    return power;
}

void check_power_of_two(const char *what, int number) {
    if (!is_power_of_two(number)) {
        throw std::invalid_argument("BUDDY needs a power of two of " + std::string(what) +
                                    ", not " + std::to_string(number));
    }
}

// The jobs with these indices, in this order, in an interval with as many slots.
void place(Schedule &schedule, const std::vector<int> &minima,
           std::vector<int>::const_reverse_iterator job, int count, int first_slot) {
    Frontier frontier(schedule.processors, count);
    for (const auto end = job + count; job != end; ++job) {
        const int most = schedule.processors / power_of_two_from(minima[*job]);
        const int slots = std::min(most, forced_slots(frontier.lowest_forced(), count));
        schedule.jobs[*job] = frontier.place(schedule.processors / slots, slots);
        schedule.jobs[*job].first_slot += first_slot;
    }
}

} // namespace

Schedule buddy_schedule(int processors, const std::vector<int> &minima) {
    check_power_of_two("jobs", static_cast<int>(minima.size()));
    return grouped_buddy_schedule(processors, minima);
}

Schedule grouped_buddy_schedule(int processors, const std::vector<int> &minima) {
    check_jobs(processors, minima);
    check_power_of_two("processors", processors);
    const auto jobs = smallest_minimum_first(minima);
    const int count = static_cast<int>(jobs.size());
    Schedule schedule = {processors, std::vector<Rectangle>(jobs.size())};
    int placed = 0;
    while (placed < count) {
        const int left = count - placed;
        const int group = left & -left; // the smallest of the powers of two that add up to `left`
        place(schedule, minima, jobs.rbegin() + placed, group, placed);
        placed += group;
    }
    return schedule;
}

} // namespace vmall::policy::buddy
