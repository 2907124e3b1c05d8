// SPDX-License-Identifier: GPL-2.0-or-later
//
// The forms of a time that Slurm's commands take, too.
#include "tools/vmctl/since.hpp"

#include "config/number.hpp"

#include <optional>
#include <stdexcept>

namespace vmall::vmctl {

namespace {

constexpr const char *with_date[] = {"%Y-%m-%dT%H:%M:%S", "%Y-%m-%dT%H:%M", "%Y-%m-%d"};
constexpr const char *of_today[] = {"%H:%M:%S", "%H:%M"};

constexpr struct {
    const char *name;
    std::time_t seconds;
} units[] = {{"second", 1}, {"minute", 60}, {"hour", 3600}, {"day", 86400}};

std::optional<std::time_t> parsed(const std::string &text, const char *format, std::tm parts) {
    const char *end = strptime(text.c_str(), format, &parts);
    if (!end || *end)
        return std::nullopt;
    parts.tm_isdst = -1;
    const std::time_t time = std::mktime(&parts);
    return time < 0 ? std::nullopt : std::optional(time);
}

// "90minutes" ago.
std::optional<std::time_t> ago(const std::string &text, std::time_t now) {
    constexpr long long most = 1'000'000'000;
    const std::size_t digits = text.find_first_not_of("0123456789");
    const auto count = config::whole_number(text.substr(0, digits), 0, most / 86400);
    if (!count || digits == std::string::npos)
        return std::nullopt;
    const std::string unit = text.substr(digits);
    for (const auto &known : units)
        if (unit == known.name || unit == std::string(known.name) + "s")
            return now - *count * known.seconds;
    return std::nullopt;
}

} // namespace

std::time_t parse_since(const std::string &text, std::time_t now) {
    const std::string before_now = "now-";
    if (text.compare(0, before_now.size(), before_now) == 0)
        if (const auto time = ago(text.substr(before_now.size()), now))
            return *time;
    for (const char *format : with_date)
        if (const auto time = parsed(text, format, std::tm{}))
            return *time;
    std::tm today = {};
    localtime_r(&now, &today);
    today.tm_sec = 0;
    for (const char *format : of_today)
        if (const auto time = parsed(text, format, today))
            return *time;
    throw std::invalid_argument("\"" + text +
                                "\" is no time such as 2026-03-01T10:20, 10:20 or now-2hours");
}

} // namespace vmall::vmctl
