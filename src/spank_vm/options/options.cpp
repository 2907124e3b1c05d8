// SPDX-License-Identifier: GPL-2.0-or-later
//
// The --vm-* options of sbatch, salloc and srun.
#include "spank_vm/options/options.hpp"
#include "config/job_request.hpp"
#include "layout/control_block.h"

#include <algorithm>
#include <cstdlib>
#include <exception>
#include <iterator>
#include <optional>
#include <string>

namespace vmall::spank_vm {

namespace {

constexpr std::size_t longest_in_script = 1024; // of a value that is used

enum OptionId { option_class, option_procs, option_estimate, option_runtime, option_no_vm };

struct Option {
    OptionId id;
    const char *name;
    const char *argument; // null: takes none
    const char *usage;
};

constexpr Option options[] = {
    {option_class, "vm-class", "short|long",
     "job class for the virtual malleability policies: whether it may be run on fewer cores than "
     "processes so that others start (long), or is let through first (short)"},
    {option_procs, "vm-procs", "list",
     "process counts that the job accepts, for example 16,8,4 or 1-60 or pow2:64 or square:49; "
     "the scheduler chooses one when the job starts"},
    {option_estimate, "vm-estimate", "time",
     "how long the job is expected to run, as for --time; passing it never kills the job"},
    {option_runtime, "vm-runtime", "list",
     "how processes that share a core take turns while the job is folded: "
     "next=round-robin|messages|sender, queues=local|kernel|detect, coscheduling=self|none; and "
     "what its tasks are told it by: signal=usr1|usr2|hup|cont|urg|winch; separated by commas"},
    {option_no_vm, "no-vm", nullptr,
     "take no part in virtual malleability, whatever the script or the "
     "environment asks for"},
};

// SPANK callbacks have no context argument, so what they were given is kept here: one submission,
// or one step in slurmstepd, per process. What slurmctld is to be told; checked already.
struct Given {
    std::optional<std::string> job_class, procs, estimate, runtime, no_vm;
};
Given given;
bool asked_in_script = false;
std::string runtime_in_script;

void accept(int id, const std::string &argument) {
    switch (id) {
    case option_class:
        given.job_class = name_of(config::parse_class(argument));
        break;
    case option_procs:
        config::parse_sizes(argument);
        given.procs = argument;
        break;
    case option_estimate:
        given.estimate = std::to_string(config::parse_time(argument));
        break;
    case option_runtime:
        config::parse_runtime_request(argument);
        given.runtime = argument;
        break;
    case option_no_vm:
        given.no_vm = "1";
        break;
    }
}

// Slurm calls it for every occurrence: script, environment, command line. The last one counts.
int on_option(int id, const char *argument, int) {
    try {
        accept(id, argument ? argument : "");
        return ESPANK_SUCCESS;
    } catch (const std::exception &error) {
        slurm_error("--%s: %s", options[id].name, error.what());
        return -1;
    }
}

// sbatch and salloc leave the job's SPANK environment in the script's, with this prefix.
std::string in_script(const std::string &name) {
    return "SLURM_SPANK_" + name;
}

// A script that submits another job must not pass its own options on to it. (srun in the script
// needs them: its steps belong to the job.)
void forget_options_of_surrounding_job() {
    if (!getenv("SLURM_JOB_ID"))
        return;
    for (const Option &option : options) {
        std::string name = std::string("_SLURM_SPANK_OPTION_spank_vm_") + option.name;
        std::replace(name.begin(), name.end(), '-', '_');
        unsetenv(name.c_str()); // salloc's shell has this one too
        unsetenv(in_script(name).c_str());
    }
    for (const char *name :
         {config::env_class, config::env_procs, config::env_estimate, config::env_runtime,
          config::env_no_vm, config::env_starts_unfolded, config::env_takes_part})
        unsetenv(in_script(name).c_str());
    unsetenv(config::env_tasks_per_node);
    unsetenv(config::env_cpus_per_node);
    unsetenv(VMALL_ENV_CONTROL);
    unsetenv(VMALL_ENV_ALLOTMENT);
}

// For the batch step of `sbatch --export=NONE`, which Slurm gives these variables but not the
// options.
std::optional<std::string> script_says(spank_t spank, const char *name) {
    char value[longest_in_script + 1];
    const spank_err_t result = spank_getenv(spank, in_script(name).c_str(), value, sizeof(value));
    if (result == ESPANK_NOSPACE)
        return ""; // there is one, too long to be of use
    return result == ESPANK_SUCCESS ? std::optional<std::string>(value) : std::nullopt;
}

// By one of them a script knows that its job is virtually malleable.
constexpr const char *asking[] = {config::env_class, config::env_procs, config::env_estimate,
                                  config::env_runtime, config::env_takes_part};

void read_script(spank_t spank) {
    asked_in_script = false;
    for (const char *name : asking)
        asked_in_script = script_says(spank, name) || asked_in_script;
    runtime_in_script = script_says(spank, config::env_runtime).value_or("");
}

// Not a step of a job that sbatch or salloc has started.
bool srun_starts_the_job() {
    return spank_context() == S_CTX_LOCAL && !getenv("SLURM_JOB_ID");
}

int send(spank_t spank, const char *variable, const std::optional<std::string> &value) {
    if (!value)
        return ESPANK_SUCCESS;
    const spank_err_t result = spank_job_control_setenv(spank, variable, value->c_str(), 1);
    if (result != ESPANK_SUCCESS) {
        slurm_error("cannot put %s into the job's SPANK environment: %s", variable,
                    spank_strerror(result));
        return -1;
    }
    return ESPANK_SUCCESS;
}

} // namespace

int register_options(spank_t spank) noexcept {
    const spank_context_t context = spank_context();
    if (context != S_CTX_LOCAL && context != S_CTX_ALLOCATOR && context != S_CTX_REMOTE)
        return ESPANK_SUCCESS;
    if (context == S_CTX_ALLOCATOR)
        forget_options_of_surrounding_job();
    for (const Option &option : options) {
        // Slurm's struct is not const-correct; it copies what it is given.
        spank_option registered = {const_cast<char *>(option.name),
                                   const_cast<char *>(option.argument),
                                   const_cast<char *>(option.usage),
                                   option.argument ? 1 : 0,
                                   option.id,
                                   on_option};
        const spank_err_t result = spank_option_register(spank, &registered);
        if (result != ESPANK_SUCCESS) {
            slurm_error("cannot register --%s: %s", option.name, spank_strerror(result));
            return result;
        }
    }
    return ESPANK_SUCCESS;
}

int publish_options(spank_t spank) noexcept {
    if (spank_remote(spank)) {
        read_script(spank);
        return ESPANK_SUCCESS;
    }
    // On the command line it takes back what the script or the environment asks for.
    if (given.no_vm)
        return send(spank, config::env_no_vm, given.no_vm);
    if (srun_starts_the_job() && given.procs && config::parse_sizes(*given.procs).count() > 1) {
        slurm_error("--vm-procs: without sbatch or salloc, srun starts as many tasks as -n says "
                    "whatever Slurm would choose: give one count, or submit the job");
        return -1;
    }
    const bool failed =
        send(spank, config::env_class, given.job_class) ||
        send(spank, config::env_procs, given.procs) ||
        send(spank, config::env_estimate, given.estimate) ||
        send(spank, config::env_runtime, given.runtime) ||
        (srun_starts_the_job() && vm_asked() && send(spank, config::env_starts_unfolded, "1"));
    return failed ? -1 : ESPANK_SUCCESS;
}

bool is_of_a_malleable_job() {
    const auto is_set = [](const char *name) { return getenv(in_script(name).c_str()) != nullptr; };
    return !is_set(config::env_no_vm) &&
           (vm_asked() || std::any_of(std::begin(asking), std::end(asking), is_set));
}

bool vm_asked() noexcept {
    const bool asked = given.job_class || given.procs || given.estimate || given.runtime;
    return !given.no_vm && (asked || asked_in_script);
}

config::RuntimeRequest runtime_asked() {
    const std::string text = given.runtime.value_or(runtime_in_script);
    return text.empty() ? config::RuntimeRequest{} : config::parse_runtime_request(text);
}

} // namespace vmall::spank_vm
