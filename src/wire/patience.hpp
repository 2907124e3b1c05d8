// SPDX-License-Identifier: GPL-2.0-or-later
//
// A deadline as poll() takes it.
#pragma once

#include <algorithm>
#include <chrono>

namespace vmall::wire {

// Rounded up, so that a wait never ends before the deadline; at least 0, at most an hour.
inline int milliseconds_until(std::chrono::steady_clock::time_point deadline) {
    using std::chrono::milliseconds;
    const auto left = deadline - std::chrono::steady_clock::now();
    return static_cast<int>(
        std::clamp(std::chrono::ceil<milliseconds>(left), milliseconds(0), milliseconds(3600000))
            .count());
}

} // namespace vmall::wire
