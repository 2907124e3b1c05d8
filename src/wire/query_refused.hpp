// SPDX-License-Identifier: GPL-2.0-or-later
//
// An answer that says why there is none.
#pragma once

#include <stdexcept>

namespace vmall::wire {

// Whoever is asked understood the query and does not answer it; what() is its reason.
class QueryRefused : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

} // namespace vmall::wire
