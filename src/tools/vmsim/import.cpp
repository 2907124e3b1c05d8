// SPDX-License-Identifier: GPL-2.0-or-later
//
// vmsim import: a dump of sacct, or a log, as a workload in the Standard Workload Format.
#include "sim/trace/sacct.hpp"
#include "sim/trace/swf.hpp"
#include "tools/vmsim/checks.hpp"
#include "tools/vmsim/commands.hpp"
#include "tools/vmsim/interruption.hpp"
#include "tools/vmsim/output_file.hpp"
#include "tools/vmsim/treatment_options.hpp"
#include "tools/vmsim/usage_error.hpp"

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <iostream>
#include <memory>

namespace vmall::vmsim {

namespace {

struct ImportOptions {
    std::string log;
    std::string output;
    int processors = 0;
    std::size_t jobs = 0; // 0: all
    TreatmentOptions treatment;
};

// The jobs that are virtually malleable and those that are not.
std::map<int, sim::Executable> executables(const sim::Malleability &malleability) {
    sim::Executable chosen;
    chosen.sizes = malleability.sizes;
    chosen.speedup = malleability.speedup;
    sim::Executable rigid;
    rigid.virtually_malleable = false;
    rigid.speedup = malleability.speedup;
    return {{1, chosen}, {2, rigid}};
}

// What vmsim generate writes of its programs would be lost.
void check_programs_are_not_known(const std::string &log, const sim::Workload &workload) {
    if (std::any_of(workload.jobs.begin(), workload.jobs.end(),
                    [](const sim::Job &job) { return !job.application.empty(); }))
        throw UsageError(log + " says which programs its jobs run, as vmsim run reads it");
}

// Returns how many jobs were written.
std::size_t write(std::ostream &out, const sim::SwfHeader &header, const sim::Workload &workload,
                  const sim::Progress &progress) {
    sim::SwfWriter writer(out, header);
    std::size_t written = 0;
    while (written < workload.jobs.size() && !progress.stop)
        writer.write(workload.jobs[written++]);
    return written;
}

int import(const ImportOptions &options) {
    std::error_code not_there; // then it is not the same file either
    if (std::filesystem::equivalent(options.log, options.output, not_there))
        throw UsageError("--output " + options.output + " is the log itself");
    sim::Workload workload = read_workload(options.log, options.treatment, std::cerr);
    check_programs_are_not_known(options.log, workload);
    if (options.jobs > 0 && options.jobs < workload.jobs.size())
        workload.jobs.resize(options.jobs);
    sim::SwfHeader header;
    header.max_processors = options.processors > 0 ? options.processors : workload.processors;
    header.unix_start_time = workload.unix_start;
    header.executables = executables(treatment(options.treatment).malleability);
    sim::Progress progress;
    const Interruption interruption(progress);
    OutputFile file(options.output);
    const std::size_t written = write(file.stream(), header, workload, progress);
    file.close();
    if (const int signal = interruption.signal()) {
        std::cerr << program_invocation_short_name << ": interrupted; the first " << written
                  << " of " << workload.jobs.size() << " jobs were written\n";
        return 128 + signal;
    }
    return EXIT_SUCCESS;
}

} // namespace

void add_import(Command app, int &exit_status) {
    auto options = std::make_shared<ImportOptions>();
    const auto command = app.add_subcommand(
        "import", "Write a site's jobs, dumped by sacct or recorded in SWF, as SWF");
    command.footer(std::string("A dump is made with:\n  ") + sim::sacct_command);
    command
        .add_option("log", options->log,
                    "What sacct --parsable2 printed, or a log in SWF, plain or compressed")
        .required()
        .type_name("LOG");
    command.add_option("-o,--output", options->output, "File to write; else to the screen")
        .type_name("FILE");
    command
        .add_option("-p,--processors", options->processors,
                    "Processors of the machine, which sacct does not say (MaxProcs)")
        .check(positive_number())
        .type_name("N");
    command.add_option("--jobs", options->jobs, "Only so many, the first to be submitted")
        .check(positive_number())
        .type_name("N");
    add_treatment_options(command, options->treatment);
    command.callback([options, &exit_status] { exit_status = import(*options); });
}

} // namespace vmall::vmsim
