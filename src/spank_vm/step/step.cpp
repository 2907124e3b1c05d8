// SPDX-License-Identifier: GPL-2.0-or-later
//
// First the agent knows the step, then the control block is read: a fold that happens meanwhile
// finds the tasks, or is found by them.
#include "spank_vm/step/step.hpp"

#include "config/job_request.hpp"
#include "config/number.hpp"
#include "layout/control_block.h"
#include "spank_vm/node/control_file.hpp"
#include "spank_vm/node/cpu_mask.hpp"
#include "spank_vm/node/index_list.hpp"
#include "spank_vm/node/local_messages.hpp"
#include "spank_vm/node/local_socket.hpp"
#include "spank_vm/node/slurm_conf.hpp"
#include "spank_vm/node/step_settings.hpp"
#include "spank_vm/options/options.hpp"
#include "spank_vm/step/cpu_counts.hpp"
#include "spank_vm/step/environment.hpp"
#include "spank_vm/step/given.hpp"
#include "spank_vm/step/idle_threads.hpp"
#include "spank_vm/step/preload.hpp"
#include "wire/messages.hpp"

#include <slurm/slurm.h>

#include <algorithm>
#include <chrono>
#include <exception>
#include <optional>
#include <stdexcept>
#include <string>
#include <unistd.h>

