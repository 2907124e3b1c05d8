// SPDX-License-Identifier: GPL-2.0-or-later
//
// How much of the memory of its nodes a job takes, from its start to its end, however folded.
#pragma once

#include "sim/model/job.hpp"

#include <cstdint>

namespace vmall::sim {

enum class MemoryNeed {
    not_counted,
    share,     // a part of what its cores have of their node
    requested, // as its log says
    used       // likewise, at its peak; where that is not known, what was requested
};

struct Memory {
    MemoryNeed need = MemoryNeed::not_counted;
    int percent = 0;           // that `share` is
    std::int64_t per_core = 0; // MiB that every node has for each of its cores; 0: not counted
};

// Of this part of their cores' memory, from 0 (not counted) to 100 percent, whatever a core has.
Memory share_of_memory(int percent);

// Whether the log says what the job needs. Only of `requested` and `used`.
bool is_known(const Job &job, MemoryNeed need);

// MiB of a process. Where the log does not say, it needs all that its cores have.
std::int64_t memory_per_process(const Job &job, const Memory &memory);

} // namespace vmall::sim
