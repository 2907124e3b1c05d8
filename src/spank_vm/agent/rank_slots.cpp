// SPDX-License-Identifier: GPL-2.0-or-later
//
// A copy is read: what the ranks write meanwhile changes nothing.
#include "spank_vm/agent/rank_slots.hpp"

#include "spank_vm/node/runtime_segment.hpp"
#include "wire/rank_report.hpp"

#include <memory>

namespace vmall::agent {

namespace {

// What the page has is passed on as it is.
static_assert(std::uint32_t{VMALL_ENGINE_UCX} == wire::engine_ucx);
static_assert(std::uint32_t{VMALL_ENGINE_OPEN_MPI} == wire::engine_open_mpi);
static_assert(std::uint32_t{VMALL_ENGINE_GENERIC} == wire::engine_generic);
static_assert(std::uint32_t{VMALL_ENGINE_NONE} == wire::engine_none);

bool is_formatted(const vmall_runtime_page &page) {
    return page.magic == VMALL_RUNTIME_MAGIC && page.version == VMALL_RUNTIME_VERSION &&
           page.size == sizeof page;
}

} // namespace

RankPage read_rank_page(std::uint32_t runtime_key) {
    const auto page = std::make_unique<vmall_runtime_page>();
    RankPage read;
    if (!spank_vm::read_runtime_segment(runtime_key, *page) || !is_formatted(*page))
        return read;
    read.engines = page->engines;
    for (const vmall_runtime_slot &slot : page->slots)
        if (slot.owner != 0)
            read.slots.push_back({static_cast<pid_t>(slot.owner >> 32),
                                  static_cast<std::uint32_t>(slot.owner), slot.waiting_ns,
                                  slot.asleep_ns, slot.switches, slot.sent});
    return read;
}

} // namespace vmall::agent
