// SPDX-License-Identifier: GPL-2.0-or-later
//
// The options of vmsim run.
#include "tools/vmsim/run_options.hpp"

#include "config/number.hpp"
#include "sim/model/useful_share.hpp"
#include "tools/vmsim/checks.hpp"
#include "tools/vmsim/threads_option.hpp"
#include "tools/vmsim/usage_error.hpp"

#include <algorithm>
#include <limits>
#include <ostream>
#include <stdexcept>

namespace vmall::vmsim {

namespace {

sim::Milliseconds in_milliseconds(double seconds) {
    return static_cast<sim::Milliseconds>(seconds * 1000 + 0.5);
}

sim::SummaryOptions summary_options(const RunOptions &options) {
    sim::SummaryOptions result;
    if (options.steady_state)
        result.selection = sim::steady_state();
    if (!options.warm_up.empty())
        result.selection.warm_up = sim::parse_share(options.warm_up);
    if (!options.cool_down.empty())
        result.selection.cool_down = sim::parse_share(options.cool_down);
    result.selection.while_arriving |= options.while_arriving;
    result.slowdown_bound = in_milliseconds(options.slowdown_bound);
    return result;
}

sim::Options simulation_options(const RunOptions &options) {
    sim::Options result;
    result.folding_cost = sim::parse_folding_cost(options.folding_cost);
    result.resize_latency = in_milliseconds(options.resize_latency);
    result.kill_at_time_limit = !options.ignore_time_limits;
    if (options.limit_extension != "unlimited")
        result.limit_extension = std::stoi(options.limit_extension);
    result.record_allotments = options.timelines || options.pictures;
    return result;
}

std::vector<PolicyChoice> chosen_policies(const RunOptions &options) {
    std::vector<PolicyChoice> policies;
    for (const auto &text : options.policies)
        policies.push_back(parse_policy(text, options.more_policies));
    if (!options.policy_file.empty())
        policies.push_back(policy_of_file(options.policy_file));
    if (policies.empty())
        throw UsageError("give a --policy or a --policy-file");
    check_distinct(policies);
    return policies;
}

// As told, or what the workloads were recorded on.
sim::Machine machine(const RunOptions &options, const Batch &batch) {
    if (options.cores_per_node > 0) {
        if (options.nodes > std::numeric_limits<int>::max() / options.cores_per_node) {
            throw UsageError("--nodes times --cores-per-node are more cores than " +
                             std::to_string(std::numeric_limits<int>::max()));
        }
        return {std::vector<int>(static_cast<std::size_t>(options.nodes), options.cores_per_node)};
    }
    int cores = options.cores;
    for (const auto &workload : batch.workloads)
        cores = options.cores > 0 ? cores : std::max(cores, workload.processors);
    if (cores == 0) {
        throw UsageError("the workload does not say how large its machine was; give --cores, or "
                         "--nodes and --cores-per-node");
    }
    return {{cores}};
}

std::vector<sim::Workload> read_workloads(const RunOptions &options, std::ostream &messages) {
    TreatmentOptions treatment = options.treatment;
    if (treatment.config.empty())
        treatment.config = options.policy_file;
    std::vector<sim::Workload> workloads;
    for (const auto &path : options.workloads)
        workloads.push_back(read_workload(path, treatment, messages));
    if (options.useful_share == "efficiency")
        for (sim::Workload &workload : workloads)
            sim::go_by_efficiency(workload);
    return workloads;
}

void check_extension(const std::string &text) {
    constexpr int a_year = 365 * 24 * 3600;
    if (text != "unlimited" && !config::whole_number(text, 0, a_year))
        throw std::invalid_argument("is no number of seconds from 0 to " + std::to_string(a_year) +
                                    ", nor unlimited");
}

void add_policies(Command command, RunOptions &options) {
    command
        .add_option("-p,--policy", options.policies,
                    "Policies to try, see vmsim policies; with keys of vmall.conf that differ "
                    "after colons, fjt4:MaxMpl=3; recorded: the schedule the workload came with")
        .delimiter(',')
        .type_name("NAME[:KEY=VALUE]...");
    command
        .add_option("--policy-file", options.policy_file,
                    "A vmall.conf to try; it also tells the class of jobs, unless --config does")
        .type_name("FILE");
    command
        .add_option("--folding-cost", options.folding_cost,
                    "How many times longer folding to MPL 2, 3 ... takes than as many processes "
                    "as cores would; one number is for all MPL")
        .check(parsed_by(sim::parse_folding_cost))
        .type_name("FACTOR,...")
        .capture_default_str();
    command
        .add_option("--useful-share", options.useful_share,
                    "What part of their time processes do not wait, which folding then costs "
                    "nothing: as recorded, or for jobs with a speed-up curve their efficiency")
        .one_of({"recorded", "efficiency"})
        .capture_default_str();
    command
        .add_option("--resize-latency", options.resize_latency,
                    "From the decision to fold or requeue a job until its cores are free")
        .check(number(0, 3600))
        .type_name("SECONDS")
        .capture_default_str();
    command.add_flag("--ignore-time-limits", options.ignore_time_limits,
                     "Kill no job at its time limit");
    command
        .add_option("--limit-extension", options.limit_extension,
                    "How much time folding may add to the time limit of a job, at most")
        .check(parsed_by(check_extension))
        .type_name("SECONDS|unlimited")
        .capture_default_str();
    add_memory_options(command, options.memory);
}

void add_statistics(Command command, RunOptions &options) {
    const std::string group = "Statistics";
    command.add_option("--warm-up", options.warm_up, "Leave out the first jobs to end")
        .check(parsed_by(sim::parse_share))
        .type_name("N|N%")
        .group(group);
    command.add_option("--cool-down", options.cool_down, "Leave out the last jobs to end")
        .check(parsed_by(sim::parse_share))
        .type_name("N|N%")
        .group(group);
    command
        .add_flag("--while-arriving", options.while_arriving,
                  "Leave out jobs that end after the last one was submitted")
        .group(group);
    command
        .add_flag("--steady-state", options.steady_state,
                  "As the simulator pyss: --warm-up 1% --while-arriving, and without jobs of one "
                  "core with an estimate of a second")
        .group(group);
    command
        .add_option("--slowdown-bound", options.slowdown_bound,
                    "Bounded slowdown takes run times for at least this long")
        .check(number(1, 1e6))
        .type_name("SECONDS")
        .group(group)
        .capture_default_str();
}

void check_not_empty(const std::string &path) {
    if (path.empty())
        throw std::invalid_argument("is no directory");
}

} // namespace

void add_machine_options(Command command, RunOptions &options) {
    const auto cores = command.add_option("--cores", options.cores, "Of a machine of one node")
                           .check(positive_number())
                           .type_name("N");
    const auto nodes = command.add_option("--nodes", options.nodes, "Of the machine")
                           .check(whole_number(1, 1'000'000))
                           .type_name("N");
    const auto cores_per_node =
        command.add_option("--cores-per-node", options.cores_per_node, "Of every node")
            .check(whole_number(1, 65535))
            .type_name("N");
    nodes.needs(cores_per_node);
    cores.excludes(nodes).excludes(cores_per_node);
    for (const Option &option : {cores, nodes, cores_per_node})
        option.group("Machine; if not given, the one the workload was recorded on");
}

void add_run_options(Command command, RunOptions &options) {
    command
        .add_option(
            "-w,--workload", options.workloads,
            "Logs in SWF or of sacct (plain or compressed); several for an interval of confidence")
        .required()
        .type_name("FILE");
    add_policies(command, options);
    add_workload_options(command, options.treatment);
    add_statistics(command, options);
    command.add_option("-o,--out", options.directory, "Directory for the results; made, or empty")
        .check(parsed_by(check_not_empty))
        .required()
        .type_name("DIR");
    command.add_flag("--timelines", options.timelines,
                     "Also write the allotments of every job, and the use of the machine over "
                     "time");
    command.add_flag("--pictures", options.pictures, "Draw them, and the policies side by side");
    command.add_flag("--progress", options.progress,
                     "Show how far it is, even if not on a terminal");
    command.add_flag("--json", options.json,
                     "Print JSON, that of summary.json, instead of a table");
    add_threads_option(command, options.threads);
}

Batch batch(const RunOptions &options, std::ostream &messages) {
    Batch result;
    result.policies = chosen_policies(options);
    result.options = simulation_options(options);
    result.summary = summary_options(options);
    result.workloads = read_workloads(options, messages);
    result.options.memory = memory(options.memory, result.workloads, messages);
    result.machine = machine(options, result);
    result.directory = options.directory;
    result.threads = options.threads;
    return result;
}

} // namespace vmall::vmsim