namespace vmall::spank_vm {

namespace {

// slurmd takes steps a moment before its agent does, also when it is reconfigured or started anew.
constexpr std::chrono::seconds agent_start_time(3);

struct AttachedStep {
    ControlFile control;
    std::string agent_socket;
    Launched launched;
    bool is_launched = false; // as far as the agent knows
};

// SPANK callbacks have no context argument: the one step of this slurmstepd.
std::optional<AttachedStep> attached;

// The script of a job has a step of one node, and may start its ranks on all of them itself.
std::uint32_t node_count(spank_t spank) {
    const auto of_step = item<std::uint32_t>(spank, S_JOB_NNODES, "the number of nodes");
    const auto of_job =
        config::whole_number(variable(spank, "SLURM_JOB_NUM_NODES"), 1, highest_node_count);
    return std::max({1u, of_step, static_cast<std::uint32_t>(of_job.value_or(1))});
}

// A list that does not parse must not keep the step from being registered.
config::RuntimeRequest runtime_asked_or_nodes() {
    try {
        return runtime_asked();
    } catch (const std::exception &error) {
        slurm_error("virtual malleability: the node's settings hold, because %s is wrong: %s",
                    config::env_runtime, error.what());
        return {};
    }
}

// Since Slurm 22.05 srun, and what starts ranks by it, takes one CPU for each also in a job with
// --cpus-per-task; but the job's variable is there, or that of who said otherwise.
std::uint32_t cpus_per_rank(spank_t spank, std::uint32_t step_id) {
    const auto said =
        config::whole_number(variable(spank, "SLURM_CPUS_PER_TASK"), 1, VMALL_CONTROL_MAX_CPUS);
    if (said)
        return static_cast<std::uint32_t>(*said);
    if (step_id == SLURM_BATCH_SCRIPT) // whose only task has all CPUs, but starts ranks itself
        return 1;
    return std::clamp(
        item<std::uint32_t>(spank, S_STEP_CPUS_PER_TASK, "the number of CPUs per task"), 1u,
        VMALL_CONTROL_MAX_CPUS);
}

Ranks describe_ranks(spank_t spank, std::uint32_t step_id) {
    Ranks ranks;
    ranks.runtime = runtime_asked_or_nodes();
    ranks.cpus_per_rank = cpus_per_rank(spank, step_id);
    ranks.node_count = node_count(spank);
    ranks.first_node = nth_host(variable(spank, "SLURM_JOB_NODELIST"), 0);
    return ranks;
}

// How often the job was requeued. Slurm tells it to the script, and that to the steps that it
// starts; what the script's own step has of it is of the job that submitted it.
std::optional<std::uint32_t> run_of(spank_t spank, std::uint32_t step_id) {
    if (step_id == SLURM_BATCH_SCRIPT)
        return std::nullopt;
    const std::string count = variable(spank, "SLURM_RESTART_COUNT");
    if (count.empty())
        return 0;
    const auto number = config::whole_number(count, 0, wire::highest_id);
    return number ? std::optional<std::uint32_t>(*number) : std::nullopt;
}

Registration describe_step(spank_t spank, std::uint32_t job_id, std::uint32_t step_id,
                           bool takes_part = true) {
    Registration registration;
    registration.job_id = job_id;
    registration.step_id = step_id;
    registration.user = item<uid_t>(spank, S_JOB_UID, "the job's user");
    const char *cores = item<char *>(spank, S_JOB_ALLOC_CORES, "the job's cores");
    registration.cores = parse_index_list(cores ? cores : "");
    registration.takes_part = takes_part;
    if (vm_asked()) { // else it is not one of the job's own
        registration.ranks = describe_ranks(spank, step_id);
        registration.run = run_of(spank, step_id);
    }
    return registration;
}

std::string agent_socket(const StepSettings &settings) {
    return settings.runtime_dir + "/" + agent_socket_name;
}

// False if the agent does not take the step.
bool register_step(const Registration &step, const StepSettings &settings,
                   const std::string &control) {
    const std::string socket = agent_socket(settings);
    try {
        expect_done(ask_patiently(socket, encode(step), agent_start_time));
        attached = {
            ControlFile::open_read_only(control, step.job_id), socket, {step.job_id, step.step_id}};
        return true;
    } catch (const std::exception &error) {
        slurm_error("virtual malleability: not attached to the agent of node %s, so the job cannot "
                    "be resized: %s",
                    settings.node_name.c_str(), error.what());
        return false;
    }
}

// Nobody waits for an agent that is not there.
void mention_bystander(spank_t spank, const StepSettings &settings, std::uint32_t job_id,
                       std::uint32_t step_id) {
    try {
        const Registration step = describe_step(spank, job_id, step_id, false);
        expect_done(ask(agent_socket(settings), encode(step)));
    } catch (const std::exception &error) {
        slurm_verbose("the node agent does not hear of job %u, which takes no part: %s", job_id,
                      error.what());
    }
}

// Once: the cpusets that Slurm has made may be of before a fold.
void tell_of_launch(AttachedStep &step) {
    if (step.is_launched)
        return;
    step.is_launched = true;
    try {
        expect_done(ask_patiently(step.agent_socket, encode(step.launched), agent_start_time));
    } catch (const std::exception &error) {
        slurm_error("virtual malleability: the agent does not look after this step's cpusets: %s",
                    error.what());
    }
}

// mpiexec goes by it. slurmd reckons it from the cores that the job has at the moment.
void tell_task_layout(spank_t spank) {
    const std::string layout = variable(spank, config::env_tasks_per_node);
    if (layout.empty())
        return;
    set_variable(spank, "SLURM_TASKS_PER_NODE", layout);
    spank_unsetenv(spank, config::env_tasks_per_node);
}

} // namespace

void attach_step(spank_t spank) {
    const auto step_id = item<std::uint32_t>(spank, S_JOB_STEPID, "the step");
    const auto settings = load_step_settings();
    if (step_id == SLURM_EXTERN_CONT || (!settings && !vm_asked()))
        return;
    if (!settings)
        throw std::runtime_error("no agent has started on this node");
    const auto job_id = item<std::uint32_t>(spank, S_JOB_ID, "the job");
    if (!vm_asked() && settings->wants_bystanders) {
        mention_bystander(spank, *settings, job_id, step_id);
        return;
    }
    const std::string directory = settings->runtime_dir + "/" + std::to_string(job_id) + "/";
    const std::string control = directory + control_file_name;
    // Who starts a step from outside the job does not have its options.
    if (!vm_asked() && access(control.c_str(), F_OK) != 0)
        return;
    if (step_id == SLURM_BATCH_SCRIPT) {
        tell_task_layout(spank);
        tell_cpus_per_node(spank);
    } else if (vm_asked()) {
        expect_cpus_of_the_script(spank);
    }
    // A step inherits its job's environment, and that may come from another node.
    spank_unsetenv(spank, VMALL_ENV_CONTROL);
    spank_unsetenv(spank, VMALL_ENV_ALLOTMENT);
    forget_given(spank);
    const Registration step = describe_step(spank, job_id, step_id);
    // In any case: ranks that have it loaded may not meet ranks of another node that have not.
    preload(spank, settings->vmrt_library);
    if (!register_step(step, *settings, control))
        return;
    set_variable(spank, VMALL_ENV_CONTROL, control);
    set_variable(spank, VMALL_ENV_ALLOTMENT, directory + allotment_file_name);
    if (step.ranks && step.ranks->cpus_per_rank > 1)
        let_idle_threads_sleep(spank);
}

bool is_attached() noexcept {
    return attached.has_value();
}

void place_task(spank_t spank) {
    if (!attached)
        return;
    tell_of_launch(*attached);
    const pid_t task = item<pid_t>(spank, S_TASK_PID, "the task");
    Published now = attached->control.read();
    for (;;) {
        const cpu_set_t allotment = mask_of(now.cpus);
        const auto mask = affinity(task);
        if (mask && !is_inside(*mask, allotment))
            set_affinity(task, allotment);
        // The agent looks at all tasks again after it has changed the block.
        const Published later = attached->control.read();
        if (later.generation == now.generation)
            return;
        now = later;
    }
}

} // namespace vmall::spank_vm
