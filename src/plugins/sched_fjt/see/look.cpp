// SPDX-License-Identifier: GPL-2.0-or-later
//
// Copies what slurmglue shows.
#include "plugins/sched_fjt/see/look.hpp"

#include "common/owned_text.hpp"
#include "plugins/sched_fjt/locks.hpp"
#include "plugins/sched_fjt/see/fewest_nodes.hpp"
#include "plugins/sched_fjt/see/het_jobs.hpp"
#include "plugins/sched_fjt/see/node_kinds.hpp"
#include "policy/room/room.hpp"
#include "slurmglue/contradiction.h"
#include "slurmglue/controller.h"
#include "slurmglue/job_start.h"
#include "slurmglue/job_view.h"
#include "slurmglue/queue_view.h"
#include "slurmglue/reservations.h"
#include "slurmglue/time_limits.h"

#include <algorithm>
#include <cstdint>
#include <ctime>
#include <exception>

namespace vmall::sched {

namespace {

constexpr policy::Seconds longest_plan = 365 * 24 * 3600;

// Visitors are called from C, which no exception may cross; it is kept and thrown on after the
// visit.
template <typename Result, typename Value>
struct Visit {
    Result &result;
    void (*add)(Result &, const Value &);
    std::exception_ptr error;

    static void call(void *context, const Value *value) noexcept {
        auto &self = *static_cast<Visit *>(context);
        try {
            if (!self.error)
                self.add(self.result, *value);
        } catch (...) {
            self.error = std::current_exception();
        }
    }
    void rethrow() const {
        if (error)
            std::rethrow_exception(error);
    }
};

void add_node(View &view, const vmall_node &node) {
    NodeView &copy = view.nodes[node.index];
    copy.name = node.name;
    copy.address = node.address;
    copy.slurmd_port = node.port;
    copy.cores_per_socket = std::max(1u, node.cores_per_socket);
    copy.threads_per_core = static_cast<int>(std::max(1u, node.threads_per_core));
    copy.registered = node.registered;
    copy.switched_off = node.switched_off;
    copy.down = node.down;
    copy.usable = node.usable;
    copy.cores = static_cast<int>(node.cores);
    copy.memory = node.memory;
}

void add_cores(CoreSets &sets, const vmall_node_cores &here) {
    sets[here.node] = cores::Cores(here.cores, here.cores + here.core_count);
}

JobState state_of(const vmall_job &job) {
    switch (job.state) {
    case VMALL_JOB_RUNNING:
        return JobState::running;
    case VMALL_JOB_SUSPENDED:
        return JobState::suspended;
    case VMALL_JOB_COMPLETING:
        return JobState::completing;
    case VMALL_JOB_WAITING:
        break;
    }
    return JobState::waiting;
}

std::optional<policy::Seconds> if_said(time_t time) {
    return time ? std::optional<policy::Seconds>(time) : std::nullopt;
}

std::optional<policy::Seconds> if_limited(std::uint32_t seconds) {
    return seconds == UINT32_MAX ? std::nullopt : std::optional<policy::Seconds>(seconds);
}

// Of each task, where GRES bring CPUs: a size with fewer processes than the largest leaves some.
int share_of_gres_cpus(const vmall_job &job, const JobView &copy) {
    return policy::ceil_div(static_cast<int>(job.gres_cpus), accepted_sizes(copy).largest());
}

JobView copy_job(const vmall_job &job, const cores::Rules &rules) {
    JobView copy;
    copy.id = job.id;
    copy.user_id = job.user_id;
    copy.name = job.name;
    copy.partition = job.partition;
    copy.qos = job.qos;
    copy.account = job.account;
    copy.tier = (std::int64_t{job.partition_tier} << 32) + job.qos_priority;
    copy.state = state_of(job);
    copy.submitted = job.submitted;
    copy.waits_since = job.waits_since;
    copy.started = job.started;
    copy.run = job.run;
    copy.time_limit = std::min<policy::Seconds>(job.time_limit, longest_plan);
    copy.limit_in_slurm = job.time_limit == UINT32_MAX ? 0 : job.time_limit / 60;
    copy.suspended = job.suspended;
    copy.deadline = if_said(job.deadline);
    copy.reserved = if_said(job.reserved);
    copy.reservation_ends = if_said(job.reservation_ends);
    copy.partition_limit = if_limited(job.partition_limit);
    copy.qos_limit = if_limited(job.qos_limit);
    copy.tasks = static_cast<int>(job.tasks);
    copy.cpus_per_task = static_cast<int>(std::max(1u, job.cpus_per_task));
    copy.threads_per_core = static_cast<int>(job.threads_per_core);
    copy.min_nodes = static_cast<int>(std::max(1u, job.min_nodes));
    copy.max_nodes = static_cast<int>(job.max_nodes);
    copy.tasks_per_node = static_cast<int>(job.tasks_per_node);
    copy.min_cpus = static_cast<int>(job.min_cpus);
    copy.whole_nodes = job.applicant.whole_nodes;
    copy.gres = job.applicant.gres;
    copy.het_job = job.het_job;
    copy.het_components = job.het_components;
    copy.planned_start = job.planned_start;
    copy.configuring = job.configuring;
    copy.nodes_booting = job.nodes_booting;
    copy.has_steps = job.has_steps;
    copy.record_can_end = job.record_can_end;
    copy.cores_since = job.allotment_since;
    const cores::Malleability malleability = cores::malleability_of(job.applicant, rules);
    copy.request = malleability.request;
    copy.virtually_malleable = malleability.granted();
    copy.by_default = malleability.by_default;
    copy.refusal = malleability.refusal;
    copy.cpus_per_task = std::max(copy.cpus_per_task, share_of_gres_cpus(job, copy));
    if (malleability.granted() && malleability.whole_nodes) {
        copy.min_nodes = copy.max_nodes = malleability.whole_nodes->nodes;
        copy.cpus_per_task = malleability.whole_nodes->cpus_per_task;
    }
    copy.any_spread =
        job.any_spread && malleability.granted() && !copy.by_default && !copy.whole_nodes;
    copy.memory = {job.memory.of_each_cpu, job.memory.of_each_node};
    for (std::uint32_t i = 0; i < job.allotment_count; ++i) {
        const vmall_node_count &here = job.allotment[i];
        copy.allotment.push_back({{here.node}, static_cast<int>(here.cores)});
        if (here.memory)
            copy.memory_held[here.node] = here.memory;
        if (job.tasks_on)
            copy.tasks_on[here.node] = static_cast<int>(job.tasks_on[i]);
    }
    return copy;
}

// Jobs with the same nodes share them.
struct Queue {
    const cores::Rules &rules;
    std::vector<JobView> jobs;
    std::map<const std::uint32_t *, policy::NodeSet> eligible;
};

policy::NodeSet node_set(const vmall_job &job) {
    std::vector<policy::NodeIndex> nodes;
    for (std::uint32_t i = 0; i < job.eligible_node_count; ++i)
        nodes.push_back({job.eligible_nodes[i]});
    return policy::NodeSet(std::move(nodes));
}

void add_waiting(Queue &queue, const vmall_job &job) {
    const auto [eligible, is_new] = queue.eligible.try_emplace(job.eligible_nodes);
    if (is_new)
        eligible->second = node_set(job);
    queue.jobs.push_back(copy_job(job, queue.rules));
    queue.jobs.back().eligible = eligible->second;
}

CoreSets visited(JobNumber job, void (*visit)(std::uint32_t, vmall_visit_node_cores, void *)) {
    CoreSets result;
    Visit<CoreSets, vmall_node_cores> cores{result, add_cores, nullptr};
    visit(job, cores.call, &cores);
    cores.rethrow();
    return result;
}

using StepLimits = std::map<StepId, StepView>;

void add_step_limit(StepLimits &limits, const vmall_step_limit &step) {
    limits[step.step_id] = {step.minutes, step.ran};
}

void add_active(View &view, const vmall_job &job) {
    JobView &copy = view.active[job.id] = copy_job(job, view.rules);
    if (!copy.virtually_malleable)
        return;
    copy.cores = visited(job.id, vmall_visit_held_cores);
    Visit<StepLimits, vmall_step_limit> steps{copy.step_limits, add_step_limit, nullptr};
    vmall_visit_step_limits(job.id, steps.call, &steps);
    steps.rethrow();
}

void add_with_cores(View &view, const vmall_job &job) {
    JobView &copy = view.active[job.id] = copy_job(job, view.rules);
    copy.cores = visited(job.id, vmall_visit_held_cores);
}

// A job that waits keeps to the kind of node that there is most of; one that runs has one kind.
void count_cores_per_task(View &view) {
    NodeKinds kinds(view);
    for (JobView &job : view.queue)
        if (job.cpus_per_task > 1)
            job.cores_per_task = cores_for_task(job, kinds.of(job.eligible).threads_of_most);
    for (auto &[id, job] : view.active)
        if (job.cpus_per_task > 1 && !job.allotment.empty())
            if (const auto node = view.nodes.find(job.allotment.front().node.value);
                node != view.nodes.end())
                job.cores_per_task = cores_for_task(job, node->second.threads_per_core);
}

void spread_over_enough_nodes(View &view) {
    NodeKinds kinds(view);
    for (JobView &job : view.queue)
        if (job.virtually_malleable && !job.whole_nodes)
            job.min_nodes = fewest_nodes(job, kinds);
}

// While slurm.conf contradicts, jobs that asked are scheduled like those that did not; folded ones
// keep the cores they have.
void heed_contradiction(View &view) {
    view.contradiction = contradiction();
    if (view.contradiction.empty())
        return;
    for (JobView &job : view.queue)
        job.virtually_malleable = false;
    for (auto &[id, job] : view.active)
        job.virtually_malleable = false;
}

// Or has asked in vain, which vmctl is told.
bool is_of_interest(const vmall_applicant *applicant, const void *rules) noexcept {
    try {
        const cores::Malleability found =
            cores::malleability_of(*applicant, *static_cast<const cores::Rules *>(rules));
        return found.granted() || !found.refusal.empty();
    } catch (const std::exception &) {
        return false;
    }
}

void note_time(View &view) {
    view.now = std::time(nullptr);
    view.steady = steady_seconds();
}

// Without what takes long. Whatever vmall.conf says of GRES.
View glance(cores::Rules rules, bool &any_of_interest) {
    const LockToRead lock;
    View view;
    note_time(view);
    view.contradiction = contradiction();
    rules.fold_gres = true;
    any_of_interest = vmall_any_job(is_of_interest, &rules, cores::includes_unasked(rules));
    return view;
}

} // namespace

std::string contradiction() {
    return common::taken(vmall_contradiction());
}

View look(const cores::Rules &rules) {
    bool any_of_interest = false;
    if (View nothing = glance(rules, any_of_interest); !any_of_interest)
        return nothing;
    Queue queue{rules, {}, {}};
    {
        const LockToAct lock; // a reservation that is asked about may move on to its next time
        Visit<Queue, vmall_job> waiting{queue, add_waiting, nullptr};
        vmall_visit_queue(vmall_queue_limit(), waiting.call, &waiting);
        waiting.rethrow();
    }
    View view;
    view.rules = rules;
    view.queue = with_het_jobs_in_place(std::move(queue.jobs));
    look_again(view);
    return view;
}

void look_again(View &view) {
    note_time(view);
    view.nodes.clear();
    view.active.clear();
    {
        const LockToRead lock;
        Visit<View, vmall_node> nodes{view, add_node, nullptr};
        vmall_visit_nodes(nodes.call, &nodes);
        nodes.rethrow();
        Visit<View, vmall_job> active{view, add_active, nullptr};
        vmall_visit_active(active.call, &active);
        active.rethrow();
        count_cores_per_task(view);
        heed_contradiction(view);
        view.preemption = vmall_preemption_is_on();
        view.may_schedule = vmall_may_schedule();
    }
    view.queue.erase(
        std::remove_if(view.queue.begin(), view.queue.end(),
                       [&](const JobView &job) { return view.active.count(job.id) > 0; }),
        view.queue.end());
    spread_over_enough_nodes(view);
}

View look_at_job(JobNumber job, const cores::Rules &rules) {
    View view;
    view.rules = rules;
    note_time(view);
    Visit<View, vmall_job> active{view, add_with_cores, nullptr};
    vmall_visit_active_job(job, active.call, &active);
    active.rethrow();
    Visit<View, vmall_node> nodes{view, add_node, nullptr};
    for (const auto &[id, found] : view.active)
        for (const policy::NodeCores &here : found.allotment)
            vmall_visit_node_at(here.node.value, nodes.call, &nodes);
    nodes.rethrow();
    count_cores_per_task(view);
    heed_contradiction(view);
    return view;
}

CoreSets free_cores_beside(JobNumber job) {
    return visited(job, vmall_visit_free_cores);
}

CoreSets withheld_from(JobNumber job, policy::Seconds left) {
    CoreSets result;
    Visit<CoreSets, vmall_node_cores> cores{result, add_cores, nullptr};
    vmall_visit_withheld(job, static_cast<std::uint32_t>(std::min(left, longest_plan)), cores.call,
                         &cores);
    cores.rethrow();
    return result;
}

} // namespace vmall::sched
