// SPDX-License-Identifier: GPL-2.0-or-later
//
// Copies what slurmglue shows.
#include "plugins/sched_fjt/look.hpp"

#include "plugins/sched_fjt/locks.hpp"
#include "plugins/select_vmall/malleability.hpp"
#include "slurmglue/contradiction.h"
#include "slurmglue/controller.h"
#include "slurmglue/job_view.h"
#include "slurmglue/reservations.h"

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <exception>
#include <memory>

namespace vmall::sched {

namespace {

constexpr policy::Seconds longest_plan = 365 * 24 * 3600;

// Visitors are called from C, which no exception may cross; it is kept and thrown on after the
// visit.
template <typename Value, typename Target = View>
struct Visit {
    Target &target;
    void (*add)(Target &, const Value &);
    std::exception_ptr error;

    static void call(void *context, const Value *value) noexcept {
        auto &self = *static_cast<Visit *>(context);
        try {
            if (!self.error)
                self.add(self.target, *value);
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
    copy.usable = node.usable;
    for (std::uint32_t core = 0; core < node.sockets * node.cores_per_socket; ++core)
        if (!vmall_core_is_specialized(node.index, core))
            copy.cores.push_back(core);
}

void add_cores(CoreSets &sets, const vmall_node_cores &here) {
    sets[here.node] = select::Cores(here.cores, here.cores + here.core_count);
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

JobView copy_job(const vmall_job &job) {
    JobView copy;
    copy.id = job.id;
    copy.user_id = job.user_id;
    copy.name = job.name;
    copy.partition = job.partition;
    copy.qos = job.qos;
    copy.account = job.account;
    copy.state = state_of(job);
    copy.submitted = job.submitted;
    copy.started = job.started;
    copy.time_limit = std::min<policy::Seconds>(job.time_limit, longest_plan);
    copy.tasks = static_cast<int>(job.tasks);
    copy.cpus_per_task = static_cast<int>(job.applicant.cpus_per_task);
    copy.min_nodes = static_cast<int>(std::max(1u, job.min_nodes));
    copy.max_nodes = static_cast<int>(job.max_nodes);
    copy.min_cpus = static_cast<int>(job.min_cpus);
    copy.whole_nodes = job.applicant.whole_nodes;
    copy.configuring = job.configuring;
    copy.has_steps = job.has_steps;
    const select::Malleability malleability = select::malleability_of(job.applicant);
    copy.request = malleability.request;
    copy.virtually_malleable = malleability.granted();
    for (std::uint32_t i = 0; i < job.eligible_node_count; ++i)
        copy.eligible.push_back({job.eligible_nodes[i]});
    for (std::uint32_t i = 0; i < job.allotment_count; ++i)
        add_cores(copy.cores, job.allotment[i]);
    return copy;
}

void add_waiting(View &view, const vmall_job &job) {
    view.queue.push_back(copy_job(job));
}
void add_active(View &view, const vmall_job &job) {
    view.active[job.id] = copy_job(job);
}

// Jobs that asked are scheduled like those that did not; folded ones keep the cores they have.
void leave_alone(View &view) {
    for (JobView &job : view.queue)
        job.virtually_malleable = false;
    for (auto &[id, job] : view.active)
        job.virtually_malleable = false;
}

// Without what takes long.
View glance(bool &any_malleable) {
    const LockToRead lock;
    View view;
    view.now = std::time(nullptr);
    view.contradiction = contradiction();
    any_malleable = vmall_any_job(select::is_malleable);
    return view;
}

} // namespace

std::string contradiction() {
    const std::unique_ptr<char, decltype(&std::free)> found(vmall_contradiction(), &std::free);
    return found ? found.get() : "";
}

View look_at_active() {
    View view;
    view.now = std::time(nullptr);
    Visit<vmall_node> nodes{view, add_node, nullptr};
    vmall_visit_nodes(Visit<vmall_node>::call, &nodes);
    nodes.rethrow();
    Visit<vmall_job> active{view, add_active, nullptr};
    vmall_visit_active(Visit<vmall_job>::call, &active);
    active.rethrow();
    return view;
}

View look() {
    bool any_malleable = false;
    if (View nothing = glance(any_malleable); !any_malleable)
        return nothing;
    const LockToLook lock;
    View view = look_at_active();
    view.contradiction = contradiction();
    Visit<vmall_job> queue{view, add_waiting, nullptr};
    vmall_visit_queue(Visit<vmall_job>::call, &queue);
    queue.rethrow();
    if (!view.contradiction.empty())
        leave_alone(view);
    return view;
}

CoreSets withheld_from(JobNumber job) {
    CoreSets cores;
    Visit<vmall_node_cores, CoreSets> withheld{cores, add_cores, nullptr};
    vmall_visit_withheld(job, withheld.call, &withheld);
    withheld.rethrow();
    return cores;
}

} // namespace vmall::sched
