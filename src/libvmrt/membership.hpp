// SPDX-License-Identifier: GPL-2.0-or-later
//
// Which ranks of the job are on this node: claiming and freeing slots of the runtime page.
#pragma once

#include "layout/runtime_page.h"
#include "libvmrt/placement.hpp"
#include "libvmrt/process.hpp"

namespace vmall::runtime {

inline constexpr std::uint32_t no_slot = VMALL_RUNTIME_SLOTS;

// Formats a page full of zeros. False if it holds something else than a runtime page of this
// version.
bool prepare(vmall_runtime_page &page);

// Frees the slots of the dead, then claims one; a process that executed another program gets the
// one it has. no_slot if all are taken.
std::uint32_t claim_slot(vmall_runtime_page &page, Owner owner, LocalRank local);

// Nothing happens if the slot is not `owner`'s any more.
void free_slot(vmall_runtime_page &page, std::uint32_t slot, Owner owner);

// One read of /proc per taken slot.
void free_slots_of_the_dead(vmall_runtime_page &page);

// Fills `members` (room for VMALL_RUNTIME_SLOTS) in the order of slots; returns their number.
std::uint32_t list_members(const vmall_runtime_page &page, Member *members);

} // namespace vmall::runtime
