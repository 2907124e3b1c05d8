// SPDX-License-Identifier: GPL-2.0-or-later
//
// The job's control block as the job may read it: mapped read-only, believed only if it is root's.
#pragma once

#include "control/control_block.h"

#include <cstdint>

namespace vmall::runtime {

// What a rank needs to know of the control block.
struct Allotment {
    std::uint64_t generation;
    bool overclaimed;                           // its CPUs are also other jobs'
    std::uint32_t cpu_count;                    // 1 to VMALL_CONTROL_MAX_CPUS
    std::uint16_t cpus[VMALL_CONTROL_MAX_CPUS]; // each below VMALL_RUNTIME_CPUS
};

enum class Reading {
    done,
    torn,    // the agent is writing: try again later
    invalid, // magic, version, counts or CPU numbers that cannot be
};

class ControlView {
  public:
    // False if there is no such file, it is not a regular file, somebody else than root can write
    // it, or it is too short. The mapping lives as long as the process.
    bool open(const char *path);

    // One relaxed load: differs from the last successful read's if there is news.
    std::uint32_t sequence() const;

    // Sets `sequence` to the one the copy belongs to unless the result is torn.
    Reading read(Allotment &allotment, std::uint32_t &sequence) const;

  private:
    const vmall_control_block *block_ = nullptr;
};

} // namespace vmall::runtime
