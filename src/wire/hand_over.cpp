// SPDX-License-Identifier: GPL-2.0-or-later
//
// In steps, so that nodes of a kind say the same.
#include "wire/hand_over_json.hpp"

#include <nlohmann/json.hpp>

namespace vmall::wire {

namespace {

constexpr std::int64_t day = 24 * 3600;
constexpr std::uint32_t steps_us[] = {1, 2, 5, 10, 20, 50, 100};

std::string length_of(std::uint32_t ns) {
    std::uint32_t from = 0;
    for (const std::uint32_t to : steps_us) {
        if (ns <= 1000 * to)
            return (from == 0 ? "at most " : std::to_string(from) + " to ") + std::to_string(to) +
                   " us";
        from = to;
    }
    return "more than " + std::to_string(from) + " us";
}

std::string age_of(std::int64_t measured_at, std::int64_t now) {
    const std::int64_t days = now > measured_at ? (now - measured_at) / day : 0;
    return days == 0 ? "in the last 24 h"
                     : std::to_string(days) + (days == 1 ? " day" : " days") + " ago";
}

} // namespace

std::string describe(const HandOver &hand_over, std::int64_t now) {
    return length_of(hand_over.ns) + ", measured " + age_of(hand_over.measured_at, now);
}

Json to_json(const HandOver &hand_over) {
    return {{"ns", hand_over.ns}, {"measured_at", hand_over.measured_at}};
}

HandOver read_hand_over(const Json &json) {
    const Fields fields(json, "hand-over");
    return {fields.number32("ns", 1, highest_hand_over_ns), fields.time("measured_at")};
}

} // namespace vmall::wire
