// SPDX-License-Identifier: GPL-2.0-or-later
//
// Why a target is not applied to a job.
#pragma once

#include "spank_vm/agent/known_job.hpp"

#include <optional>
#include <string>

namespace vmall::agent {

struct Refusal {
    std::string reason; // for people
    // Nobody knows where the processes of a step are that is not registered, and nobody lets ranks
    // take turns that libvmrt cannot serve. Neither changes while the step runs.
    bool unattached = false;
};

// Of a target that is refused by what is known of the job and what else is on the node.
Refusal refusal_of(const wire::Target &target, JobEvent event, const KnownJob &known,
                   const std::string &node_name);

// Of one that would fold ranks which libvmrt does not serve. Nothing: it may be applied.
std::optional<Refusal> refusal_to_fold(const wire::Target &target, const Job &job,
                                       bool folds_unserved);

} // namespace vmall::agent
