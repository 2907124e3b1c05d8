// SPDX-License-Identifier: GPL-2.0-or-later
//
// Numbers as the page writes them.
#pragma once

#include "experiments/reproduce/experiment.hpp"

#include <string>

namespace vmall::sim::reproduce {

// Three significant digits, all digits before the point: "0.0123", "1.5", "12346".
std::string number(double value);

// "1.23 (1.20 to 1.26)"; only the mean if the interval has no width, "1.23 (one seed)" if it has no
// bounds.
std::string with_interval(const Sample &summary);

// "at least 1.2", "less than 0.9", "0.7 to 0.8", "exactly 4".
std::string words(const Range &range);

} // namespace vmall::sim::reproduce
