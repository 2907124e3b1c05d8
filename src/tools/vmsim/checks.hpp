// SPDX-License-Identifier: GPL-2.0-or-later
//
// Which values options accept. CLI11's own checks take "nan" for a number of any range, and a seed
// of -1 for the largest one.
#pragma once

#include "tools/vmsim/command_line.hpp"

#include <cstdint>
#include <functional>
#include <limits>
#include <string>

namespace vmall::vmsim {

// Decimal digits only.
Check whole_number(std::int64_t lowest,
                   std::int64_t highest = std::numeric_limits<std::int64_t>::max());

// The same, that an int can hold.
Check positive_number();

// Digits, perhaps with a point.
Check number(double lowest, double highest);

// What `parse` does not throw std::invalid_argument for, whose text says what is wrong.
Check parsed_by(std::function<void(const std::string &)> parse);

} // namespace vmall::vmsim
