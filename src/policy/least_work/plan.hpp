// SPDX-License-Identifier: GPL-2.0-or-later
//
// Who is to hold how many cores where: doc/policy.md.
#pragma once

#include "policy/least_work/claim.hpp"
#include "policy/least_work/node_choice.hpp"
#include "policy/sizing.hpp"

#include <optional>
#include <vector>

namespace vmall::policy::least_work {

class Plan {
  public:
    Plan(Pass &pass, const SizingPolicy &sizing);

    // In order. Those that are planned have all they are to have.
    Claims claims;

    // The first that does not fit: what others do must not delay its start.
    const Claim *first_blocked() const { return blocked_; }

  private:
    struct Release {
        Seconds time;
        CoreCounts cores;
        MemoryCounts memory;
    };

    void add_running();
    void add_fixed(const Running &running);
    void add_waiting(const SizingPolicy &sizing);
    void deal();
    void deal_to_waiting(Claim &claim, const NodeChoice &nodes, Room &all);
    void deal_of(Room &room, Claim &claim, const NodeChoice &nodes);
    bool let_pass(Claim &claim, const NodeChoice &nodes, Room &room);
    void reserve_for(const Claim &claim);

    Pass &pass_;
    Room beside_floors_; // cores that are above everybody's floor, or free; free memory
    Room withheld_;      // of these cores: what overdue jobs would have if others were folded
    std::vector<Release> releases_; // of jobs that cannot be resized now
    const Claim *blocked_ = nullptr;
    std::optional<Seconds> start_; // of the blocked one; empty: not known
    std::optional<Room> spare_;    // what it leaves to others then
};

} // namespace vmall::policy::least_work
