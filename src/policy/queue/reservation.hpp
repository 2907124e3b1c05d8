// SPDX-License-Identifier: GPL-2.0-or-later
//
// When the head of the queue can start, and what it leaves to others then (EASY's shadow time and
// extra nodes, but kept node by node).
#pragma once

#include "policy/pass.hpp"
#include "policy/sizing/sizing.hpp"
#include "policy/window/window.hpp"

#include <optional>

namespace vmall::policy {

struct Reservation {
    // Empty if the head would not fit even after every running job has ended as expected (nodes are
    // down, …), or if it fits now and the resource manager does not say when it will let it start.
    std::optional<Seconds> start;
    // Cores and memory by node that jobs may hold from the start on without the head being delayed
    // or made smaller. Empty: they cannot delay it, for it is the state of the machine that keeps
    // it from starting.
    std::optional<Room> spare;
    // The same if the head had to be content with its smallest size: what it may be asked for those
    // that were let in for a window, and are folded at its end.
    std::optional<Room> spare_at_smallest;
};

// When the smallest size of the head fits. Counts on the expected ends of running jobs, on the
// cores that are being given back, and on what windows give back when they expire.
Reservation reserve(const Pass &pass, const ExpiryPolicy &policy, const Delay &delay);

} // namespace vmall::policy
