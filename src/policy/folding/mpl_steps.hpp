// SPDX-License-Identifier: GPL-2.0-or-later
//
// Folding and unfolding several jobs, one MPL at a time, so that none is folded much deeper than
// another.
#pragma once

#include "policy/pass.hpp"

#include <functional>
#include <vector>

namespace vmall::policy {

// Folds some of these running jobs, which can be resized, to at most `max_mpl`: always the least
// folded next (of equals, the one that arrived first, later if it has lost time), until `enough` of
// the cores that are free or being given back. Folds nobody if that cannot be reached. Answers
// whether it is.
bool fold_evenly(Pass &pass, const std::vector<Running *> &jobs, int max_mpl,
                 const std::function<bool(const Room &)> &enough);

// Halves the cores of the job that arrived last (earlier if it has lost time), again and again
// until it is folded to `max_mpl`, then of the one before it, until `enough` of the cores are free
// or being given back. Folds nobody if that cannot be reached. Answers whether it is.
bool halve_latest(Pass &pass, const std::vector<Running *> &jobs, int max_mpl,
                  const std::function<bool(const Room &)> &enough);

// Gives cores of this room to folded jobs that are to end by a time, and takes them out of it:
// always to the deepest folded next (of equals, the one that arrived first, earlier if it has lost
// time) that can go down by one MPL, until none can.
void unfold_evenly(Pass &pass, Room &room, Seconds ending_by);

} // namespace vmall::policy
