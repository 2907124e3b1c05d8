// SPDX-License-Identifier: GPL-2.0-or-later
//
// Times without end.
#pragma once

#include "policy/model.hpp"

#include <limits>

namespace vmall::policy {

// A time after every other.
inline constexpr Seconds never = std::numeric_limits<Seconds>::max();

// So long after a time that is far from the ends of time.
constexpr Seconds later(Seconds time, Seconds span) {
    return span < never - time ? time + span : never;
}

} // namespace vmall::policy
