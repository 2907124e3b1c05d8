// SPDX-License-Identifier: GPL-2.0-or-later
//
// vmlab reproduce: the papers' experiments, their claims and what became of them.
#include "experiments/reproduce/details.hpp"
#include "experiments/reproduce/registry.hpp"
#include "experiments/reproduce/run.hpp"
#include "experiments/vmlab/commands.hpp"
#include "tools/vmsim/checks.hpp"
#include "tools/vmsim/interruption.hpp"
#include "tools/vmsim/output_file.hpp"
#include "tools/vmsim/pictures.hpp"
#include "tools/vmsim/threads_option.hpp"
#include "tools/vmsim/usage_error.hpp"

#include <filesystem>
#include <iostream>
#include <memory>

namespace vmall::vmlab {

namespace {

using namespace sim::reproduce;
using namespace vmsim;

struct ReproduceOptions {
    std::vector<std::string> names;
    bool all = false;
    int seeds = 20;
    int threads = 1;
    std::string logs;
    std::filesystem::path directory = ".";
};

std::vector<Experiment> chosen(const ReproduceOptions &options) {
    if (options.all == !options.names.empty())
        throw UsageError("reproduce takes either names of experiments or --all");
    try {
        return choose(options.names);
    } catch (const std::invalid_argument &unknown) {
        throw UsageError(unknown.what());
    }
}

std::string command_line(const ReproduceOptions &options) {
    std::string text = "vmlab reproduce";
    for (const std::string &name : options.names)
        text += " " + name;
    return text + (options.all ? " --all" : "") + " --seeds " + std::to_string(options.seeds) +
           (options.logs.empty() ? "" : " --logs DIRECTORY");
}

void write(const std::filesystem::path &path, const std::string &text) {
    OutputFile file(path.string());
    file.stream() << text;
    file.close();
}

std::filesystem::path pages(const ReproduceOptions &options) {
    return options.directory / "reproduction";
}

void write_all(const ReproduceOptions &options, const Run &run, const Interruption &interruption) {
    const auto folder = pages(options);
    write(options.directory / "reproduction.md",
          page(run.finished, {command_line(options), options.seeds, run.not_run}, "reproduction"));
    for (const Finished &one : run.finished)
        write(folder / (one.experiment.name + ".md"), details(one, "../reproduction.md"));
    write(folder / "charts.json", charts_json(charts_of(run.finished)));
    draw_pictures(folder / "charts.json", interruption);
}

Context context_for(const ReproduceOptions &options, sim::Progress &progress) {
    Context context{{}, options.threads, 1, progress, options.logs};
    for (int seed = 1; seed <= options.seeds; seed++)
        context.seeds.push_back(static_cast<std::uint64_t>(seed));
    return context;
}

int reproduce(const ReproduceOptions &options) {
    const auto experiments = chosen(options);
    make_directory(pages(options)); // before hours have gone by
    sim::Progress progress;
    Context context = context_for(options, progress);
    const Interruption interruption(progress);
    std::size_t place = 0;
    const Run run = run_all(experiments, context, [&](const std::string &name) {
        std::cerr << "vmlab: " << name << " (" << ++place << " of " << experiments.size() << ")\n";
    });
    if (!run.finished.empty())
        write_all(options, run, interruption);
    return interruption.signal() == 0 ? EXIT_SUCCESS : 128 + interruption.signal();
}

} // namespace

void add_reproduce(vmsim::Command app, int &exit_status) {
    auto options = std::make_shared<ReproduceOptions>();
    const auto command =
        app.add_subcommand("reproduce", "Repeat the papers' experiments and judge their claims");
    command.add_option("name", options->names, "Experiments, or --all");
    command.add_flag("--all", options->all, "Every experiment there is");
    command
        .add_option("--seeds", options->seeds,
                    "How many random workloads stand behind every number")
        .check(vmsim::whole_number(1, 10000))
        .type_name("N")
        .capture_default_str();
    vmsim::add_threads_option(command, options->threads);
    command
        .add_option("--logs", options->logs,
                    "Folder of logs of the Parallel Workloads Archive, for the experiments that "
                    "need one")
        .type_name("DIRECTORY");
    command
        .add_option("-o,--out", options->directory,
                    "Where reproduction.md goes, and the folder reproduction with its pages and "
                    "pictures")
        .type_name("DIRECTORY")
        .capture_default_str();
    command.callback([options, &exit_status] { exit_status = reproduce(*options); });
}

} // namespace vmall::vmlab
