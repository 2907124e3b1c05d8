// SPDX-License-Identifier: GPL-2.0-or-later
//
// Random jobs that arrive together on an idle machine.
#pragma once

#include "sim/trace/generator.hpp"

namespace vmall::sim {

// `spec.jobs` jobs, `long_jobs` of them long, in an order that is drawn; of their class's
// applications each is as likely. Loads, duration and bursts of the specification do not matter.
// Throws std::invalid_argument if it has no application of a class that is to have jobs, or for the
// reasons of Generator.
Workload generate_burst(const GeneratorSpec &spec, int long_jobs, std::uint64_t seed);

} // namespace vmall::sim
