// SPDX-License-Identifier: GPL-2.0-or-later
//
// Whether a job is virtually malleable. The gate (select/cons_tres_vmall) and the scheduler
// (sched/fjt) go by this same answer: a job is started either by us or by Slurm's own schedulers.
#pragma once

#include "config/job_request.hpp"
#include "slurmglue/applicant.h"

#include <string>

namespace vmall::cores {

struct Malleability {
    config::JobRequest request;
    // That the request is ignored and why, for the log after the job's name; empty: it is not.
    std::string refusal;

    bool granted() const { return request.asked && refusal.empty(); }
};

// A request that does not parse is not one: the job is scheduled as any other. `fold_gres`: the
// site lets jobs with GRES be folded.
Malleability malleability_of(const vmall_applicant &applicant, bool fold_gres);

// Just that; no if memory is too short to find out, so that Slurm schedules the job. For callers in
// C.
bool is_malleable(const vmall_applicant *applicant, bool fold_gres) noexcept;

} // namespace vmall::cores
