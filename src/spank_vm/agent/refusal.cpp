// SPDX-License-Identifier: GPL-2.0-or-later
#include "spank_vm/agent/refusal.hpp"

#include "spank_vm/agent/lost_steps.hpp"

namespace vmall::agent {

namespace {

using wire::Target;

// Its ranks would poll against each other. Who has not called MPI yet is none of these.
std::optional<Refusal> refusal_of_unserved(const Job &job) {
    const ProcessTable processes = ProcessTable::look();
    const wire::RankReport ranks = job.ranks(processes);
    if (ranks.tasks == 0 || ranks.attached > 0)
        return std::nullopt;
    if ((ranks.engines & wire::engine_none) != 0)
        return Refusal{"libvmrt does not know the MPI library of its tasks (FoldUnserved)", true};
    if (job.has_static_process(processes))
        return Refusal{"its tasks are linked statically, so libvmrt serves none (FoldUnserved)",
                       true};
    return std::nullopt;
}

// Its user has not asked for it, and knows nothing of what folding does to other programs.
std::optional<Refusal> refusal_unless_served(const Job &job) {
    const wire::RankReport ranks = job.ranks(ProcessTable::look());
    if (ranks.tasks > 0 && ranks.attached >= ranks.tasks)
        return std::nullopt;
    return Refusal{"libvmrt serves " + std::to_string(ranks.attached) + " of " +
                   std::to_string(ranks.tasks) + " ranks here (TakePart)"};
}

} // namespace

Refusal refusal_of(const Target &target, JobEvent event, const KnownJob &known,
                   const std::string &node_name) {
    if (target.node != node_name)
        return {"the target is for node " + target.node};
    if (known.damage())
        return {"the job's files are damaged: " + *known.damage()};
    switch (event) {
    case JobEvent::strange_target:
        return {"the job belongs to user " + std::to_string(known.job()->user())};
    case JobEvent::false_target:
        return {"this generation was another allotment"};
    case JobEvent::beside_stranger:
        return {known.job() ? "a step of the job runs here unattached"
                            : "the job runs here unattached",
                true};
    case JobEvent::for_served:
        return {"no step of the job has begun here (TakePart)"};
    default:
        return {who_is_left_is_unknown};
    }
}

std::optional<Refusal> refusal_to_fold(const Target &target, const Job &job, bool folds_unserved) {
    if (target.cores.size() >= job.allotment().cores.size())
        return std::nullopt;
    if (target.only_served)
        return refusal_unless_served(job);
    return folds_unserved || target.mpl == 1 ? std::nullopt : refusal_of_unserved(job);
}

} // namespace vmall::agent
