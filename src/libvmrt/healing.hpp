// SPDX-License-Identifier: GPL-2.0-or-later
//
// What got stuck heals: after patience_ns a holder that died, stopped, sleeps outside MPI, or
// believes to be elsewhere loses the token to the one who noticed. Claims that came to nothing are
// dropped, slots of the dead freed.
#pragma once

#include "libvmrt/turn.hpp"

namespace vmall::runtime {

// No sleep is longer.
inline constexpr std::uint64_t patience_ns = 5'000'000;

// What one rank has seen of the others' turns, to see whether they end. All of it is given the same
// turn, that rank's, and the time of monotonic_ns().
class Healing {
  public:
    // Of a rank that has its turn: whatever claimed it has passed it the token.
    void forget_claim() { claim_ = 0; }

    // Of one that has none. Somebody has claimed it and is about to pass the token; or died over
    // that, or took the turn from it, and left this behind.
    void drop_stale_claim(Turn &turn, std::uint64_t now);

    // Whoever keeps its turn because nobody is ready. One that computes again does not say so
    // before it polls, and until then we would poll against it. False: that was looked at a moment
    // ago.
    bool look_for_the_absent(Turn &turn, std::uint64_t now);

    // After a sleep in vain, before which its place had that token: takes the turn if it is still
    // the same, but free, or its holder's no more.
    void judge(Turn &turn, std::uint32_t token);

    void bury_the_dead(Turn &turn, std::uint64_t now); // once in a while

  private:
    std::uint32_t claim_ = 0; // turn_on_plus_1 when we last had no turn
    std::uint64_t claimed_since_ = 0;
    std::uint64_t last_burial_ = 0;
    std::uint64_t last_look_ = 0;
};

} // namespace vmall::runtime
