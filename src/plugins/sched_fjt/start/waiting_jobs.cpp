// SPDX-License-Identifier: GPL-2.0-or-later
//
// Requests and reasons.
#include "plugins/sched_fjt/start/waiting_jobs.hpp"

#include "plugins/sched_fjt/decide/snapshot.hpp"
#include "plugins/sched_fjt/locks.hpp"
#include "policy/reasons.hpp"
#include "slurmglue/job_note.h"
#include "slurmglue/job_request.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <variant>

namespace vmall::sched {

void raise_requests(const View &view) {
    NodeKinds kinds(view);
    LockToActInARow lock;
    for (const JobView &job : view.queue) {
        // What was asked of Slurm alone stays as it is.
        const bool asked = job.virtually_malleable && !job.by_default;
        const int tasks = asked ? fewest_tasks(job, kinds) : 0;
        const int cpus = tasks * job.cpus_per_task;
        if (job.tasks >= tasks && job.min_cpus >= cpus)
            continue;
        lock.take();
        vmall_raise_request(job.id, static_cast<std::uint32_t>(tasks),
                            static_cast<std::uint32_t>(cpus));
    }
}

void tell_why(const View &view, const std::vector<policy::Action> &actions,
              const select::Gate &gate) {
    std::map<JobNumber, const policy::Wait *> waits;
    std::vector<JobNumber> without_machine;
    for (const policy::Action &action : actions)
        if (const auto *wait = std::get_if<policy::Wait>(&action)) {
            waits[wait->id.value] = wait;
            if (wait->why.kind == policy::Reason::Kind::no_machine)
                without_machine.push_back(wait->id.value);
        }
    std::sort(without_machine.begin(), without_machine.end());
    const LockToAct lock;
    gate.without_machine(std::move(without_machine));
    for (const JobView &job : view.queue) {
        const auto wait = waits.find(job.id);
        if (!job.virtually_malleable || wait == waits.end())
            continue;
        vmall_set_wait_reason(job.id, &job == &view.queue.front(),
                              policy::in_words(wait->second->why).c_str());
        // Nothing may be found out yet of one that has just come, and Slurm plans as well.
        if (const auto start = wait->second->expected_start)
            vmall_set_expected_start(job.id, *start);
    }
}

} // namespace vmall::sched
