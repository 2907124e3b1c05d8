// SPDX-License-Identifier: GPL-2.0-or-later
//
// Questions to the agents of many nodes, and their answers.
#pragma once

#include "wire/query.hpp"
#include "wire/seal.hpp"

#include <chrono>
#include <ctime>
#include <optional>
#include <string>
#include <vector>

namespace vmall::vmctl {

struct AgentAddress {
    std::string host;
    int port = 0;
};

struct AgentQuestion {
    AgentAddress agent;
    wire::Query query;
};

struct AgentAnswer {
    std::optional<wire::Opened> opened; // sealed by root
    std::string problem;                // why there is none
    std::time_t asked = 0;
};

// Asks many at a time; each has `patience`. In the order of the questions. Throws
// wire::ChannelError if the process is out of descriptors.
std::vector<AgentAnswer> ask_agents(const std::vector<AgentQuestion> &questions,
                                    const std::string &munge_socket,
                                    std::chrono::milliseconds patience);

} // namespace vmall::vmctl
