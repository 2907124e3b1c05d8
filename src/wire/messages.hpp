// SPDX-License-Identifier: GPL-2.0-or-later
//
// What the controller's plugin and the node agents say to each other (doc/protocol.md).
//
// Every message is a JSON object with one member that names it, sealed in a munge credential and
// framed on a TCP connection. Decoding checks every field's presence, type and range, ignores
// fields it does not know, and throws MessageError.
#pragma once

#include "wire/hand_over.hpp"
#include "wire/rank_report.hpp"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace vmall::wire {

// Orders the targets of a job, across restarts of the controller too. 0: none yet.
using Generation = std::uint64_t;
inline constexpr Generation highest_generation = std::numeric_limits<Generation>::max();

// Not JSON, or a field is missing, of another type or out of range; what() names message and field.
class MessageError : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

inline constexpr std::uint32_t highest_core_index = 65535;
inline constexpr std::uint32_t highest_target_mpl = 64;
inline constexpr std::uint32_t highest_id =
    0xfffffffd; // of jobs and users: Slurm's NO_VAL is the next
inline constexpr std::size_t highest_node_name_bytes = 255;
inline constexpr std::size_t highest_reason_bytes = 1024;

// Controller → agent: the whole target of one job on one node. Sent as often as needed; a
// generation lower than the one the agent knows is ignored and answered with the one it has.
struct Target {
    std::string node;         // the agent refuses a target that is not for its own node
    std::uint32_t job_id = 0; // 1 to highest_id
    std::uint32_t user_id = 0;
    std::vector<std::uint32_t> cores; // Slurm's core indices on this node, ascending, not empty
    std::uint32_t mpl = 1;            // 1 to highest_target_mpl
    Generation generation = 0;        // at least 1
    std::optional<std::uint32_t> run = {}; // of the job: how often it was requeued; 0 to highest_id
    // It is not folded here unless it has ranks here that libvmrt serves, all of them.
    bool only_served = false;
};

enum class Outcome {
    applied,     // threads and cpusets are inside the target; control block says so
    superseded,  // a higher generation was known already; `generation` tells which
    unknown_job, // no step of the job runs here: there is nothing to move, the target is remembered
    refused,     // `reason` says why; nothing changed
};

// Agent → controller, on the same connection.
struct Answer {
    std::string node;
    std::uint32_t job_id = 0; // 1 to highest_id
    Outcome outcome = Outcome::refused;
    Generation generation = 0; // what is applied now
    std::string reason;        // for people; cut to highest_reason_bytes when it is decoded
    std::optional<RankReport> ranks = {}; // with `applied`, while ranks of the job run there
    bool unattached = false;              // with `refused`: see doc/protocol.md
    std::uint32_t hand_over_ns = 0;       // HandOver of the node; 0: not known
};

std::string encode(const Target &target);
std::string encode(const Answer &answer);
Target decode_target(const std::string &json);
Answer decode_answer(const std::string &json);

} // namespace vmall::wire
