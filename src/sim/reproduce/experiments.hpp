// SPDX-License-Identifier: GPL-2.0-or-later
//
// The experiments, each in its own file.
#pragma once

#include "sim/reproduce/experiment.hpp"

namespace vmall::sim::reproduce {

Experiment mccann6_buddy();      // McCann's thesis, s. 6.3, 6.4, 6.6 and 6.7
Experiment mccann6_equi_epoch(); // s. 6.5

} // namespace vmall::sim::reproduce
