// SPDX-License-Identifier: GPL-2.0-or-later
//
// Sharing processors among running jobs: who joins, who shrinks first, who grows.
#include "policy/sharing/space_sharing.hpp"

#include "policy/reasons.hpp"
#include "policy/sharing/multiprogramming_level.hpp"

#include <algorithm>
#include <numeric>

namespace vmall::policy::sharing {

namespace {

int least_cores_of_all(const SharedNode &machine) {
    return std::accumulate(
        machine.applications.begin(), machine.applications.end(), 0,
        [](int sum, const auto &application) { return sum + application.least; });
}

bool is_eligible(const SharedNode &machine, const WaitingJob &job) {
    return job.eligible.empty() || job.eligible.has(machine.node);
}

bool has_memory(const SharedNode &machine, const WaitingJob &job) {
    return machine.free_memory >= memory_needed(job);
}

bool admits(const SharedNode &machine, const WaitingJob &job, const Settings &settings,
            bool level_rises) {
    const int least = as_application(job, settings).least;
    const bool may_rise = level_rises && machine.free >= least;
    return is_eligible(machine, job) && !machine.in_flux && has_memory(machine, job) &&
           least_cores_of_all(machine) + least <= machine.processors &&
           admits_another(machine.applications, machine.now, may_rise ? machine.free : 0,
                          settings.sharing.default_level, settings.sharing.target_efficiency);
}

int share_of_one_more(const SharedNode &machine) {
    return machine.processors / static_cast<int>(machine.applications.size() + 1);
}

// Where the job would have the largest part of an equipartition; null: nowhere.
SharedNode *choose(std::vector<SharedNode> &machines, const WaitingJob &job,
                   const Settings &settings, bool level_rises) {
    SharedNode *best = nullptr;
    for (auto &machine : machines)
        if (admits(machine, job, settings, level_rises) &&
            (!best || share_of_one_more(machine) > share_of_one_more(*best)))
            best = &machine;
    return best;
}

bool lacks_memory(const std::vector<SharedNode> &machines, const WaitingJob &job) {
    return std::none_of(
        machines.begin(), machines.end(),
        [&](const SharedNode &machine) {
            return is_eligible(machine, job) && has_memory(machine, job);
        });
}

// In order of arrival; answers why the first job that is not among them waits, if there is one.
// Those that were refused, or have memory nowhere, lack what no sharing can give them.
std::optional<Wait> choose_newcomers(Pass &pass, std::vector<SharedNode> &machines,
                                     bool level_rises) {
    for (const WaitingJob *job : pass.queue) {
        if (job->refused) {
            pass.wait(*job, reasons::refused);
            continue;
        }
        if (!can_share(*job))
            return Wait{job->id, reasons::cores(*job)};
        if (lacks_memory(machines, *job)) {
            pass.wait(*job, reasons::memory);
            continue;
        }
        SharedNode *machine = choose(machines, *job, pass.settings, level_rises);
        if (!machine)
            return Wait{job->id, reasons::level};
        add_newcomer(*machine, *job, pass.settings);
    }
    return std::nullopt;
}

std::size_t first_not_refused(const Pass &pass) {
    const auto first = std::find_if(pass.queue.begin(), pass.queue.end(),
                                    [](const WaitingJob *job) { return !job->refused; });
    return static_cast<std::size_t>(first - pass.queue.begin());
}

// Jobs that cannot share and whose turn it is. Answers whether one waits.
bool start_those_that_cannot_share(Pass &pass) {
    for (;;) {
        const std::size_t first = first_not_refused(pass);
        if (first == pass.queue.size() || can_share(*pass.queue[first]))
            return false;
        auto verdict = place_rigidly(pass, *pass.queue[first]);
        if (std::holds_alternative<Delay>(verdict))
            return true;
        const auto &placement = std::get<Placement>(verdict);
        pass.start(first, placement, nodes_of(placement.allotment));
    }
}

// For the first of those that are to join, if there is one.
bool shrink_members(Pass &pass, const SharedNode &machine, const Allotments &targets) {
    const WaitingJob *first = machine.newcomers.empty() ? nullptr : machine.newcomers.front();
    bool any = false;
    for (std::size_t i = 0; i < machine.members.size(); i++) {
        if (targets[i] < machine.now[i]) {
            pass.share(pass.running[machine.members[i]], {{machine.node, targets[i]}}, first);
            any = true;
        }
    }
    return any;
}

void start_newcomers(Pass &pass, const SharedNode &machine, const Allotments &targets) {
    int free = machine.free;
    for (std::size_t i = 0; i < machine.newcomers.size(); i++) {
        const WaitingJob &job = *machine.newcomers[i];
        const std::size_t index = machine.members.size() + i;
        const Application &application = machine.applications[index];
        const int cores = useful_cores(job.malleable, job.cores_per_process, application.requested,
                                       std::min(targets[index], free));
        if (cores < application.least) {
            pass.wait(job, reasons::being_freed);
            continue;
        }
        free -= cores;
        const int mpl = job.malleable ? 1 : ceil_div(application.requested, cores);
        const auto queued = std::find(pass.queue.begin(), pass.queue.end(), &job);
        pass.start(static_cast<std::size_t>(queued - pass.queue.begin()),
                   {job.sizes.largest(),
                    mpl,
                    {{machine.node, cores}},
                    {{machine.node, application.requested}}},
                   {machine.node});
    }
}

void grow_members(Pass &pass, const SharedNode &machine, const Allotments &targets) {
    for (std::size_t i = 0; i < machine.members.size(); i++)
        if (targets[i] > machine.now[i])
            pass.unfold(pass.running[machine.members[i]], {{machine.node, targets[i]}},
                        Cause::sharing);
}

void share_out(Pass &pass, const SharedNode &machine, Allotments targets, bool may_grow) {
    for (std::size_t i = 0; i < machine.members.size(); i++) {
        const RunningJob &job = *pass.running[machine.members[i]].job;
        targets[i] = useful_cores(job.malleable, job.cores_per_process,
                                  machine.applications[i].requested, targets[i]);
    }
    const bool shrinks = shrink_members(pass, machine, targets);
    start_newcomers(pass, machine, targets);
    if (!shrinks && may_grow)
        grow_members(pass, machine, targets);
}

} // namespace

void SpaceSharing::run(Pass &pass, const SizingPolicy &, const ExpiryPolicy &) const {
    const bool needs_room = start_those_that_cannot_share(pass);
    auto machines = shared_nodes_of(pass);
    const auto wait = choose_newcomers(pass, machines, level_rises());
    for (const auto &machine : machines)
        if (!machine.in_flux)
            share_out(pass, machine, shares(machine, pass.settings.sharing), !needs_room);
    if (wait)
        pass.actions.emplace_back(*wait);
}

} // namespace vmall::policy::sharing
