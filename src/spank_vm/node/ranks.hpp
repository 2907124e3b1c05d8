// SPDX-License-Identifier: GPL-2.0-or-later
//
// What a step says of its ranks when it registers, and the agent keeps for its job.
#pragma once

#include "config/runtime_settings.hpp"
#include "wire/fields.hpp"

#include <cstdint>
#include <string>

namespace vmall::spank_vm {

inline constexpr std::uint32_t highest_node_count = 65536;

struct Ranks {
    config::RuntimeRequest runtime;  // --vm-runtime
    std::uint32_t cpus_per_rank = 1; // --cpus-per-task, 1 to VMALL_CONTROL_MAX_CPUS
    std::uint32_t node_count = 1;    // of the job, 1 to highest_node_count
    std::string first_node = {};     // of the job's; empty: not known
    bool operator==(const Ranks &other) const {
        return runtime == other.runtime && cpus_per_rank == other.cpus_per_rank &&
               node_count == other.node_count && first_node == other.first_node;
    }
};

wire::Json to_json(const Ranks &ranks);
// Throws wire::MessageError, for a `runtime` that --vm-runtime would not take as well.
Ranks read_ranks(const wire::Json &json);

} // namespace vmall::spank_vm
