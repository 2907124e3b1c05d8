// SPDX-License-Identifier: GPL-2.0-or-later
//
// vmsim run: what policies make of workloads.
#include "sim/report/overview.hpp"
#include "tools/vmsim/commands.hpp"
#include "tools/vmsim/experiment.hpp"
#include "tools/vmsim/interruption.hpp"
#include "tools/vmsim/pictures.hpp"
#include "tools/vmsim/progress_line.hpp"
#include "tools/vmsim/results.hpp"
#include "tools/vmsim/treatment_options.hpp"
#include "tools/vmsim/usage_error.hpp"
#include "vmall_config.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <thread>
#include <unistd.h>

namespace vmall::vmsim {

namespace {

struct RunOptions {
    std::vector<std::string> workloads;
    TreatmentOptions treatment;
    int cores = 0;
    int nodes = 1;
    int cores_per_node = 0;
    std::string mesh;
    std::vector<std::string> policies;
    std::string policy_file;
    std::string folding_cost;
    double resize_latency = 0;
    bool ignore_time_limits = false;
    std::string warm_up;
    std::string cool_down;
    bool while_arriving = false;
    bool steady_state = false;
    double slowdown_bound = 10;
    std::string directory;
    bool timelines = false;
    bool pictures = false;
    bool progress = false;
    int threads = 0;
};

sim::Milliseconds in_milliseconds(double seconds) {
    return static_cast<sim::Milliseconds>(seconds * 1000 + 0.5);
}

sim::SummaryOptions summary_options(const RunOptions &options) {
    sim::SummaryOptions result;
    if (options.steady_state) {
        result.selection = sim::steady_state();
    }
    if (!options.warm_up.empty()) {
        result.selection.warm_up = sim::parse_share(options.warm_up);
    }
    if (!options.cool_down.empty()) {
        result.selection.cool_down = sim::parse_share(options.cool_down);
    }
    result.selection.while_arriving |= options.while_arriving;
    result.slowdown_bound = in_milliseconds(options.slowdown_bound);
    return result;
}

sim::Options simulation_options(const RunOptions &options) {
    sim::Options result;
    if (!options.folding_cost.empty()) {
        result.folding_cost = sim::parse_folding_cost(options.folding_cost);
    }
    result.resize_latency = in_milliseconds(options.resize_latency);
    result.kill_at_time_limit = !options.ignore_time_limits;
    result.record_allotments = options.timelines || options.pictures;
    return result;
}

std::vector<PolicyChoice> chosen_policies(const RunOptions &options) {
    std::vector<PolicyChoice> policies;
    for (const auto &text : options.policies) {
        policies.push_back(parse_policy(text));
    }
    if (!options.policy_file.empty()) {
        policies.push_back(policy_of_file(options.policy_file));
    }
    if (policies.empty()) {
        throw UsageError("give a --policy or a --policy-file");
    }
    check_distinct(policies);
    return policies;
}

std::optional<policy::mesh::Mesh> mesh(const RunOptions &options,
                                       const std::vector<PolicyChoice> &policies) {
    if (!options.mesh.empty()) {
        return sim::mesh::parse_mesh(options.mesh);
    }
    const auto needs_one = std::find_if(policies.begin(), policies.end(),
                                        [](const auto &policy) { return policy.on_mesh; });
    if (needs_one != policies.end()) {
        throw UsageError("policy " + needs_one->name + " is for a mesh; give --mesh");
    }
    return std::nullopt;
}

// As told, or what the workloads were recorded on.
sim::Machine machine(const RunOptions &options, const Experiment &experiment) {
    if (options.cores_per_node > 0) {
        return {std::vector<int>(static_cast<std::size_t>(options.nodes), options.cores_per_node)};
    }
    if (experiment.mesh) {
        return {{experiment.mesh->processors()}};
    }
    int cores = options.cores;
    for (const auto &workload : experiment.workloads) {
        cores = options.cores > 0 ? cores : std::max(cores, workload.processors);
    }
    if (cores == 0) {
        throw UsageError("the workload does not say how large its machine was; give --cores, or "
                         "--nodes and --cores-per-node");
    }
    return {{cores}};
}

std::vector<sim::Workload> read_workloads(const RunOptions &options) {
    TreatmentOptions treatment = options.treatment;
    if (treatment.config.empty()) {
        treatment.config = options.policy_file;
    }
    std::vector<sim::Workload> workloads;
    for (const auto &path : options.workloads) {
        workloads.push_back(read_workload(path, treatment, std::cerr));
    }
    return workloads;
}

Experiment experiment(const RunOptions &options) {
    Experiment result;
    try {
        result.policies = chosen_policies(options);
        result.mesh = mesh(options, result.policies);
        result.options = simulation_options(options);
        result.summary = summary_options(options);
    } catch (const std::invalid_argument &error) {
        throw UsageError(error.what());
    }
    result.workloads = read_workloads(options);
    result.machine = machine(options, result);
    result.directory = options.directory;
    const int there_are = static_cast<int>(std::max(std::thread::hardware_concurrency(), 1U));
    result.threads = options.threads > 0 ? options.threads : there_are;
    return result;
}

nlohmann::ordered_json report(const Experiment &experiment, const std::vector<Result> &results) {
    nlohmann::ordered_json report = {{"program", PACKAGE_STRING}, {"finished", true}};
    report["nodes"] = experiment.machine.cores;
    report["results"] = nlohmann::ordered_json::array();
    for (const auto &result : results) {
        if (result.finished) {
            nlohmann::ordered_json entry = {{"directory", result.directory}};
            entry.update(sim::to_json(result.summary));
            report["results"].push_back(std::move(entry));
        } else {
            report["finished"] = false;
        }
    }
    return report;
}

void print(const std::vector<Result> &results) {
    std::vector<sim::Summary> summaries;
    for (const auto &result : results) {
        if (result.finished) {
            summaries.push_back(result.summary);
        }
    }
    std::cout << sim::overview(summaries) << std::flush;
}

// Returns the exit status.
int run(const RunOptions &options) {
    const Experiment what = experiment(options);
    make_results_directory(what.directory);
    sim::Progress progress;
    const Interruption interruption(progress);
    std::vector<Result> results;
    {
        std::optional<ProgressLine> line;
        if (options.progress || isatty(STDERR_FILENO)) {
            line.emplace(progress, what.jobs());
        }
        results = carry_out(what, progress);
    }
    write_json(what.directory / "summary.json", report(what, results));
    print(results);
    if (const int signal = interruption.signal()) {
        std::cerr << "vmsim: interrupted; what was finished is in " << options.directory << '\n';
        return 128 + signal;
    }
    if (options.pictures) {
        draw_pictures(what.directory);
    }
    return EXIT_SUCCESS;
}

void add_machine(CLI::App &command, RunOptions &options) {
    auto *cores = command.add_option("--cores", options.cores, "Of a machine of one node")
                      ->check(CLI::PositiveNumber);
    auto *nodes = command.add_option("--nodes", options.nodes, "Of the machine")
                      ->check(CLI::Range(1, 1'000'000));
    auto *cores_per_node =
        command.add_option("--cores-per-node", options.cores_per_node)->check(CLI::Range(1, 65535));
    nodes->needs(cores_per_node);
    cores->excludes(nodes)->excludes(cores_per_node);
    auto *mesh = command.add_option("--mesh", options.mesh,
                                    "Of a machine that is a mesh, for the policies for meshes");
    mesh->excludes(cores)->excludes(nodes)->excludes(cores_per_node);
    for (auto *option : {cores, nodes, cores_per_node, mesh}) {
        option->group("Machine; if not given, the one the workload was recorded on")
            ->type_name(option == mesh ? "ROWSxCOLUMNS" : "N");
    }
}

void add_policies(CLI::App &command, RunOptions &options) {
    command
        .add_option("-p,--policy", options.policies,
                    "Policies to try, see vmsim policies; with keys of vmall.conf that differ "
                    "after colons, fjt4:MaxMpl=3; recorded: the schedule the workload came with")
        ->delimiter(',')
        ->type_name("NAME[:KEY=VALUE]...");
    command
        .add_option("--policy-file", options.policy_file,
                    "A vmall.conf to try; it also tells the class of jobs, unless --config does")
        ->type_name("FILE");
    command
        .add_option("--folding-cost", options.folding_cost,
                    "How many times longer folding to MPL 2, 3 ... takes than as many processes "
                    "as cores would; one number is for all MPL")
        ->type_name("FACTOR,...");
    command
        .add_option("--resize-latency", options.resize_latency,
                    "From the decision to fold or requeue a job until its cores are free")
        ->check(CLI::Range(0.0, 3600.0))
        ->type_name("SECONDS");
    command.add_flag("--ignore-time-limits", options.ignore_time_limits,
                     "Kill no job at its time limit");
}

void add_statistics(CLI::App &command, RunOptions &options) {
    const std::string group = "Statistics";
    command.add_option("--warm-up", options.warm_up, "Leave out the first jobs to end")
        ->type_name("N|N%")
        ->group(group);
    command.add_option("--cool-down", options.cool_down, "Leave out the last jobs to end")
        ->type_name("N|N%")
        ->group(group);
    command
        .add_flag("--while-arriving", options.while_arriving,
                  "Leave out jobs that end after the last one was submitted")
        ->group(group);
    command
        .add_flag("--steady-state", options.steady_state,
                  "As the simulator pyss: --warm-up 1% --while-arriving, and without jobs of one "
                  "core with an estimate of a second")
        ->group(group);
    command
        .add_option("--slowdown-bound", options.slowdown_bound,
                    "Bounded slowdown takes run times for at least this long")
        ->check(CLI::Range(1.0, 1e6))
        ->type_name("SECONDS")
        ->group(group)
        ->capture_default_str();
}

} // namespace

void add_run(CLI::App &app, int &exit_status) {
    auto options = std::make_shared<RunOptions>();
    auto *command = app.add_subcommand("run", "Try policies on workloads");
    command
        ->add_option(
            "-w,--workload", options->workloads,
            "Logs in SWF or of sacct (plain or gzip), or a folder of the thesis' launcher; "
            "several for an interval of confidence")
        ->required()
        ->type_name("FILE");
    add_machine(*command, *options);
    add_policies(*command, *options);
    add_treatment_options(*command, options->treatment);
    add_statistics(*command, *options);
    command->add_option("-o,--out", options->directory, "Directory for the results")
        ->required()
        ->type_name("DIR");
    command->add_flag("--timelines", options->timelines,
                      "Also write the allotments of every job, and the use of the machine over "
                      "time");
    command->add_flag("--pictures", options->pictures, "Draw them, and the policies side by side");
    command->add_flag("--progress", options->progress,
                      "Show how far it is, even if not on a terminal");
    command
        ->add_option("--threads", options->threads,
                     "Policies tried at the same time; as many as there are cores")
        ->check(CLI::Range(1, 1024))
        ->type_name("N");
    command->callback([options, &exit_status] { exit_status = run(*options); });
}

} // namespace vmall::vmsim
