// SPDX-License-Identifier: GPL-2.0-or-later
//
// What a controller that has just started asks an agent: who lives on its node, and where. Its own
// records may be older than that. Encoded and decoded as messages.hpp says.
#pragma once

#include "wire/messages.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace vmall::wire {

// More than a node can have jobs.
inline constexpr std::size_t highest_roll_length = 4096;

// Controller → agent.
struct RollCall {
    std::string node; // the agent answers no call that is not for its own node
};

// A job of which something runs on the node, or did until its epilog, which is still to come.
struct Present {
    std::uint32_t job_id = 0; // 1 to highest_id
    // What the agent keeps it on; ascending. Empty: it does not know the job.
    std::vector<std::uint32_t> cores = {};
    Generation generation = 0;             // that is applied; 0: none yet
    bool lives = true;                     // something runs
    std::optional<std::uint32_t> run = {}; // as the last target said, if one did

    friend bool operator==(const Present &a, const Present &b) {
        return a.job_id == b.job_id && a.cores == b.cores && a.generation == b.generation &&
               a.lives == b.lives && a.run == b.run;
    }
};

// Agent → controller, on the same connection.
struct Roll {
    std::string node;
    std::vector<Present> jobs; // at most highest_roll_length
};

std::string encode(const RollCall &call);
std::string encode(const Roll &roll);
// Nothing if the message is another one.
std::optional<RollCall> decode_roll_call(const std::string &json);
Roll decode_roll(const std::string &json);

} // namespace vmall::wire
