// SPDX-License-Identifier: GPL-2.0-or-later
//
// Jobs that are to be looked at again a while after they were resized. One that is resized again
// meanwhile is looked at once, after the last time.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace vmall::agent {

class DueJobs {
  public:
    using Clock = std::chrono::steady_clock;

    void put_off(std::uint32_t job, Clock::time_point until) { due_[job] = until; }

    // When the first is due.
    std::optional<Clock::time_point> next() const {
        std::optional<Clock::time_point> first;
        for (const auto &[job, when] : due_)
            if (!first || when < *first)
                first = when;
        return first;
    }

    // Those that are due, which are forgotten.
    std::vector<std::uint32_t> take(Clock::time_point now) {
        std::vector<std::uint32_t> jobs;
        for (auto it = due_.begin(); it != due_.end();) {
            if (it->second > now) {
                ++it;
                continue;
            }
            jobs.push_back(it->first);
            it = due_.erase(it);
        }
        return jobs;
    }

  private:
    std::map<std::uint32_t, Clock::time_point> due_;
};

} // namespace vmall::agent
