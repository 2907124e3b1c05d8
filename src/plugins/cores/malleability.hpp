// SPDX-License-Identifier: GPL-2.0-or-later
//
// Whether a job is virtually malleable. The gate (select/cons_tres_vmall) and the scheduler
// (sched/fjt) go by this same answer: a job is started either by us or by Slurm's own schedulers.
#pragma once

#include "config/config.hpp"
#include "config/job_request.hpp"
#include "slurmglue/applicant.h"

#include <optional>
#include <string>

namespace vmall::cores {

// What of vmall.conf decides.
struct Rules {
    bool fold_gres = false;     // jobs with GRES can be folded
    config::Limit take_part{0}; // 1: who neither asked nor opted out takes part
    // Beside whom jobs that take whole nodes can be folded; no: they cannot.
    config::LendWholeNodes lend_whole_nodes = config::LendWholeNodes::no;
};

Rules rules_of(const config::Config &config);

// What a job holds, unfolded, that has nodes to itself.
struct WholeNodes {
    int nodes;
    int cpus_per_task; // all of them, dealt out to the tasks
};

struct Malleability {
    config::JobRequest request;
    std::optional<WholeNodes> whole_nodes;
    // It has not asked; the site has it take part.
    bool by_default = false;
    // That the request is ignored and why, for the log after the job's name; empty: it is not.
    std::string refusal;

    bool granted() const { return (request.asked && refusal.empty()) || by_default; }
};

// A request that does not parse is not one: the job is scheduled as any other. Whether a job takes
// part that has not asked is decided when it starts, and stays so until it ends.
Malleability malleability_of(const vmall_applicant &applicant, const Rules &rules);

// Just that; no if memory is too short to find out, so that Slurm schedules the job. For callers in
// C.
bool is_malleable(const vmall_applicant &applicant, const Rules &rules) noexcept;

// Whether a job may be virtually malleable that has sent us nothing.
bool includes_unasked(const Rules &rules);

} // namespace vmall::cores
