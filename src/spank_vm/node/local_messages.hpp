// SPDX-License-Identifier: GPL-2.0-or-later
//
// What slurmstepd and the job's epilog say to the agent of their node, over RUNTIMEDIR/agent.sock:
// one JSON object per packet, answered by {"done":true} or {"error":"why"}.
#pragma once

#include "spank_vm/node/ranks.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <sys/types.h>
#include <variant>
#include <vector>

namespace vmall::spank_vm {

inline constexpr const char *agent_socket_name = "agent.sock";
inline constexpr std::size_t highest_packet_bytes = 64 * 1024;

// A step starts; its slurmstepd is the sender. `cores` are the whole job's on this node.
struct Registration {
    std::uint32_t job_id = 0;
    std::uint32_t step_id = 0;
    uid_t user = 0;
    std::vector<std::uint32_t> cores; // ascending, not empty
    std::optional<Ranks> ranks =
        {}; // none if it was started from outside the job, without its options
    // Of the job, as the step's environment says it (wire::Target), which is its user's.
    std::optional<std::uint32_t> run = {};
    bool takes_part = true; // else it is only to be known that its job has these cores
};

// Slurm has made the step's cpusets, of what the job had when the step was asked for, and the first
// of its tasks.
struct Launched {
    std::uint32_t job_id = 0;
    std::uint32_t step_id = 0;
};

// The job has ended on this node.
struct Forget {
    std::uint32_t job_id = 0;
};

using LocalRequest = std::variant<Registration, Launched, Forget>;

std::string encode(const LocalRequest &request);
LocalRequest decode_local_request(const std::string &json); // throws wire::MessageError

std::string encode_done();
std::string encode_error(const std::string &reason);
// Throws wire::MessageError with the agent's reason unless it is done.
void expect_done(const std::string &json);

} // namespace vmall::spank_vm
