// SPDX-License-Identifier: GPL-2.0-or-later
//
// When it is, and what is left beside it.
#include "policy/least_work/blocked_start.hpp"

#include "policy/least_work/node_choice.hpp"

#include <algorithm>
#include <utility>

namespace vmall::policy::least_work {

BlockedStart::BlockedStart(const Pass &pass, const Claim &blocked, bool unfolded, Room room,
                           Releases releases)
    : pass_(pass), blocked_(&blocked), unfolded_(unfolded), room_(std::move(room)),
      releases_(std::move(releases)) {}

void BlockedStart::stands_beside(const Claim &other) {
    releases_.add(later(pass_.now, other.left), counted_on(other), memory_of(other));
    if (other.waiting && !unfolded_) {
        room_ -= floor_of(other);
        room_ -= memory_of(other);
    }
}

CoreCounts BlockedStart::counted_on(const Claim &other) const {
    if (!unfolded_)
        return floor_of(other);
    return other.running ? other.alone : other.allotment;
}

int BlockedStart::least_cores() const {
    return policy::least_cores(*blocked_->waiting, blocked_->processes,
                               unfolded_ ? 1 : blocked_->deepest);
}

std::optional<Seconds> BlockedStart::time() {
    if (!std::exchange(was_looked_for_, true))
        find();
    return time_;
}

void BlockedStart::find() {
    const WaitingJob &job = *blocked_->waiting;
    const Seconds earliest = std::max(job.earliest_start.value_or(0), pass_.now + 1);
    Claim wanted = *blocked_;
    if (unfolded_)
        wanted.deepest = 1;
    std::optional<Placement> placement;
    time_ = releases_.first_fit(earliest, least_cores(), room_, [&](const Room &then) {
        placement = place_on_floor(pass_, wanted, usable(job, pass_.nodes, then));
        return placement.has_value();
    });
    if (!time_)
        return;
    spare_.emplace(std::move(room_));
    *spare_ -= placement->allotment;
    *spare_ -= policy::memory_of(job, placement->unfolded);
}

void BlockedStart::take_spare(const Claim &other) {
    *spare_ -= counted_on(other);
    *spare_ -= memory_of(other);
}

} // namespace vmall::policy::least_work
