// SPDX-License-Identifier: GPL-2.0-or-later
//
// Where a waiting job goes.
#pragma once

#include "policy/least_work/claim.hpp"
#include "policy/least_work/tallied_room.hpp"

#include <optional>
#include <vector>

namespace vmall::policy::least_work {

class NodeChoice {
  public:
    // Of claims in order, whose running jobs are on their floors, and what these would leave over
    // alone. They must be there as long as this is used, and stay where they are.
    NodeChoice(const Pass &pass, const Claims &claims, const TalliedRoom &left_over);

    // The job as little folded as there is room for, one in front as deep as it may be. Where
    // nobody is folded for it, on the fullest nodes that suffice; else where those are that are
    // spread over the fewest nodes, of these the last in the order. A job that is spread equally,
    // but does not say over how many nodes, goes on up to twice as many as it needs; one that
    // leaves its spread open on as many as it takes, if no single node will do. Only where `limit`
    // has room for its floor and memory, if it is given. Empty: there is no room.
    std::optional<Placement> find(const Claim &claim, const TalliedRoom &room,
                                  const TalliedRoom *limit = nullptr) const;

  private:
    std::optional<Placement> find_folded(const Claim &claim, const TalliedRoom &room,
                                         const TalliedRoom *limit) const;
    std::optional<Placement> find_as_it_is(const Claim &claim, const TalliedRoom &room,
                                           const TalliedRoom *limit) const;
    std::optional<Placement> place_equally(const Claim &claim, int mpl, const TalliedRoom &room,
                                           const TalliedRoom *limit) const;
    std::optional<Placement> place_anyhow(const Claim &claim, int mpl, const TalliedRoom &room,
                                          const TalliedRoom *limit) const;
    std::optional<Placement> place_on(const Claim &claim, int mpl, const Room &allowed) const;
    std::optional<Placement> choose(const Claim &claim, int nodes, int mpl, const TalliedRoom &room,
                                    const TalliedRoom *limit) const;
    bool can_hold(const Claim &claim, std::size_t node, int width) const;
    int deepest_on(const WaitingJob &job, std::size_t nodes) const;

    const Pass &pass_;
    const Claims &claims_;
    const TalliedRoom left_over_;
    // By node: index of the last in the order above its floor there, or none.
    std::vector<int> last_;
};

// A waiting job folded as deep as it may be: less deep where that takes several nodes.
std::optional<Placement> place_on_floor(const Pass &pass, const Claim &claim, const Usable &own);

} // namespace vmall::policy::least_work
