// SPDX-License-Identifier: GPL-2.0-or-later
//
// How the controller's plugin and the node agents say that they are installed.
#pragma once

#include "tools/vmctl/agents.hpp"
#include "tools/vmctl/ask.hpp"
#include "wire/installation.hpp"

#include <chrono>
#include <ctime>
#include <optional>
#include <string>
#include <vector>

namespace vmall::vmctl {

// What came of asking.
struct Introduction {
    std::optional<wire::Installation> installation;
    std::string problem;         // why there is none
    std::time_t clock_ahead = 0; // of ours, in seconds; negative: behind
};

Introduction meet(const Controller &controller, std::chrono::milliseconds patience);

// Asks many at a time; each has `patience`. In the order of the addresses. Throws
// wire::ChannelError if the process is out of descriptors.
std::vector<Introduction> meet(const std::vector<AgentAddress> &agents,
                               const std::string &munge_socket, std::chrono::milliseconds patience);

} // namespace vmall::vmctl
