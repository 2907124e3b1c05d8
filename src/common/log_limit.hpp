// SPDX-License-Identifier: GPL-2.0-or-later
//
// Lets a few lines a minute into a log, for lines that anybody can cause.
#pragma once

#include <chrono>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>

namespace vmall::common {

// Threads may share it.
class LogLimit {
  public:
    using Clock = std::chrono::steady_clock;
    static constexpr int lines_in_a_minute = 10;

    // What to log: the line, with how many were left out before it, or nothing.
    std::optional<std::string> admit(const std::string &line, Clock::time_point now = Clock::now());

  private:
    std::mutex mutex_;
    std::optional<Clock::time_point> minute_began_;
    int lines_ = 0; // admitted since then
    std::uint64_t left_out_ = 0;
};

} // namespace vmall::common
