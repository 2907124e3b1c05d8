// SPDX-License-Identifier: GPL-2.0-or-later
//
// What is wrong with the arguments of vmsim.
#pragma once

#include <stdexcept>

namespace vmall::vmsim {

// Arguments that make no sense together or name what does not exist: exit status 2. CLI11 finds the
// others.
class UsageError : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

} // namespace vmall::vmsim
