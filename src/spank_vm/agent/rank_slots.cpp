// SPDX-License-Identifier: GPL-2.0-or-later
//
// A copy is read: what the ranks write meanwhile changes nothing.
#include "spank_vm/agent/rank_slots.hpp"

#include "spank_vm/node/runtime_segment.hpp"

#include <memory>

namespace vmall::agent {

namespace {

bool is_formatted(const vmall_runtime_page &page) {
    return page.magic == VMALL_RUNTIME_MAGIC && page.version == VMALL_RUNTIME_VERSION &&
           page.size == sizeof page;
}

} // namespace

std::vector<RankSlot> read_rank_slots(std::uint32_t runtime_key) {
    const auto page = std::make_unique<vmall_runtime_page>();
    std::vector<RankSlot> slots;
    if (!spank_vm::read_runtime_segment(runtime_key, *page) || !is_formatted(*page))
        return slots;
    for (const vmall_runtime_slot &slot : page->slots)
        if (slot.owner != 0)
            slots.push_back({static_cast<pid_t>(slot.owner >> 32),
                             static_cast<std::uint32_t>(slot.owner), slot.useful_ns,
                             slot.waiting_ns, slot.switches, slot.sent});
    return slots;
}

} // namespace vmall::agent
