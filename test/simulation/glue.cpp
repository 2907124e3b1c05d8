// SPDX-License-Identifier: GPL-2.0-or-later
//
// slurmglue over the simulated slurmctld. Linked in place of the real one.
#include "controller.hpp"
#include "slurm.hpp"
#include "slurmglue/contradiction.h"
#include "slurmglue/controller.h"
#include "slurmglue/job_resize.h"
#include "slurmglue/job_view.h"
#include "slurmglue/queue_view.h"
#include "slurmglue/reservations.h"
#include "slurmglue/time_limits.h"
#include "trace.hpp"

#include <slurm/slurm_errno.h>

using namespace vmall::simulation;

namespace {

constexpr const char *asks[] = {"VMALL_CLASS=short"};

void log(const char *message) {
    tell([&] { return std::string("    slurmctld says: ") + message; });
}

vmall_job_state state_of(const Job &job) {
    switch (job.state) {
    case JobState::waiting:
        return VMALL_JOB_WAITING;
    case JobState::running:
        return VMALL_JOB_RUNNING;
    case JobState::suspended:
        return VMALL_JOB_SUSPENDED;
    case JobState::completing:
        break;
    }
    return VMALL_JOB_COMPLETING;
}

void show(const Job &job, vmall_visit_job visit, void *context) {
    static const std::uint32_t nodes[] = {0, 1, 2, 3};
    vmall_job seen = {};
    seen.applicant.spank_environment = asks;
    seen.applicant.spank_environment_count = job.malleable ? 1 : 0;
    seen.applicant.partitions = seen.applicant.qos = seen.applicant.account = "";
    seen.id = job.id;
    seen.applicant.user_id = seen.user_id = job.user;
    seen.name = seen.partition = seen.qos = seen.account = "";
    seen.state = state_of(job);
    seen.submitted = job.submitted;
    seen.waits_since = job.submitted;
    seen.started = job.state == JobState::waiting ? 0 : job.started;
    seen.run = job.run;
    seen.time_limit = job.limit * 60;
    seen.partition_limit = seen.qos_limit = UINT32_MAX;
    seen.tasks = static_cast<std::uint32_t>(job.tasks);
    seen.cpus_per_task = static_cast<std::uint32_t>(job.cores_per_task);
    seen.min_nodes = seen.max_nodes = job.node_count;
    seen.has_steps = !job.steps.empty();
    seen.record_can_end = !slurm->accounting_is_away;
    seen.eligible_nodes = nodes;
    seen.eligible_node_count = slurm->node_count;
    std::vector<vmall_node_count> allotment;
    for (const auto &[node, cores] : job.cores)
        allotment.push_back({node, static_cast<std::uint32_t>(as_list(cores).size()), 0});
    seen.allotment = allotment.data();
    seen.allotment_count = static_cast<std::uint32_t>(allotment.size());
    seen.allotment_since = job.started;
    visit(context, &seen);
}

void show(NodeIndex node, Cores cores, vmall_visit_node_cores visit, void *context) {
    const auto list = as_list(cores);
    const vmall_node_cores here = {node, list.data(), static_cast<std::uint32_t>(list.size())};
    visit(context, &here);
}

std::map<NodeIndex, Cores> cores_in(const vmall_node_cores *target, std::uint32_t node_count) {
    std::map<NodeIndex, Cores> cores;
    for (std::uint32_t i = 0; i < node_count; ++i)
        cores[target[i].node] = as_bits({target[i].cores, target[i].cores + target[i].core_count});
    return cores;
}

} // namespace

void vmall_log_error(const char *message) {
    log(message);
}
void vmall_log_info(const char *message) {
    log(message);
}
void vmall_log_debug(const char *message) {
    log(message);
}
const char *vmall_error_text(int) {
    return "Slurm refuses";
}
char *vmall_contradiction() {
    return nullptr;
}

