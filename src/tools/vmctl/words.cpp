// SPDX-License-Identifier: GPL-2.0-or-later
//
// Times, names and numbers as people read them.
#include "tools/vmctl/words.hpp"

#include "tools/vmctl/layout.hpp"

#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <pwd.h>

namespace vmall::vmctl {

namespace {

constexpr std::size_t longest_name = 20;
constexpr std::uint64_t minute = 60, hour = 60 * minute, day = 24 * hour;

// Longer ones, and moments that have no calendar, are left as numbers.
std::string formatted(std::time_t time, const char *format) {
    std::tm parts = {};
    char text[64];
    if (!localtime_r(&time, &parts) || !std::strftime(text, sizeof text, format, &parts))
        return std::to_string(time);
    return text;
}

} // namespace

std::string user_name(uid_t uid) {
    const passwd *entry = getpwuid(uid);
    return entry ? entry->pw_name : std::to_string(uid);
}

std::string local_time(std::time_t time) {
    const char *format = std::getenv("SLURM_TIME_FORMAT");
    return formatted(time, format && std::strchr(format, '%') ? format : "%FT%T");
}

std::string time_of_day(std::time_t time) {
    return formatted(time, "%T");
}

std::string duration(std::uint64_t seconds) {
    char text[64];
    const std::uint64_t hours = seconds % day / hour, minutes = seconds % hour / minute;
    if (seconds >= day)
        std::snprintf(text, sizeof text, "%" PRIu64 "-%02" PRIu64 ":%02" PRIu64 ":%02" PRIu64,
                      seconds / day, hours, minutes, seconds % minute);
    else
        std::snprintf(text, sizeof text, "%02" PRIu64 ":%02" PRIu64 ":%02" PRIu64, hours, minutes,
                      seconds % minute);
    return text;
}

std::string short_name(const std::string &name) {
    return printable(name).substr(0, longest_name);
}

std::string count_of(std::uint64_t count, const std::string &one) {
    return std::to_string(count) + " " + one + (count == 1 ? "" : "s");
}

} // namespace vmall::vmctl
