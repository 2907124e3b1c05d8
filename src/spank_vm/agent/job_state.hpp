// SPDX-License-Identifier: GPL-2.0-or-later
//
// What the agent knows of a job, and keeps on disk for the agent after a restart.
#pragma once

#include "spank_vm/agent/processes.hpp"
#include "spank_vm/node/ranks.hpp"
#include "wire/messages.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <sys/types.h>
#include <vector>

namespace vmall::agent {

struct Allotment {
    std::vector<std::uint32_t> cores; // Slurm's indices on this node, ascending, not empty
    std::uint32_t mpl = 1;
    wire::Generation generation = 0;       // 0: the job's own at its start
    std::optional<std::uint32_t> run = {}; // of the job, as the target says that it was last
    bool operator==(const Allotment &other) const {
        return cores == other.cores && mpl == other.mpl && generation == other.generation &&
               run == other.run;
    }
};

struct Step {
    std::uint32_t id = 0;
    Process stepd;     // its slurmstepd, the ancestor of its processes
    pid_t session = 0; // which only these are in; 0: none
};

struct JobState {
    uid_t user = 0;
    Allotment allotment;
    std::vector<Step> steps;
    spank_vm::Ranks ranks; // as the step said that started last
    // Cores that Slurm gave the job, as a step said; those of an earlier agent's job: none.
    std::vector<std::uint32_t> given = {};
    bool takes_part = true; // else it is never moved
};

inline constexpr std::size_t highest_job_state_bytes = 1u << 20;

std::string encode(const JobState &state);
JobState decode_job_state(const std::string &json); // throws wire::MessageError

} // namespace vmall::agent
