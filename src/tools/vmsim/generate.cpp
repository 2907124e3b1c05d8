// SPDX-License-Identifier: GPL-2.0-or-later
//
// vmsim generate: a random workload of known applications, as a file.
#include "common/split.hpp"
#include "config/job_request.hpp"
#include "config/number.hpp"
#include "sim/trace/generated_swf.hpp"
#include "sim/trace/paper_workload.hpp"
#include "sim/trace/text.hpp"
#include "tools/vmsim/checks.hpp"
#include "tools/vmsim/commands.hpp"
#include "tools/vmsim/output_file.hpp"
#include "tools/vmsim/usage_error.hpp"

#include <memory>

namespace vmall::vmsim {

namespace {

struct GenerateOptions {
    std::string output;
    std::string workload; // one of the papers'; empty: as the others say
    sim::GeneratorSpec spec;
    double load = 0.8;
    double short_share = 0.25;
    std::vector<std::string> applications; // empty: all
    std::string application_table;         // empty: the thesis'
    std::string duration;
    std::string estimates = "exact";
    std::string work = "sequential";
    std::uint64_t seed = 1;
};

// none, exact, FACTOR or LOWEST-HIGHEST.
std::optional<sim::EstimateFactors> parse_estimates(const std::string &text) {
    if (text == "none")
        return std::nullopt;
    if (text == "exact")
        return sim::EstimateFactors{};
    const auto ends = common::split(text, '-');
    const auto lowest = sim::decimal_number(ends.front());
    const auto highest = sim::decimal_number(ends.back());
    if (ends.size() > 2 || !lowest || !highest)
        throw UsageError("--estimates is " + config::quoted(text) +
                         " instead of none, exact, a factor, or a range of factors");
    return sim::EstimateFactors{*lowest, *highest};
}

std::vector<sim::Application> applications(const GenerateOptions &options) {
    const std::vector<sim::Application> all =
        options.application_table.empty() ? sim::thesis_applications()
                                          : sim::read_applications(options.application_table);
    if (options.applications.empty())
        return all;
    std::vector<sim::Application> chosen;
    for (const std::string &name : options.applications)
        chosen.push_back(sim::find_application(all, name));
    return chosen;
}

sim::GeneratorSpec specification(const GenerateOptions &options) {
    sim::GeneratorSpec spec = options.spec;
    spec.work = options.work == "parallel" ? sim::Work::parallel : sim::Work::sequential;
    if (spec.jobs > 0)
        spec.duration = 0;
    const double short_load = options.load * options.short_share;
    spec.applications =
        sim::equal_shares(applications(options), options.load - short_load, short_load);
    return spec;
}

// What the options say that suit every workload.
void vary(sim::GeneratorSpec &spec, const GenerateOptions &options) {
    spec.estimates = parse_estimates(options.estimates);
    spec.least_efficiency = options.spec.least_efficiency;
    spec.virtually_malleable = options.spec.virtually_malleable;
    if (!options.duration.empty())
        spec.duration = config::parse_time(options.duration);
}

void generate_of_papers(const GenerateOptions &options) {
    const sim::PaperWorkload &workload = sim::find_paper_workload(options.workload);
    sim::GeneratorSpec spec = sim::specification(workload, options.spec.processors);
    vary(spec, options);
    const sim::Workload jobs = sim::generate(workload, spec, options.seed);
    OutputFile file(options.output);
    sim::write_generated_swf(file.stream(), spec, jobs);
    file.close();
}

void generate_any(const GenerateOptions &options) {
    sim::GeneratorSpec spec = specification(options);
    vary(spec, options);
    const sim::Generator check(spec, options.seed); // before the file is touched
    OutputFile file(options.output);
    sim::write_generated_swf(file.stream(), spec, options.seed);
    file.close();
}

void generate(const GenerateOptions &options) {
    try {
        options.workload.empty() ? generate_any(options) : generate_of_papers(options);
    } catch (const std::invalid_argument &error) {
        throw UsageError(error.what());
    } catch (const config::RequestError &error) {
        throw UsageError(std::string("--duration: ") + error.what());
    }
}

// What the papers' workloads have of their own.
std::vector<Option> add_mix(Command command, GenerateOptions &options) {
    return {
        command
            .add_option("--load", options.load,
                        "Part of the machine that the jobs keep busy: processors x time of a job "
                        "over processors x time of the machine")
            .check(number(0.001, 100))
            .capture_default_str(),
        command
            .add_option("--work", options.work,
                        "What of a job counts for the load: its time with one process "
                        "(sequential), or with as many as it may have, times these (parallel)")
            .one_of({"sequential", "parallel"})
            .capture_default_str(),
        command
            .add_option("--short-share", options.short_share,
                        "Part of the load that short jobs make; the applications of a class have "
                        "equal parts")
            .check(number(0, 1))
            .capture_default_str(),
        command
            .add_option("-a,--applications", options.applications,
                        "Which ones of the table; all if not given")
            .delimiter(',')
            .type_name("NAME,..."),
        command
            .add_option("--application-table", options.application_table,
                        "Table of measured applications; if not given, the one of Utrera's thesis")
            .type_name("FILE"),
        command.add_option("-n,--jobs", options.spec.jobs, "Number of jobs")
            .check(whole_number(1))
            .type_name("N"),
        command.add_option("--burst", options.spec.burst, "Jobs that are submitted together")
            .check(positive_number())
            .type_name("N")
            .capture_default_str(),
    };
}

void add_variations(Command command, GenerateOptions &options) {
    command.add_option("-p,--processors", options.spec.processors, "Processors of the machine")
        .check(whole_number(1, config::highest_process_count))
        .type_name("N")
        .capture_default_str();
    command
        .add_option("--duration", options.duration,
                    "No job is submitted after this, in Slurm's format; if neither this nor the "
                    "jobs are given, 15 minutes, or as long as the papers' workload")
        .type_name("TIME");
    command
        .add_option("--estimates", options.estimates,
                    "What users say of the time their job needs: none, exact, so many times as "
                    "much (FACTOR), or at random between two factors (LOWEST-HIGHEST)")
        .type_name("HOW")
        .capture_default_str();
    command
        .add_option("--least-efficiency", options.spec.least_efficiency,
                    "No job asks for more processes than run at this efficiency or better: time "
                    "with one over processes x time with these; 0 lets all ask for as many as "
                    "they accept")
        .check(number(0, 1))
        .capture_default_str();
    command
        .add_option("--virtually-malleable", options.spec.virtually_malleable,
                    "Part of the jobs that is virtually malleable, at random")
        .check(number(0, 1))
        .capture_default_str();
    command.add_option("--seed", options.seed, "Of the random numbers")
        .check(whole_number(0))
        .capture_default_str();
}

} // namespace

void add_generate(Command app, int &) {
    auto options = std::make_shared<GenerateOptions>();
    const auto command = app.add_subcommand(
        "generate", "Write a random workload of measured applications (Poisson arrivals)");
    command.add_option("-o,--output", options->output, "File to write, in SWF; else to the screen")
        .type_name("FILE");
    const auto workload =
        command
            .add_option("-w,--workload", options->workload,
                        "One of the papers': w1 to w6, high-40 to high-100, low-40 to low-100, "
                        "burst-3 to burst-9")
            .check(parsed_by([](const std::string &name) { sim::find_paper_workload(name); }))
            .type_name("NAME");
    for (const Option option : add_mix(command, *options))
        workload.excludes(option);
    add_variations(command, *options);
    command.callback([options] { generate(*options); });
}

} // namespace vmall::vmsim
