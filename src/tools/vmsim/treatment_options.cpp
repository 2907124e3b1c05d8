// SPDX-License-Identifier: GPL-2.0-or-later
//
// Options of the subcommands that read a recorded workload.
#include "tools/vmsim/treatment_options.hpp"

#include "config/config.hpp"
#include "config/job_request.hpp"
#include "tools/vmsim/checks.hpp"

#include <cerrno>
#include <ostream>

namespace vmall::vmsim {

namespace {

void add_what_jobs_are(Command command, TreatmentOptions &options) {
    command
        .add_option("--virtually-malleable", options.share,
                    "Part of the jobs that is taken to be virtually malleable")
        .check(number(0, 1))
        .capture_default_str();
    command.add_option("--malleable-seed", options.seed, "Seed that draws them")
        .check(whole_number(0))
        .capture_default_str();
    command.add_option("--malleable-partitions", options.partitions, "Only jobs of these")
        .delimiter(',')
        .type_name("NAME,...");
    command.add_option("--malleable-users", options.users, "Only jobs of these")
        .delimiter(',')
        .type_name("NAME,...");
    command.add_option("--malleable-class", options.job_class, "Only jobs of this class")
        .one_of({name_of(policy::JobClass::short_job), name_of(policy::JobClass::long_job)});
    command
        .add_option("--sizes", options.sizes,
                    "Numbers of processes that they accept, up to the recorded one: rigid (only "
                    "that), any, pow2, square, halves, halves:N (halved at most N times), or a "
                    "list as --vm-procs takes it")
        .check(parsed_by([](const std::string &text) { sim::SizeRule rule(text); }))
        .type_name("RULE")
        .capture_default_str();
    command
        .add_option("--speedup", options.speedup,
                    "How their speed depends on the processors: linear, amdahl:SERIAL, "
                    "downey:A,SIGMA, dowdy:C1,C2, times:N=SECONDS,... or table:FILE[:APP]")
        .check(parsed_by(sim::parse_speedup))
        .type_name("CURVE")
        .capture_default_str();
}

void add_what_records_mean(Command command, TreatmentOptions &options) {
    command
        .add_option("--overrun", options.overrun,
                    "Jobs that ran longer than requested: as-recorded (the estimate was too low), "
                    "raise-estimate (it was what they ran), kill (jobs end at the requested time)")
        .one_of({"as-recorded", "raise-estimate", "kill"})
        .capture_default_str();
    command
        .add_option("--arrival", options.arrival,
                    "When jobs of sacct arrive: when they were eligible to start, or submitted")
        .one_of({"eligible", "submitted"})
        .capture_default_str();
}

sim::Malleability malleability(const TreatmentOptions &options) {
    sim::Malleability result;
    result.share = options.share;
    result.seed = options.seed;
    result.partitions = {options.partitions.begin(), options.partitions.end()};
    result.users = {options.users.begin(), options.users.end()};
    if (!options.job_class.empty())
        result.job_class = config::parse_class(options.job_class);
    result.sizes = sim::SizeRule(options.sizes);
    result.speedup = sim::parse_speedup(options.speedup);
    return result;
}

} // namespace

void add_treatment_options(Command command, TreatmentOptions &options) {
    command.add_flag("--lenient", options.lenient, "Skip and count lines that cannot be read");
    command
        .add_option("--config", options.config,
                    "vmall.conf whose ClassByPartition and ShortTimeLimit say which jobs are short")
        .type_name("FILE");
    add_what_jobs_are(command, options);
    add_what_records_mean(command, options);
}

void add_workload_options(Command command, TreatmentOptions &options) {
    add_treatment_options(command, options);
    command
        .add_option("--processors-from", options.processors,
                    "Which processors of a record count: those the job had, or asked for")
        .one_of({"allocated", "requested"})
        .capture_default_str();
}

sim::Treatment treatment(const TreatmentOptions &options) {
    sim::Treatment result;
    if (!options.config.empty()) {
        const config::Config config = config::load(options.config);
        result.class_by_partition = config.class_by_partition;
        result.short_time_limit = config.short_time_limit;
    }
    if (options.processors == "requested")
        result.processors = sim::Processors::requested;
    if (options.overrun != "as-recorded")
        result.overrun =
            options.overrun == "kill" ? sim::Overrun::kill : sim::Overrun::raise_estimate;
    if (options.arrival == "submitted")
        result.arrival = sim::Arrival::submitted;
    result.malleability = malleability(options);
    return result;
}

void report(const std::string &path, const sim::ReadLog &log, std::ostream &messages) {
    for (const std::string &example : log.examples)
        messages << program_invocation_short_name << ": skipped: " << example << '\n';
    if (log.bad_lines > log.examples.size())
        messages << program_invocation_short_name
                 << ": skipped: " << log.bad_lines - log.examples.size() << " more lines of "
                 << path << '\n';
    for (const auto &[what, count] : log.left_out)
        messages << program_invocation_short_name << ": " << path << ": left out: " << count << ' '
                 << what << '\n';
    for (const std::string &note : log.notes)
        messages << program_invocation_short_name << ": " << path << ": note: " << note << '\n';
}

sim::Workload read_workload(const sim::LogFile &file, const TreatmentOptions &options,
                            std::ostream &messages) {
    sim::ReadLog log;
    log.lenient = options.lenient;
    try {
        sim::Workload workload = sim::read_workload(file, treatment(options), log);
        report(file.name(), log, messages);
        return workload;
    } catch (const sim::NoJobs &) {
        report(file.name(), log, messages);
        throw;
    }
}

} // namespace vmall::vmsim
