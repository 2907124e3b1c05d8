// SPDX-License-Identifier: GPL-2.0-or-later
//
// How many jobs each node is asked about at once of which none is urgent. An agent answers each of
// them by a thread, and others wait when it has no more.
#pragma once

#include "plugins/sched_fjt/account/ledger.hpp"
#include "plugins/sched_fjt/see/view.hpp"

#include <algorithm>
#include <cstddef>
#include <map>

namespace vmall::sched {

class NodeRoom {
  public:
    // A fourth of what an agent answers at once (agent/controller_service.cpp).
    static constexpr std::size_t most_at_once = 16;

    // Beside the targets and surveys that are under way.
    NodeRoom(const View &view, const Ledger &ledger) {
        for (const auto &[id, job] : view.active)
            if (const LedgerEntry *entry = ledger.find(id);
                entry && (entry->target.is_under_way() || entry->survey))
                count(job.cores);
    }

    // Counts them if there is room on each.
    bool take(const CoreSets &cores) {
        const bool has_room = std::all_of(cores.begin(), cores.end(), [this](const auto &here) {
            return asked_[here.first] < most_at_once;
        });
        if (has_room)
            count(cores);
        return has_room;
    }

  private:
    void count(const CoreSets &cores) {
        for (const auto &[node, here] : cores)
            ++asked_[node];
    }

    std::map<NodeNumber, std::size_t> asked_;
};

} // namespace vmall::sched
