// SPDX-License-Identifier: GPL-2.0-or-later
//
// Who asks the load-balance detector, and when: the rank with the lowest slot, every 10 ms.
#pragma once

#include "libvmrt/load_balance.hpp"
#include "libvmrt/membership.hpp"

namespace vmall::runtime {

// One per rank, in static storage; only that of the rank with the lowest slot ever does anything.
class Detector {
  public:
    // To be called when the rank has nothing to do, as often as it likes: `members` as of
    // list_members(), `slot` the caller's, `now` of monotonic_ns(). Returns the queues to use,
    // which the rank with the lowest slot has written into the page for the others.
    std::uint32_t sample(vmall_runtime_page &page, const Member *members, std::uint32_t count,
                         std::uint32_t slot, std::uint64_t now);

  private:
    // Numbers the places in the order in which they come up.
    class Places {
      public:
        void begin() {
            count_ = 0;
            for (std::uint16_t &number : numbers_)
                number = 0;
        }
        // The page may hold anything: those that cannot be are one.
        std::uint32_t number_of(std::uint32_t cpu_plus_1) {
            std::uint16_t &number = numbers_[cpu_plus_1 <= VMALL_RUNTIME_CPUS ? cpu_plus_1 : 0];
            if (number == 0)
                number = ++count_;
            return number - 1u;
        }

      private:
        std::uint16_t numbers_[VMALL_RUNTIME_CPUS + 1] = {}, count_ = 0;
    };

    LoadBalance balance_;
    std::uint64_t next_sample_ = 0;
    std::uint32_t membership_ = 0; // of the page, as far as sampled
    // Of one sample; here because the stack is the program's.
    Counters counters_[VMALL_RUNTIME_SLOTS] = {};
    Places places_;
};

} // namespace vmall::runtime
