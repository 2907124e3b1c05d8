// SPDX-License-Identifier: GPL-2.0-or-later
//
// What a rank that takes no turns waits: as many polls in vain as it made, times what one takes. A
// clock for each would cost more than the poll; so one poll in many is timed.
#pragma once

#include "layout/runtime_page.h"
#include "libvmrt/shared_word.hpp"

#include <cstdint>

namespace vmall::runtime {

class VainPolls {
  public:
    // The last poll brought something. Any thread may say so.
    void received() { store_relaxed(timing_, false); }

    // It did not, for a rank that goes on at once. Into the slot, late by `batch` polls at most.
    void count(vmall_runtime_slot &slot) {
        ++polls_;
        if (load_relaxed(timing_) || polls_ % batch == 0)
            measure(slot);
    }

  private:
    static constexpr std::uint32_t batch = 64, timed_of_batches = 8;

    void measure(vmall_runtime_slot &slot);

    bool timing_ = false; // atomic; since start_, if nothing comes
    std::uint32_t polls_ = 0;
    std::uint64_t start_ = 0;
    std::uint64_t poll_ns_ = 0; // 0: not known
};

} // namespace vmall::runtime