void vmall_visit_nodes(vmall_visit_node visit, void *context) {
    for (NodeIndex node = 0; node < slurm->node_count; ++node)
        vmall_visit_node_at(node, visit, context);
}
void vmall_visit_node_at(std::uint32_t index, vmall_visit_node visit, void *context) {
    const std::string name = "n" + std::to_string(index);
    const bool registered = slurm->registered.count(index) > 0;
    const vmall_node node = {
        index, name.c_str(), name.c_str(), 6818,  slurm->cores_per_node,   slurm->cores_per_node,
        1,     registered,   false,        false, slurm->is_usable(index), 0};
    visit(context, &node);
}

std::uint32_t vmall_queue_limit() {
    return UINT32_MAX;
}
void vmall_visit_queue(std::uint32_t, vmall_visit_job visit, void *context) {
    for (const auto &[id, job] : slurm->records.jobs)
        if (job.state == JobState::waiting)
            show(job, visit, context);
}
void vmall_visit_active(vmall_visit_job visit, void *context) {
    for (const auto &[id, job] : slurm->records.jobs)
        if (job.state != JobState::waiting)
            show(job, visit, context);
}
void vmall_visit_active_job(std::uint32_t job_id, vmall_visit_job visit, void *context) {
    if (const Job *job = slurm->find(job_id); job && job->state != JobState::waiting)
        show(*job, visit, context);
}
void vmall_visit_held_cores(std::uint32_t job_id, vmall_visit_node_cores visit, void *context) {
    for (const auto &[node, cores] : slurm->find(job_id)->cores)
        show(node, cores, visit, context);
}
void vmall_visit_free_cores(std::uint32_t job_id, vmall_visit_node_cores visit, void *context) {
    for (const auto &[node, cores] : slurm->find(job_id)->cores)
        show(node, slurm->is_usable(node) ? slurm->free_cores(node) : 0, visit, context);
}
void vmall_visit_withheld(std::uint32_t job_id, std::uint32_t, vmall_visit_node_cores visit,
                          void *context) {
    for (const auto &[node, cores] : slurm->find(job_id)->cores)
        if (const auto reserved = slurm->reserved.find(node); reserved != slurm->reserved.end())
            show(node, reserved->second, visit, context);
}
bool vmall_has_step_on(std::uint32_t job_id, std::uint32_t node) {
    const Job *job = slurm->find(job_id);
    for (const auto &[step, nodes] : job->steps)
        if (nodes.count(node))
            return true;
    return false;
}

int vmall_resize_job(std::uint32_t job_id, const vmall_node_cores *target, std::uint32_t nodes,
                     std::uint32_t time_limit) {
    Job *job = slurm->find(job_id);
    if (!job)
        return ESLURM_INVALID_JOB_ID;
    if (job->state != JobState::running)
        return ESLURM_JOB_NOT_RUNNING;
    if (slurm->accounting_is_away)
        return vmall_slurmdbd_not_ready;
    const auto cores = cores_in(target, nodes);
    for (const auto &[node, wanted] : cores) {
        const auto held = job->cores.find(node);
        if (held == job->cores.end() || cores.size() != job->cores.size())
            return ESLURM_INVALID_NODE_NAME;
        if (!is_inside(wanted, held->second | slurm->free_cores(node)))
            return ESLURM_NODES_BUSY;
        if (const auto reserved = slurm->reserved.find(node);
            reserved != slurm->reserved.end() && (wanted & ~held->second & reserved->second))
            throw Violation{"job " + std::to_string(job_id) + " grows into a reservation"};
        if (slurm->limits_are_reached && !is_inside(wanted, held->second))
            return ESLURM_ACCOUNTING_POLICY;
    }
    job->cores = cores;
    if (time_limit)
        job->limit = (time_limit + 59) / 60;
    return 0;
}

bool vmall_set_job_limit(std::uint32_t job_id, std::uint32_t, std::uint32_t seconds) {
    if (Job *job = slurm->find(job_id))
        job->limit = (seconds + 59) / 60;
    return true;
}
void vmall_set_step_limit(std::uint32_t, std::uint32_t, std::uint32_t) {}
bool vmall_take_extension_back(std::uint32_t, std::uint32_t, std::uint32_t) {
    return false;
}
