// SPDX-License-Identifier: GPL-2.0-or-later
#include "spank_vm/agent/known_job.hpp"

#include <algorithm>

namespace vmall::agent {

namespace {

using wire::Target;

bool may_be_of_one_run(const Target &target, const spank_vm::Registration &step) {
    return !target.run || !step.run || *target.run == *step.run;
}

// A slurmctld that was killed before it saved starts the job again as the same run, and maybe
// elsewhere.
bool is_of_this_start(const Target &target, const spank_vm::Registration &step) {
    return may_be_of_one_run(target, step) &&
           std::includes(step.cores.begin(), step.cores.end(), target.cores.begin(),
                         target.cores.end());
}

} // namespace

Allotment allotment_of(const Target &target) {
    return {target.cores, target.mpl, target.generation, target.run};
}

Job *KnownJob::job() {
    Begun *begun = std::get_if<Begun>(&what_);
    return begun ? &begun->job : nullptr;
}

const Job *KnownJob::job() const {
    const Begun *begun = std::get_if<Begun>(&what_);
    return begun ? &begun->job : nullptr;
}

const std::string *KnownJob::damage() const {
    const Damage *damage = std::get_if<Damage>(&what_);
    return damage ? &damage->why : nullptr;
}

std::optional<std::uint32_t> KnownJob::run() const {
    if (const Job *known = job())
        return known->allotment().run;
    return remembered() ? remembered()->run : std::nullopt;
}

bool KnownJob::is_contradicted_by(const Target &target) const {
    const Begun *begun = std::get_if<Begun>(&what_);
    if (!begun || begun->has_what_slurm_says)
        return false;
    const Allotment &now = begun->job.allotment();
    return target.generation == now.generation && !(allotment_of(target) == now);
}

JobEvent KnownJob::event_of(const spank_vm::Registration &step) const {
    const Target *target = remembered();
    if (!target || target->user_id != step.user)
        return JobEvent::step;
    return is_of_this_start(*target, step) ? JobEvent::step_of_target
                                           : JobEvent::step_beside_target;
}

Allotment KnownJob::first_allotment(JobDeed deed, const spank_vm::Registration &step) const {
    Allotment allotment;
    allotment.cores = step.cores;
    if (deed == JobDeed::begin)
        return allotment;
    const Target &target = *remembered();
    if (deed == JobDeed::begin_as_told)
        allotment = allotment_of(target);
    else // whoever lies has what Slurm says, and no older target either
        allotment.generation = target.generation;
    allotment.run = may_be_of_one_run(target, step) ? target.run : std::nullopt;
    return allotment;
}

} // namespace vmall::agent
