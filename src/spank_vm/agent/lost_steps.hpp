// SPDX-License-Identifier: GPL-2.0-or-later
//
// Steps whose slurmstepd was killed: their processes run on as children of others, and their
// sockets stay.
#pragma once

#include "spank_vm/agent/job_state.hpp"
#include "spank_vm/agent/rank_slots.hpp"
#include "spank_vm/agent/step_sockets.hpp"

#include <cstdint>
#include <sys/types.h>
#include <vector>

namespace vmall::agent {

bool has_socket(const Step &step, const std::vector<StepSocket> &sockets);

// Whether a slurmstepd listens at a socket of a step that is none of those known.
bool has_unknown_step(const std::vector<StepSocket> &sockets, const std::vector<Step> &known);
// Whether such a socket is of a slurmstepd that is gone. It does not remove it if it is killed.
bool has_lost_step(const std::vector<StepSocket> &sockets, const std::vector<Step> &known);

// Processes of steps without a slurmstepd, from which the others descend: what is left of the
// steps' sessions, whom an earlier look has seen, and whoever says that he is a rank. The job
// writes the slots, so nobody is believed who is not its user's.
std::vector<Process> find_orphans(const JobState &job, const std::vector<Process> &seen,
                                  const std::vector<RankSlot> &slots,
                                  const ProcessTable &processes);

inline constexpr const char *who_is_left_is_unknown =
    "a slurmstepd of the job was killed here, and who is left of its step is not known";

// Whether processes of the user run here that no slurmstepd has started, that are not among the
// members, and that were made no earlier than `since` (clock ticks): they may be what a killed
// slurmstepd has left. Root's never count, whose processes are everywhere.
bool may_miss_orphans(uid_t user, std::uint64_t since, const std::vector<Process> &members,
                      const ProcessTable &processes);

} // namespace vmall::agent
