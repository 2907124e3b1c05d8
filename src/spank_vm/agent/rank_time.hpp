// SPDX-License-Identifier: GPL-2.0-or-later
//
// What of a rank's life was of use.
#pragma once

#include "spank_vm/agent/rank_slots.hpp"

#include <cstdint>
#include <optional>

namespace vmall::agent {

// Nanoseconds; together the rank's age.
struct RankTime {
    std::uint64_t useful_ns = 0;
    std::uint64_t waiting_ns = 0; // in MPI, or asleep elsewhere: for files, devices, a timer
};

// Of a rank that is `age` nanoseconds old, and was awake for so many of them. Nothing: that is not
// known, and what it does not wait in MPI is of use. Takes any slot: nobody waits or sleeps for
// longer than he lives.
RankTime rank_time(const RankSlot &slot, std::uint64_t age, std::optional<std::uint64_t> awake);

} // namespace vmall::agent
