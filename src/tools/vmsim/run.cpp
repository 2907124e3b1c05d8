// SPDX-License-Identifier: GPL-2.0-or-later
//
// vmsim run: what policies make of workloads.
#include "tools/vmsim/run.hpp"
#include "sim/report/overview.hpp"
#include "tools/vmsim/commands.hpp"
#include "tools/vmsim/interruption.hpp"
#include "tools/vmsim/pictures.hpp"
#include "tools/vmsim/progress_line.hpp"
#include "tools/vmsim/results.hpp"
#include "vmall_config.h"

#include <algorithm>
#include <cerrno>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <unistd.h>

namespace vmall::vmsim {

namespace {

nlohmann::ordered_json report(const Batch &batch, const std::vector<Result> &results) {
    nlohmann::ordered_json report = {{"program", PACKAGE_STRING}, {"finished", true}};
    report["nodes"] = batch.machine.cores;
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

void print(const std::vector<Result> &results, const nlohmann::ordered_json *as_json) {
    std::vector<sim::Summary> summaries;
    for (const auto &result : results)
        if (result.finished)
            summaries.push_back(result.summary);
    std::cout << (as_json ? as_json->dump(2) + "\n" : sim::overview(summaries)) << std::flush;
    if (std::any_of(summaries.begin(), summaries.end(),
                    [](const auto &summary) { return summary.never_started > 0; })) {
        std::cerr << program_invocation_short_name
                  << ": note: jobs that are too large for the machine never start; they are "
                     "UNSTARTED and count in no mean\n";
    }
}

std::string kept(const std::vector<Result> &results, const std::string &directory) {
    const auto finished = std::count_if(results.begin(), results.end(),
                                        [](const Result &result) { return result.finished; });
    return finished == 0 ? "nothing was finished; there is no result in " + directory
                         : std::to_string(finished) + " of " + std::to_string(results.size()) +
                               " results were finished and are in " + directory;
}

} // namespace

int run(const RunOptions &options) {
    const Batch what = batch(options, std::cerr);
    sim::Progress progress;
    const Interruption interruption(progress);
    make_results_directory(what.directory);
    write_json(what.directory / "summary.json", report(what, std::vector<Result>(what.runs())));
    std::vector<Result> results;
    {
        std::optional<ProgressLine> line;
        if (options.progress || isatty(STDERR_FILENO))
            line.emplace(progress, what.jobs());
        results = carry_out(what, progress);
    }
    const nlohmann::ordered_json summary = report(what, results);
    write_json(what.directory / "summary.json", summary);
    print(results, options.json ? &summary : nullptr);
    if (options.pictures && interruption.signal() == 0)
        draw_pictures(what.directory, interruption);
    if (const int signal = interruption.signal()) {
        std::cerr << program_invocation_short_name << ": interrupted; "
                  << kept(results, options.directory) << '\n';
        return 128 + signal;
    }
    return EXIT_SUCCESS;
}

void add_run(Command app, int &exit_status) {
    auto options = std::make_shared<RunOptions>();
    const auto command = app.add_subcommand("run", "Try policies on workloads");
    add_machine_options(command, *options);
    add_run_options(command, *options);
    command.callback([options, &exit_status] { exit_status = run(*options); });
}

} // namespace vmall::vmsim
