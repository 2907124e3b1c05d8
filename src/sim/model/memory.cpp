// SPDX-License-Identifier: GPL-2.0-or-later
//
// Memory by process, from what logs say by core.
#include "sim/model/memory.hpp"

#include <algorithm>
#include <limits>

namespace vmall::sim {

namespace {

// KiB of a core; 0: not known.
std::int64_t recorded(const Job &job, MemoryNeed need) {
    return need == MemoryNeed::used && job.used_memory > 0 ? job.used_memory : job.requested_memory;
}

} // namespace

Memory share_of_memory(int percent) {
    if (percent == 0)
        return {};
    constexpr std::int64_t per_core = 100; // makes per cent of it a whole number
    return {MemoryNeed::share, percent, per_core};
}

bool is_known(const Job &job, MemoryNeed need) {
    return (need == MemoryNeed::used ? job.used_memory : job.requested_memory) > 0;
}

std::int64_t memory_per_process(const Job &job, const Memory &memory) {
    constexpr std::int64_t mebibyte = 1024;
    if (memory.need == MemoryNeed::share)
        return job.cores_per_process * memory.per_core * memory.percent / 100;
    if (const std::int64_t of_core = recorded(job, memory.need); of_core > 0) {
        const std::int64_t most =
            (std::numeric_limits<std::int64_t>::max() - mebibyte) / job.cores_per_process;
        return (job.cores_per_process * std::min(of_core, most) + mebibyte - 1) / mebibyte;
    }
    return job.cores_per_process * memory.per_core;
}

} // namespace vmall::sim
