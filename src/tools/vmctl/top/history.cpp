// SPDX-License-Identifier: GPL-2.0-or-later
//
// What has changed between one observation and the next.
#include "tools/vmctl/top/history.hpp"

#include <algorithm>
#include <tuple>

namespace vmall::vmctl::top {

namespace {

bool begins(const std::string &text, const std::string &with) {
    return text.compare(0, with.size(), with) == 0;
}

// Neither a number of the moment nor one of time or passes, which always grow.
bool counts_events(const std::string &name) {
    return name != "passes" && name != "resizes_pending" && !begins(name, "jobs_") &&
           !begins(name, "cores_") && name.find("seconds") == std::string::npos;
}

bool newer(const Growth &one, const Growth &other) {
    return std::tie(other.seen, one.name) < std::tie(one.seen, other.name);
}

} // namespace

std::optional<std::uint64_t> value_of(const std::string &name,
                                      const std::vector<control::Stat> &stats) {
    for (const control::Stat &stat : stats)
        if (stat.name == name)
            return stat.value;
    return std::nullopt;
}

void History::add(const Observation &observation) {
    const auto grown = [&](const std::string &name) {
        const auto before = value_of(name, before_), now = value_of(name, observation.stats);
        return before && now && *now > *before ? *now - *before : 0;
    };
    if (const std::uint64_t count = grown("passes"))
        passes_ = {observation.at, grown("pass_microseconds") / count};
    for (const control::Stat &stat : observation.stats) {
        const std::uint64_t by = counts_events(stat.name) ? grown(stat.name) : 0;
        if (by == 0)
            continue;
        growths_.erase(std::remove_if(growths_.begin(), growths_.end(),
                                      [&](const Growth &old) { return old.name == stat.name; }),
                       growths_.end());
        growths_.push_back({stat.name, by, stat.value, observation.at});
    }
    std::sort(growths_.begin(), growths_.end(), newer);
    before_ = observation.stats;
}

} // namespace vmall::vmctl::top
