// SPDX-License-Identifier: GPL-2.0-or-later
//
// vmlab import: files of the thesis' launcher as a workload in the Standard Workload Format.
#include "experiments/launcher/launcher.hpp"
#include "experiments/vmlab/commands.hpp"
#include "sim/trace/swf.hpp"
#include "tools/vmsim/checks.hpp"
#include "tools/vmsim/output_file.hpp"
#include "tools/vmsim/treatment_options.hpp"

#include <iostream>
#include <memory>
#include <string>

namespace vmall::vmlab {

namespace {

struct ImportOptions {
    std::string folder;
    std::string output;
    std::string application_table; // empty: the thesis'
    int processors = 0;
    bool lenient = false;
};

std::string as_list(const policy::Sizes &sizes) {
    std::string text;
    for (const int size : sizes.one_by_one())
        text += (text.empty() ? "" : ",") + std::to_string(size);
    return text;
}

// A line of the header for each application that a job runs.
std::map<int, sim::Executable> executables(const sim::Workload &workload,
                                           const std::vector<sim::Application> &applications) {
    std::map<std::string, sim::Executable> by_name;
    for (const sim::Job &job : workload.jobs) {
        sim::Executable one;
        one.application = job.application;
        one.sizes = sim::SizeRule(as_list(job.sizes));
        one.speedup.text =
            sim::times_text(sim::find_application(applications, job.application).times);
        const auto &known = by_name.emplace(job.application, one).first->second;
        if (known.sizes.text() != one.sizes.text())
            throw sim::TraceError(workload.source + ": " + job.application + " accepts " +
                                  known.sizes.text() + " and " + one.sizes.text() +
                                  ", which the Standard Workload Format cannot say");
    }
    std::map<int, sim::Executable> numbered;
    for (auto &[name, executable] : by_name)
        numbered.emplace(static_cast<int>(numbered.size()) + 1, std::move(executable));
    return numbered;
}

void import_launcher(const ImportOptions &options) {
    const auto applications = options.application_table.empty()
                                  ? sim::thesis_applications()
                                  : sim::read_applications(options.application_table);
    sim::ReadLog log;
    log.lenient = options.lenient;
    const sim::Workload workload = sim::read_launcher(options.folder, applications, log);
    vmsim::report(options.folder, log, std::cerr);
    sim::SwfHeader header;
    header.max_processors = options.processors;
    header.executables = executables(workload, applications);
    vmsim::OutputFile file(options.output);
    sim::SwfWriter writer(file.stream(), header);
    for (const sim::Job &job : workload.jobs)
        writer.write(job);
    file.close();
}

} // namespace

void add_import(vmsim::Command app, int &) {
    auto options = std::make_shared<ImportOptions>();
    const auto command =
        app.add_subcommand("import", "Write a workload of the thesis' launcher as SWF");
    command
        .add_option("folder", options->folder,
                    "With the files applications, processes, types and trace (launcher.hpp)")
        .required()
        .type_name("FOLDER");
    command.add_option("-o,--output", options->output, "File to write; else to the screen")
        .type_name("FILE");
    command
        .add_option("-p,--processors", options->processors,
                    "Processors of the machine, which the files do not say (MaxProcs)")
        .check(vmsim::positive_number())
        .type_name("N");
    command.add_flag("--lenient", options->lenient, "Skip and count lines that cannot be read");
    command
        .add_option("--application-table", options->application_table,
                    "Execution times, instead of those of the thesis")
        .type_name("FILE");
    command.callback([options] { import_launcher(*options); });
}

} // namespace vmall::vmlab
