// SPDX-License-Identifier: GPL-2.0-or-later
//
// A new experiment is one line here and one in experiments.hpp.
#include "sim/reproduce/registry.hpp"

#include "sim/reproduce/experiments.hpp"

namespace vmall::sim::reproduce {

std::vector<Experiment> all_experiments() {
    return {mccann6_buddy(), mccann6_equi_epoch()};
}

} // namespace vmall::sim::reproduce
