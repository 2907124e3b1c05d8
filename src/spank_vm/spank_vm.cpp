// SPDX-License-Identifier: GPL-2.0-or-later
//
// Slurm's entry points: each hands over to what its context is for.
extern "C" {
#include <slurm/spank.h>
}

#include "spank_vm/agent/service.hpp"
#include "spank_vm/agent/settings.hpp"
#include "spank_vm/node/slurmd_identity.hpp"
#include "spank_vm/node/step_settings.hpp"
#include "spank_vm/options/options.hpp"
#include "spank_vm/options/overcommit.hpp"
#include "spank_vm/options/slurm_release.hpp"
#include "spank_vm/step/bindings.hpp"
#include "spank_vm/step/cpu_counts.hpp"
#include "spank_vm/step/given.hpp"
#include "spank_vm/step/job_end.hpp"
#include "spank_vm/step/preload.hpp"
#include "spank_vm/step/srun_binding.hpp"
#include "spank_vm/step/step.hpp"
#include "spank_vm/step_account.hpp"

#include <exception>
#include <string>
#include <utility>

namespace {

// Runs the action; what it throws is logged, and Slurm goes on unless `failure` says otherwise.
template <typename Action>
int guarded(const char *purpose, Action action, int failure = ESPANK_SUCCESS) noexcept {
    try {
        action();
        return ESPANK_SUCCESS;
    } catch (const std::exception &error) {
        slurm_error("virtual malleability: cannot %s: %s", purpose, error.what());
    } catch (...) {
        slurm_error("virtual malleability: cannot %s", purpose);
    }
    return failure;
}

std::string name_of_release(spank_t spank) {
    const char *name = nullptr;
    return spank_get_item(spank, S_SLURM_VERSION, &name) == ESPANK_SUCCESS && name ? name : "";
}

} // namespace

#define EXPORT __attribute__((visibility("default")))

extern "C" {

extern EXPORT const char plugin_name[];
extern EXPORT const char plugin_type[];
extern EXPORT unsigned int plugin_version;
extern EXPORT const unsigned int spank_plugin_version;
// As SPANK_PLUGIN says it, but for the number: Slurm reads it after it has loaded the file, and
// takes its own only. 0 is nobody's.
const char plugin_name[] = "spank_vm";
const char plugin_type[] = "spank";
unsigned int plugin_version = 0;
const unsigned int spank_plugin_version = 1;

__attribute__((constructor)) static void say_for_which_release(void) {
    plugin_version = vmall::spank_vm::running_release();
}

EXPORT int slurm_spank_init(spank_t spank, int argument_count, char **arguments) {
    const spank_context_t context = spank_context();
    if (context == S_CTX_LOCAL || context == S_CTX_ALLOCATOR)
        guarded("make room for what the user says", [] { vmall::spank_vm::take_back_given(); });
    if (context != S_CTX_SLURMD) {
        guarded("see whether the job is folded",
                [] { vmall::spank_vm::let_a_folded_jobs_step_overcommit(); });
        return vmall::spank_vm::register_options(spank);
    }
    // A slurmd that goes on has an agent: better that one than none.
    const int failure = vmall::spank_vm::is_probationary() ? -1 : ESPANK_SUCCESS;
    return guarded(
        "start the node agent",
        [&] {
            auto settings = vmall::agent::load_settings(argument_count, arguments);
            settings.slurm_release = name_of_release(spank);
            vmall::spank_vm::save_step_settings(settings.step_socket_dir,
                                                {settings.node_name, settings.runtime_dir,
                                                 settings.config.vmrt_library, settings.deals_cores,
                                                 settings.deals_cores && settings.config.job_note});
            vmall::agent::start(std::move(settings));
        },
        failure);
}

EXPORT int slurm_spank_init_post_opt(spank_t spank, int, char **) {
    const int result = vmall::spank_vm::publish_options(spank);
    if (result < 0 || spank_context() != S_CTX_REMOTE)
        return result;
    return guarded("attach the step", [&] { vmall::spank_vm::attach_step(spank); });
}

EXPORT int slurm_spank_local_user_init(spank_t spank, int, char **) {
    return guarded(
        "see whether the step's binding suits a folded job",
        [&] { vmall::spank_vm::give_up_binding_of_a_folded_job(spank); });
}

EXPORT int slurm_spank_task_post_fork(spank_t spank, int, char **) {
    return guarded(
        "place a task", [&] { vmall::spank_vm::place_task(spank); });
}

EXPORT int slurm_spank_task_init(spank_t spank, int, char **) {
    if (vmall::spank_vm::is_attached())
        guarded(
            "forget to which CPUs a task was bound",
            [&] { vmall::spank_vm::forget_numbered_cpus(spank); });
    guarded(
        "tell how many CPUs the job asked for", [&] { vmall::spank_vm::tell_cpus_on_node(spank); });
    return guarded("look for the runtime library",
                   [&] { vmall::spank_vm::do_not_preload_what_is_missing(spank); });
}

EXPORT int slurm_spank_exit(spank_t spank, int, char **) {
    if (spank_context() != S_CTX_REMOTE)
        return ESPANK_SUCCESS;
    return guarded("tell what the job had", [&] { vmall::spank_vm::tell_account(spank); });
}

EXPORT int slurm_spank_job_epilog(spank_t spank, int, char **) {
    return guarded(
        "forget a job",
        [&] {
            std::uint32_t job_id = 0;
            const auto settings = vmall::spank_vm::load_step_settings();
            if (settings && spank_get_item(spank, S_JOB_ID, &job_id) == ESPANK_SUCCESS)
                vmall::spank_vm::forget_job(*settings, job_id);
        });
}

EXPORT int slurm_spank_slurmd_exit(spank_t, int, char **) {
    return guarded(
        "stop the node agent", [] { vmall::agent::stop(); });
}

} // extern "C"
