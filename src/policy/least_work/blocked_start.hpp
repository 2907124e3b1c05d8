// SPDX-License-Identifier: GPL-2.0-or-later
//
// The start of the first job that does not fit: what others do must not delay it.
#pragma once

#include "policy/least_work/claim.hpp"
#include "policy/least_work/releases.hpp"
#include "policy/least_work/tallied_room.hpp"

#include <optional>

namespace vmall::policy::least_work {

class BlockedStart {
  public:
    // On its floor, in room that is beside the floors of all that run; or unfolded, as under EASY,
    // in room that nobody is folded for. The releases are those of jobs that are not claims.
    BlockedStart(const Pass &pass, const Claim &blocked, bool unfolded, Room room,
                 Releases releases);

    // Somebody who is planned already.
    void stands_beside(const Claim &other);

    const Claim &blocked() const { return *blocked_; }
    int least_cores() const; // that it needs

    // Looked for when first asked for, once all are known who stand beside it. Empty: not known.
    std::optional<Seconds> time();

    // If its time is known: what it leaves to others then, and one of them, who is not to end
    // before.
    const TalliedRoom &spare() const { return *spare_; }
    void take_spare(const Claim &other);

  private:
    CoreCounts counted_on(const Claim &other) const;
    void find();

    const Pass &pass_;
    const Claim *blocked_;
    bool unfolded_;
    Room room_; // without what comes free by then
    Releases releases_;
    bool was_looked_for_ = false;
    std::optional<Seconds> time_;
    std::optional<TalliedRoom> spare_;
};

} // namespace vmall::policy::least_work
