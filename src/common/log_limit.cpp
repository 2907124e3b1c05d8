// SPDX-License-Identifier: GPL-2.0-or-later
//
// Lets a few lines a minute into a log.
#include "common/log_limit.hpp"

#include <utility>

namespace vmall::common {

std::optional<std::string> LogLimit::admit(const std::string &line, Clock::time_point now) {
    const std::lock_guard<std::mutex> guard(mutex_);
    if (!minute_began_ || now >= *minute_began_ + std::chrono::minutes(1)) {
        minute_began_ = now;
        lines_ = 0;
    }
    if (lines_ == lines_in_a_minute) {
        ++left_out_;
        return std::nullopt;
    }
    ++lines_;
    if (left_out_ == 0)
        return line;
    return line + " (before this, " + std::to_string(std::exchange(left_out_, 0)) +
           " such lines were left out)";
}

} // namespace vmall::common
