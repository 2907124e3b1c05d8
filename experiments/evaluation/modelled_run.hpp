// SPDX-License-Identifier: GPL-2.0-or-later
//
// When a run of a measured application is over that is folded, unfolded, suspended and resumed
// meanwhile. Pure: it is told what time it is.
#pragma once

#include "sim/engine/work.hpp"
#include "sim/model/folding_cost.hpp"
#include "sim/model/job.hpp"
#include "sim/trace/application.hpp"

#include <cstdint>
#include <limits>
#include <optional>

namespace vmall::evaluation {

using Nanoseconds = std::int64_t; // since any fixed moment

class ModelledRun {
  public:
    // Begins at `begin`, unfolded, with this many processes (1 or more). Its clock is `clock` times
    // as fast as the real one (above 0): so many times sooner it ends. `useful_percent` is the
    // simulator's, Job's.
    ModelledRun(const sim::Application &application, int processes, const sim::FoldingCost &cost,
                double clock, Nanoseconds begin, std::optional<int> useful_percent = std::nullopt);

    // From `now` on it runs at this MPL (1 or more), unless it is suspended: then once it is
    // resumed. Times do not go back.
    void fold(int mpl, Nanoseconds now);

    // Between these it stands still.
    void suspend(Nanoseconds now);
    void resume(Nanoseconds now);
    bool is_suspended() const { return is_suspended_; }

    // Of its work, how much it does in the time in which it would do all of it unfolded.
    double rate() const { return is_suspended_ ? 0 : rate_; }

    // If nothing changes any more; `never` while it is suspended. Depends on when what changed, not
    // on how often one asks.
    Nanoseconds end() const;
    static constexpr Nanoseconds never = std::numeric_limits<Nanoseconds>::max();

  private:
    void catch_up(Nanoseconds now);

    sim::Job job_; // as far as its speed goes
    sim::FoldingCost cost_;
    double left_;     // at `since_`, in nanoseconds that it would take unfolded
    double rate_ = 1; // unless it is suspended
    bool is_suspended_ = false;
    Nanoseconds since_;
};

} // namespace vmall::evaluation
