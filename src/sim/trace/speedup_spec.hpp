// SPDX-License-Identifier: GPL-2.0-or-later
//
// Speed-up curves as people write them.
#pragma once

#include "sim/model/speedup.hpp"

#include <string>
#include <utility>
#include <vector>

namespace vmall::sim {

// One of
//   linear
//   amdahl:SERIAL            serial fraction, 0 to 1
//   downey:A,SIGMA           average parallelism, coefficient of variation
//   dowdy:C1,C2              of the execution signature
//   times:1=1940,8=168       measured seconds by number of processes
//   table:FILE[:APP]         the times of an application of a table (see read_applications());
//                            without APP the table must have only one
struct SpeedupSpec {
    std::string text = "linear"; // table:FILE is replaced by its times
    SpeedupPointer curve;        // null: linear
};

// Throws std::invalid_argument with a reason for people, TraceError if the table cannot be read.
SpeedupSpec parse_speedup(const std::string &text);

// "times:1=1940,8=168"
std::string times_text(const std::vector<std::pair<int, double>> &times);

} // namespace vmall::sim
