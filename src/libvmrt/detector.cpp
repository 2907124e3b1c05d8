// SPDX-License-Identifier: GPL-2.0-or-later
//
// Reads the counters of the page, writes the choice into it.
#include "libvmrt/detector.hpp"

#include "libvmrt/shared_word.hpp"

namespace vmall::runtime {
std::uint32_t Detector::sample(vmall_runtime_page &page, const Member *members, std::uint32_t count,
                               std::uint32_t slot, std::uint64_t now) {
    if (count > 0 && members[0].slot == slot && now >= next_sample_) {
        next_sample_ = now + LoadBalance::sample_period_ns;
        const std::uint32_t membership = load(page.membership);
        if (membership != membership_)
            balance_.restart();
        membership_ = membership;
        places_.begin();
        for (std::uint32_t i = 0; i < count; ++i) {
            const vmall_runtime_slot &rank = page.slots[members[i].slot];
            counters_[i] = {load_relaxed(rank.switches), load_relaxed(rank.useful_ns),
                            places_.number_of(load_relaxed(rank.cpu_plus_1))};
        }
        store_relaxed(page.run_queues,
                      static_cast<std::uint32_t>(balance_.sample(counters_, count)));
    }
    // Anybody may have written there.
    return load_relaxed(page.run_queues) == VMALL_QUEUES_GLOBAL ? VMALL_QUEUES_GLOBAL
                                                                : VMALL_QUEUES_LOCAL;
}

} // namespace vmall::runtime
