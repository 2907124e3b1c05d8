// SPDX-License-Identifier: GPL-2.0-or-later
//
// What a rank does that has nothing to do in its turn (thesis, s. 4.3.1 a). Pure.
#pragma once

#include "libvmrt/control_view.hpp"

namespace vmall::runtime {

// The turn of periodic boost lasts so long, unless the rank computes on.
inline constexpr std::uint64_t boost_period_ns = 10'000'000;

// So long a rank polls on while no other one has got a message: about what the turns of the others
// would take, in vain. Not all that a rank waits for is counted as a message (the end of its own
// sends, what others put into its memory), so the turns go round then.
inline constexpr std::uint64_t hold_ns = 10'000;

// Whether a rank polls again, its turn being `turn_ns` old and its wait `wait_ns`. A wait goes on
// through turns in vain, so a rank spins once in it, not in each of them.
inline bool keeps_turn(const Rules &rules, std::uint64_t turn_ns, std::uint64_t wait_ns) {
    if (rules.sharing == VMALL_SHARING_PERIODIC_BOOST)
        return turn_ns < boost_period_ns;
    return rules.waiting == VMALL_WAITING_SPIN && wait_ns < std::uint64_t{rules.spin_us} * 1000;
}

} // namespace vmall::runtime
