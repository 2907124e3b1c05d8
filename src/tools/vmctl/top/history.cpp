// SPDX-License-Identifier: GPL-2.0-or-later
//
// What has changed between one observation and the next.
#include "tools/vmctl/top/history.hpp"

#include <algorithm>
#include <tuple>

namespace vmall::vmctl::top {

namespace {

constexpr std::size_t most_events = 20;

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
                                      const std::vector<wire::Stat> &stats) {
    for (const wire::Stat &stat : stats)
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
    for (const wire::Stat &stat : observation.stats) {
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
    add_events(observation);
}

// What the observation tells takes the place of what is known of that time.
void History::add_events(const Observation &observation) {
    events_.erase(
        std::remove_if(events_.begin(), events_.end(),
                       [&](const wire::HistoryRow &row) { return row.time >= observation.since; }),
        events_.end());
    events_.insert(events_.begin(), observation.events.rbegin(), observation.events.rend());
    events_.resize(std::min(events_.size(), most_events));
}

} // namespace vmall::vmctl::top
