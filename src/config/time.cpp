// SPDX-License-Identifier: GPL-2.0-or-later
//
// Times as Slurm's --time takes them, but to the second.
#include "common/split.hpp"
#include "config/job_request.hpp"
#include "config/number.hpp"

#include <string_view>

namespace vmall::config {

namespace {

constexpr policy::Seconds minute = 60, hour = 60 * minute, day = 24 * hour;

[[noreturn]] void refuse(const std::string &text) {
    throw RequestError(
        quoted(text) +
        " is not a time: give minutes, minutes:seconds, hours:minutes:seconds, days-hours, "
        "days-hours:minutes or days-hours:minutes:seconds, more than 0 and at most " +
        std::to_string(highest_time / day) + " days");
}

// The numbers between the colons, at most three.
std::vector<policy::Seconds> fields(std::string_view part, const std::string &text) {
    std::vector<policy::Seconds> numbers;
    for (const std::string_view field : common::split(part, ':')) {
        const auto number = whole_number(field, 0, highest_time);
        if (!number || numbers.size() == 3)
            refuse(text);
        numbers.push_back(*number);
    }
    return numbers;
}

policy::Seconds without_days(const std::string &text) {
    const auto part = fields(text, text);
    switch (part.size()) {
    case 1:
        return part[0] * minute;
    case 2:
        return part[0] * minute + part[1];
    default:
        return part[0] * hour + part[1] * minute + part[2];
    }
}

policy::Seconds with_days(const std::string &text, std::size_t dash) {
    const auto days = whole_number(std::string_view(text).substr(0, dash), 0, highest_time / day);
    if (!days)
        refuse(text);
    auto part = fields(std::string_view(text).substr(dash + 1), text);
    part.resize(3, 0);
    return *days * day + part[0] * hour + part[1] * minute + part[2];
}

} // namespace

policy::Seconds parse_time(const std::string &text) {
    const auto dash = text.find('-');
    const policy::Seconds time =
        dash == std::string::npos ? without_days(text) : with_days(text, dash);
    if (time < 1 || time > highest_time)
        refuse(text);
    return time;
}

} // namespace vmall::config
