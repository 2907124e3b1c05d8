// SPDX-License-Identifier: GPL-2.0-or-later
//
// Who sleeps until his turn waits already; any other sleep comes on top.
#include "spank_vm/agent/rank_time.hpp"

#include <algorithm>

namespace vmall::agent {

RankTime rank_time(const RankSlot &slot, std::uint64_t age, std::optional<std::uint64_t> awake) {
    const std::uint64_t waited = std::min(slot.waiting_ns, age);
    const std::uint64_t asleep = age - std::min(awake.value_or(age), age);
    const std::uint64_t elsewhere = asleep - std::min({slot.asleep_ns, waited, asleep});
    const std::uint64_t waiting = waited + std::min(elsewhere, age - waited);
    return {age - waiting, waiting};
}

} // namespace vmall::agent
