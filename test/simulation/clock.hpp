// SPDX-License-Identifier: GPL-2.0-or-later
//
// The program's time: std::chrono::steady_clock, time() and timed waits go by it.
#pragma once

#include <chrono>
#include <ctime>

namespace vmall::simulation {

struct Clock {
    std::chrono::milliseconds steady{std::chrono::hours(1)};
    std::time_t set_to = 0; // what the clock on the wall was set forward or back by

    std::time_t wall() const {
        return 1'700'000'000 + set_to +
               std::chrono::duration_cast<std::chrono::seconds>(steady).count();
    }
};
inline Clock now;

} // namespace vmall::simulation
