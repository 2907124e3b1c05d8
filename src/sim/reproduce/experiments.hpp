// SPDX-License-Identifier: GPL-2.0-or-later
//
// The experiments, each in its own file.
#pragma once

#include "sim/reproduce/experiment.hpp"

namespace vmall::sim::reproduce {} // namespace vmall::sim::reproduce
