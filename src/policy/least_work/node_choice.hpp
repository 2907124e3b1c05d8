// SPDX-License-Identifier: GPL-2.0-or-later
//
// Where a waiting job goes.
#pragma once

#include "policy/least_work/claim.hpp"

#include <vector>

namespace vmall::policy::least_work {

class NodeChoice {
  public:
    // Of claims in order, whose running jobs are on their floors, and the room beside these. They
    // must be there as long as this is used, and stay in their places.
    NodeChoice(const Pass &pass, const Claims &claims, const Room &room);

    // Plans the job as little folded as there is room for, one in front as deep as it may be, and
    // takes the cores out of the room. Where nobody is folded for it, on the fullest nodes that
    // suffice; else where those are that are spread over the fewest nodes, of these the last in the
    // order. A job that does not say on how many nodes it runs is spread over up to twice as many
    // as it needs. Only where `limit` has room for its floor and memory, if it is given. Answers
    // whether there is room.
    bool place(Claim &claim, Room &room, const Room *limit = nullptr) const;

  private:
    bool place_folded(Claim &claim, Room &room, const Room *limit) const;
    bool place_as_it_is(Claim &claim, Room &room, const Room *limit) const;
    CoreCounts choose(const Claim &claim, int nodes, int cores, const Room &room,
                      const Room *limit) const;

    const Pass &pass_;
    const Claims &claims_;
    Room left_over_; // if only running jobs were dealt cores
    // By node: place of the last in the order above its floor there, or none.
    std::vector<int> last_;
};

} // namespace vmall::policy::least_work
