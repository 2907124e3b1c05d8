// SPDX-License-Identifier: GPL-2.0-or-later
//
// Job mixes, and a check of schedules that shares no code with the policies.
#include "jobs.hpp"

namespace jobs {

using vmall::policy::buddy::Schedule;

std::string to_text(const Schedule &schedule) {
    std::string text;
    for (const auto &job : schedule.jobs) {
        text += (text.empty() ? "" : " ") + std::to_string(job.processors) + "x" +
                std::to_string(job.slots) + "@" + std::to_string(job.first_processor) + "," +
                std::to_string(job.first_slot);
    }
    return text;
}

std::string fault(const Schedule &schedule, const Minima &minima) {
    const int slots = static_cast<int>(minima.size());
    if (schedule.jobs.size() != minima.size())
        return "not one rectangle for each job";
    std::vector<int> owner(schedule.processors * slots, -1);
    for (int job = 0; job < slots; job++) {
        const auto &part = schedule.jobs[job];
        const std::string name = "job " + std::to_string(job);
        if (part.processors < minima[job])
            return name + " has too few processors";
        if (part.processors * part.slots != schedule.processors)
            return name + " has not its share";
        if (part.first_processor < 0 || part.first_slot < 0 ||
            part.first_processor + part.processors > schedule.processors ||
            part.first_slot + part.slots > slots)
            return name + " is outside";
        for (int x = part.first_processor; x < part.first_processor + part.processors; x++) {
            for (int y = part.first_slot; y < part.first_slot + part.slots; y++) {
                int &place = owner[x * slots + y];
                if (place != -1)
                    return name + " is where job " + std::to_string(place) + " is";
                place = job;
            }
        }
    }
    return ""; // equal shares that do not overlap leave nothing idle
}

std::vector<int> powers_of_two(int highest) {
    std::vector<int> powers;
    for (int power = 1; power <= highest; power *= 2)
        powers.push_back(power);
    return powers;
}

std::vector<int> divisors(int number) {
    std::vector<int> found;
    for (int divisor = 1; divisor <= number; divisor++)
        if (number % divisor == 0)
            found.push_back(divisor);
    return found;
}

Minima random_mix(std::mt19937_64 &random, int processors, int count) {
    Minima mix;
    for (int i = 0; i < count; i++) {
        int minimum = 1 + static_cast<int>(random() % processors);
        for (int halvings = static_cast<int>(random() % 6); halvings > 0 && minimum > 1; halvings--)
            minimum = (minimum + 1) / 2;
        mix.push_back(minimum);
    }
    return mix;
}

} // namespace jobs
