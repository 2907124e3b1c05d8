// SPDX-License-Identifier: GPL-2.0-or-later
//
// Generated workloads as files.
#pragma once

#include "sim/trace/generator.hpp"

#include <cstdint>
#include <ostream>

namespace vmall::sim {

// Writes the jobs of a Generator in the Standard Workload Format while they are made. read_swf()
// makes the same jobs of it, whatever the treatment (its overrun apart). A stream that fails is the
// caller's to check.
void write_generated_swf(std::ostream &out, const GeneratorSpec &spec, std::uint64_t seed);

// The same of jobs that have been made, of the applications of a specification.
void write_generated_swf(std::ostream &out, const GeneratorSpec &spec, const Workload &workload);

} // namespace vmall::sim
