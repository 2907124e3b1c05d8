// SPDX-License-Identifier: GPL-2.0-or-later
//
// Every order in which something can happen: depth first, each state of the node once.
#pragma once

#include "node.hpp"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace vmall::interleavings {

struct Result {
    std::uint64_t states = 0; // different ones
    std::uint64_t moves = 0;
    std::uint64_t ends = 0;        // states in which all have left
    bool complete = true;          // else there are more states than `most_states`
    std::string fault;             // empty: none
    std::vector<std::string> path; // to the fault
};

using Progress = std::function<void(const Result &so_far)>; // every million states

Result explore(const Scenario &scenario, std::uint64_t most_states, const Progress &progress = {});

} // namespace vmall::interleavings
