// SPDX-License-Identifier: GPL-2.0-or-later
//
// Who is to hold how many cores where: doc/policy.md.
#pragma once

#include "policy/least_work/blocked_start.hpp"
#include "policy/least_work/claim.hpp"
#include "policy/least_work/node_choice.hpp"
#include "policy/least_work/order.hpp"
#include "policy/least_work/releases.hpp"
#include "policy/least_work/room_to_deal.hpp"
#include "policy/least_work/without_folds.hpp"
#include "policy/sizing/sizing.hpp"

#include <optional>
#include <vector>

namespace vmall::policy::least_work {

class Plan {
  public:
    Plan(Pass &pass, const SizingPolicy &sizing);

    // In order. Those that are planned have all they are to have.
    Claims claims;

    // The first that does not fit, if any.
    const Claim *first_blocked() const { return blocked_ ? &blocked_->blocked() : nullptr; }
    int cores_of_first_blocked() const { return blocked_->least_cores(); } // that it needs to start

  private:
    void add_running();
    void add_fixed(const Running &running);
    void add_waiting(const SizingPolicy &sizing);
    void set_size(Claim &claim, int processes) const;
    void deal();
    std::vector<Claim *> queue();
    std::vector<Claim *> in_slurms_order();
    void start_in_slurms_order(const NodeChoice &nodes, RoomToDeal &room);
    bool start_as_under_easy(Claim &claim, const NodeChoice &nodes) const;
    void deal_to_waiting(Claim &claim, const NodeChoice &nodes, RoomToDeal &room);
    void deal_from(RoomToDeal &room, const Claim &claim);
    bool plan_head(Claim &claim, const NodeChoice &nodes, const TalliedRoom &room);
    bool plan_first(Claim &claim, const NodeChoice &nodes, const TalliedRoom &room);
    bool let_pass(Claim &claim, const NodeChoice &nodes, const TalliedRoom &room);
    bool take(Claim &claim, std::optional<Placement> placement) const;
    bool take_if_it_pays(Claim &claim, std::optional<Placement> placement, const NodeChoice &nodes,
                         const TalliedRoom *limit = nullptr);
    void reserve_for(const Claim &claim, bool unfolded);

    Pass &pass_;
    const Ranking ranking_;
    Room beside_floors_; // cores that are above everybody's floor, or free; free memory
    Room withheld_;      // of these cores: what overdue jobs would have if others were folded
    Releases releases_;  // of jobs that cannot be resized now
    std::optional<WithoutFolds> without_folds_;
    std::optional<BlockedStart> blocked_;
};

} // namespace vmall::policy::least_work
