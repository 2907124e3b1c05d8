// SPDX-License-Identifier: GPL-2.0-or-later
//
// What a rank's time was: of use (it computed, or a poll brought something), or spent on polls in
// vain. Counted into its slot of the runtime page, for people.
#pragma once

#include "layout/runtime_page.h"
#include "libvmrt/shared_word.hpp"

#include <cstdint>

namespace vmall::runtime {

// Whether CPU time is asked for, to leave out what other processes took of a CPU: a system call.
enum class Measured { by_the_clock, by_cpu_time };

// Times are those of monotonic_ns().
class UsefulTime {
  public:
    // The last poll brought something. Any thread may say so.
    void received() { store_relaxed(received_, true); }

    // It did not. The turn began at `turn_start`.
    void polled_in_vain(vmall_runtime_slot &slot, std::uint64_t now, std::uint64_t turn_start,
                        Measured measured);

    // The end of the last stretch of use.
    std::uint64_t wait_start() const { return wait_start_; }

    // Whether there was any since the last call.
    bool take_useful();

  private:
    std::uint64_t without_other_jobs(std::uint64_t length);

    bool received_ = false; // atomic; since the last poll in vain
    bool useful_ = false;
    std::uint64_t wait_start_ = 0;
    std::uint64_t last_poll_ = 0; // in vain
    std::uint64_t had_ = 0;       // CPU time, when useful time was last counted
};

} // namespace vmall::runtime
