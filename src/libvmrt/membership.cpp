// SPDX-License-Identifier: GPL-2.0-or-later
//
// Slots change hands by compare-and-swap of their owner; the membership counter tells everybody.
#include "libvmrt/membership.hpp"

#include "libvmrt/shared_word.hpp"

#include <initializer_list>

namespace vmall::runtime {
namespace {

void tell_everybody(vmall_runtime_page &page) {
    increment(page.membership);
    futex_wake_all(page.membership);
}

void describe(vmall_runtime_page &page, vmall_runtime_slot &slot, LocalRank local) {
    store(slot.state, std::uint32_t{VMALL_RUNTIME_RUNNING});
    for (std::uint32_t *hint :
         {&slot.cpu_plus_1, &slot.turn_on_plus_1, &slot.waits_for, &slot.news, &slot.heard})
        store(*hint, 0u);
    for (std::uint64_t *counter :
         {&slot.switches, &slot.useful_ns, &slot.waiting_ns, &slot.asleep_ns, &slot.sent,
          &slot.arrived, &slot.consumed, &slot.address})
        store_relaxed(*counter, std::uint64_t{0});
    for (std::uint32_t &voice : slot.speaks_as)
        store_relaxed(voice, 0u);
    store(slot.local_rank, local.rank);
    store(slot.local_size, local.size);
    tell_everybody(page);
}

} // namespace

bool prepare(vmall_runtime_page &page) {
    const std::uint32_t magic = load(page.magic);
    if (magic == 0) {
        // Ranks that come at the same time all store the same.
        store(page.version, VMALL_RUNTIME_VERSION);
        store(page.size, static_cast<std::uint32_t>(sizeof page));
        store(page.magic, VMALL_RUNTIME_MAGIC);
        return true;
    }
    return magic == VMALL_RUNTIME_MAGIC && load(page.version) == VMALL_RUNTIME_VERSION &&
           load(page.size) == sizeof page;
}

std::uint32_t claim_slot(vmall_runtime_page &page, Owner owner, LocalRank local) {
    free_slots_of_the_dead(page);
    for (std::uint32_t i = 0; i < VMALL_RUNTIME_SLOTS; ++i) {
        vmall_runtime_slot &slot = page.slots[i];
        if (load(slot.owner) == owner || replace(slot.owner, Owner{0}, owner)) {
            describe(page, slot, local);
            return i;
        }
    }
    return no_slot;
}

void free_slot(vmall_runtime_page &page, std::uint32_t slot, Owner owner) {
    if (replace(page.slots[slot].owner, owner, Owner{0}))
        tell_everybody(page);
}

void free_slots_of_the_dead(vmall_runtime_page &page) {
    for (std::uint32_t i = 0; i < VMALL_RUNTIME_SLOTS; ++i) {
        const Owner owner = load_relaxed(page.slots[i].owner);
        if (owner != 0 && is_gone(owner))
            free_slot(page, i, owner);
    }
}

std::uint32_t list_members(const vmall_runtime_page &page, Member *members) {
    std::uint32_t count = 0;
    for (std::uint32_t i = 0; i < VMALL_RUNTIME_SLOTS; ++i) {
        const vmall_runtime_slot &slot = page.slots[i];
        const LocalRank local{load(slot.local_rank), load(slot.local_size)};
        if (load(slot.owner) != 0 && local.rank < local.size && local.size <= VMALL_RUNTIME_SLOTS)
            members[count++] = {i, local};
    }
    return count;
}

} // namespace vmall::runtime
