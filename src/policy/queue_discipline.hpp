// SPDX-License-Identifier: GPL-2.0-or-later
//
// In which order waiting jobs may start.
#pragma once

#include "policy/pass.hpp"
#include "policy/sizing.hpp"
#include "policy/window.hpp"

#include <memory>
#include <optional>

namespace vmall::policy {

class Discipline {
  public:
    virtual ~Discipline() = default;

    // Starts what may start, and says of every job it looks at why it waits.
    virtual void run(Pass &pass, const SizingPolicy &sizing, const ExpiryPolicy &windows) const = 0;
};

// First come, first served: nobody passes the head.
std::unique_ptr<Discipline> make_fcfs();

// Aggressive (EASY) backfilling: others pass the head if they do not delay its reserved start. Of
// the virtually malleable ones only short jobs do, and since they lose cores when their window
// expires, they may also be let in for longer than the window: see queue_aggressive.cpp.
std::unique_ptr<Discipline> make_aggressive();

// Starts jobs from the head on, until one does not start: the head's delay then. Empty: all have
// started.
std::optional<Delay> start_in_order(Pass &pass, const SizingPolicy &sizing);

} // namespace vmall::policy
