// SPDX-License-Identifier: GPL-2.0-or-later
//
// The job's control block as the job may read it: mapped read-only, believed only if it is root's.
#pragma once

#include "layout/control_block.h"

#include <cstdint>

namespace vmall::runtime {

// How ranks share CPUs.
struct Rules {
    std::uint32_t coscheduling; // which may be none that there is (way_of)
    vmall_next_rank next_rank;
    vmall_run_queues run_queues;
};

// What a process needs to know of the control block.
struct ControlContent {
    bool overclaimed; // its CPUs are also other jobs'
    Rules rules;
    std::uint32_t mpl;                          // at least 1
    std::uint32_t core_count;                   // claimed cores, at least 1
    std::uint32_t cpus_per_rank;                // 1 to VMALL_CONTROL_MAX_CPUS
    std::uint32_t node_count;                   // at least 1
    std::uint32_t cpu_count;                    // 1 to VMALL_CONTROL_MAX_CPUS
    std::uint16_t cpus[VMALL_CONTROL_MAX_CPUS]; // each below VMALL_RUNTIME_CPUS
};

enum class Reading {
    done,
    torn,    // the agent is writing: try again later
    invalid, // magic, version, counts, rules or CPU numbers that cannot be
};

class ControlView {
  public:
    // False if there is no such file, it is not a regular file, somebody else than root can write
    // it, or it is too short. The mapping lives as long as the process.
    bool open(const char *path);

    // Of the runtime page; the same for as long as the job runs here.
    std::uint32_t runtime_key() const { return block_->runtime_key; }

    // Differs from the last successful read's if there is news; the agent wakes who sleeps on it.
    const std::uint32_t &sequence() const { return block_->sequence; }

    // Sets `sequence` to the one the copy belongs to unless the result is torn.
    Reading read(ControlContent &allotment, std::uint32_t &sequence) const;

  private:
    const vmall_control_block *block_ = nullptr;
};

} // namespace vmall::runtime
