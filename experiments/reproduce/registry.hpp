// SPDX-License-Identifier: GPL-2.0-or-later
//
// The experiments there are.
#pragma once

#include "experiments/reproduce/experiment.hpp"

#include <vector>

namespace vmall::sim::reproduce {

// In the order of the page. Names are unique.
std::vector<Experiment> all_experiments();

} // namespace vmall::sim::reproduce
