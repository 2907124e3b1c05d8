// SPDX-License-Identifier: GPL-2.0-or-later
//
// Counts the ranks of a job on this node, and those of them that libvmrt serves.
#pragma once

#include "spank_vm/agent/job_state.hpp"
#include "spank_vm/agent/rank_slots.hpp"
#include "wire/rank_report.hpp"

#include <vector>

namespace vmall::agent {

// A rank is a task of a step, or what the launcher of an MPI library (Hydra's proxy, Open MPI's
// daemon) started below one; the batch script itself is none. It is attached if it, or a process
// that it started, has a slot. Slots of processes that are not the job's, that have ended, or that
// have a slot already do not count.
wire::RankReport survey_ranks(const std::vector<Step> &steps, const RankPage &page,
                              const ProcessTable &processes);

// Whether libvmrt cannot have been loaded into some process of the steps.
bool has_static_process(const std::vector<Step> &steps, const ProcessTable &processes);

} // namespace vmall::agent
