// SPDX-License-Identifier: GPL-2.0-or-later
//
// vmsim study: what the default policy makes of a log, beside EASY.
#include "config/config.hpp"
#include "sim/engine/in_parallel.hpp"
#include "sim/trace/disturbance.hpp"
#include "sim/trace/read_workload.hpp"
#include "tools/vmsim/checks.hpp"
#include "tools/vmsim/commands.hpp"
#include "tools/vmsim/interruption.hpp"
#include "tools/vmsim/output_file.hpp"
#include "tools/vmsim/pictures.hpp"
#include "tools/vmsim/progress_line.hpp"
#include "tools/vmsim/results.hpp"
#include "tools/vmsim/study_plan.hpp"
#include "tools/vmsim/study_report.hpp"
#include "tools/vmsim/threads_option.hpp"
#include "tools/vmsim/treatment_options.hpp"
#include "tools/vmsim/usage_error.hpp"

#include <algorithm>
#include <cerrno>
#include <iostream>
#include <limits>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>
#include <tuple>
#include <unistd.h>

namespace vmall::vmsim {

namespace {

struct StudyOptions {
    std::string log;
    std::string directory;
    int cores = 0;
    std::vector<std::string> nodes;
    std::string config;
    std::string folding_cost = "1.10,1.13,1.15"; // doc/runtime.md; MPL 3 is not measured
    bool no_picture = false;
    bool progress = false;
    bool json = false;
    int threads = 1;
};

using Kind = std::tuple<double, sim::Estimates, bool>;
using Workloads = std::map<Kind, sim::Workload>;

Kind kind_of(const Variant &variant) {
    return {variant.share, variant.estimates, variant.disturbed};
}

sim::Workload read(const sim::LogFile &log, const StudyOptions &options, double share,
                   std::ostream &messages) {
    TreatmentOptions treatment;
    treatment.lenient = true;
    treatment.overrun = "raise-estimate";
    treatment.config = options.config;
    treatment.share = share;
    return read_workload(log, treatment, messages);
}

// As what vmsim generate writes does.
bool says_who_takes_part(const sim::LogFile &file, const StudyOptions &options) {
    std::ostringstream said_before;
    const sim::Workload log = read(file, options, 0, said_before);
    return std::any_of(log.jobs.begin(), log.jobs.end(),
                       [](const sim::Job &job) { return job.virtually_malleable; });
}

// The log in every kind that a variant asks for; the messages of all but the first reading would
// be the same.
Workloads read_all(const sim::LogFile &log, const StudyOptions &options, sim::Workload as_it_is,
                   const StudyPlan &plan) {
    Workloads workloads;
    for (const Variant &variant : plan.variants) {
        const Kind kind = kind_of(variant);
        if (workloads.count(kind) != 0)
            continue;
        std::ostringstream said_before;
        sim::Workload workload =
            variant.share < 1 ? read(log, options, variant.share, said_before) : as_it_is;
        sim::set_estimates(workload, variant.estimates);
        if (variant.disturbed)
            sim::disturb_run_times(workload);
        workloads.emplace(kind, std::move(workload));
    }
    return workloads;
}

std::vector<sim::Fare> play(const Variant &variant, const StudyPlan &plan,
                            const Workloads &workloads, const StudyOptions &options,
                            sim::Progress &progress) {
    sim::Options how;
    how.policy = variant.settings;
    how.rigid_jobs = variant.rigid_jobs;
    how.folding_cost = sim::parse_folding_cost(options.folding_cost);
    const auto &workload = workloads.at(kind_of(variant));
    return sim::fares(sim::simulate(workload, plan.machines[variant.machine], how, progress),
                      sim::usual_slowdown_bound);
}

template <class Chosen>
sim::Beside among(const sim::Workload &workload, const std::vector<sim::Fare> &fares,
                  const std::vector<sim::Fare> &easy, Chosen chosen) {
    std::vector<bool> which;
    for (const sim::Job &job : workload.jobs)
        which.push_back(chosen(job));
    return sim::beside(fares, easy, which);
}

template <class Chosen>
StudyRow row(const std::string &name, const sim::Workload &workload,
             const std::vector<sim::Fare> &fares, const std::vector<sim::Fare> &easy,
             Chosen chosen) {
    const auto of_class = [&](policy::JobClass job_class) {
        return among(workload, fares, easy, [&](const sim::Job &job) {
            return chosen(job) && job.job_class == job_class;
        });
    };
    return {name, false, among(workload, fares, easy, chosen), of_class(policy::JobClass::long_job),
            of_class(policy::JobClass::short_job)};
}

std::string in_words(int narrowest, int widest) {
    const std::string cores = std::to_string(widest) + (widest == 1 ? " core" : " cores");
    return narrowest == widest ? cores : std::to_string(narrowest) + " to " + cores;
}

// Widths in parts of the machine, and run times.
void add_classes(Study &study, const std::string &name, const sim::Workload &workload,
                 const std::vector<sim::Fare> &fares, const std::vector<sim::Fare> &easy) {
    constexpr sim::Milliseconds minute = 60'000;
    const auto add = [&](const std::string &class_name, auto chosen) {
        study.rows.push_back(row(name + ": " + class_name, workload, fares, easy, chosen));
    };
    int narrower = 0;
    for (const int part : {32, 8, 4, 2, 1}) {
        const int widest = study.cores / part;
        if (widest <= narrower)
            continue;
        add(in_words(narrower + 1, widest), [=](const sim::Job &job) {
            const int cores = job.sizes.largest() * job.cores_per_process;
            return cores > narrower && cores <= widest;
        });
        narrower = widest;
    }
    constexpr std::tuple<const char *, sim::Milliseconds, sim::Milliseconds> run_times[] = {
        {"up to 10 minutes", 0, 10 * minute},
        {"up to an hour", 10 * minute, 60 * minute},
        {"up to 6 hours", 60 * minute, 360 * minute},
        {"longer", 360 * minute, std::numeric_limits<sim::Milliseconds>::max()}};
    for (const auto &[words, shorter, longest] : run_times)
        add(words, [shorter = shorter, longest = longest](const sim::Job &job) {
            return job.runtime >= shorter && job.runtime < longest;
        });
}

template <class Chosen>
void add_apart(Study &study, const std::string &name, const sim::Workload &workload,
               const std::vector<sim::Fare> &fares, const std::vector<sim::Fare> &easy,
               Chosen does) {
    study.rows.push_back(row(name + ": those who do", workload, fares, easy, does));
    study.rows.push_back(row(name + ": those who do not", workload, fares, easy,
                             [&](const sim::Job &job) { return !does(job); }));
}

// Not those that everything is compared with.
void add_rows(Study &study, const StudyPlan &plan, const Workloads &workloads,
              const std::vector<std::vector<sim::Fare>> &fares) {
    for (std::size_t i = plan.machines.size(); i < plan.variants.size(); i++) {
        const Variant &variant = plan.variants[i];
        const auto &workload = workloads.at(kind_of(variant));
        const auto &easy = fares[variant.machine];
        study.rows.push_back(
            row(variant.name, workload, fares[i], easy, [](const sim::Job &) { return true; }));
        study.rows.back().drawn = variant.drawn;
        if (variant.by_class)
            add_classes(study, variant.name, workload, fares[i], easy);
        if (variant.share < 1)
            add_apart(study, variant.name, workload, fares[i], easy,
                      [](const sim::Job &job) { return job.virtually_malleable; });
        if (variant.estimates == sim::Estimates::too_short)
            add_apart(study, variant.name, workload, fares[i], easy,
                      [users = sim::users_who_say_too_little(workload)](const sim::Job &job) {
                          return users.count(job.user) != 0;
                      });
    }
}

void write(const std::filesystem::path &file, const std::string &text) {
    OutputFile out(file.string());
    out.stream() << text;
    out.close();
}

// By variant; nothing if it was interrupted.
std::vector<std::vector<sim::Fare>> play_all(const StudyOptions &options, const StudyPlan &plan,
                                             const Workloads &workloads, sim::Progress &progress) {
    std::vector<std::vector<sim::Fare>> fares(plan.variants.size());
    std::optional<ProgressLine> line;
    if (options.progress || isatty(STDERR_FILENO))
        line.emplace(progress, fares.size() * workloads.begin()->second.jobs.size());
    try {
        sim::in_parallel(
            options.threads, progress, fares.size(),
            [&](std::size_t i) {
                fares[i] = play(plan.variants[i], plan, workloads, options, progress);
            });
    } catch (const sim::Stopped &) {
        return {};
    }
    return fares;
}

int study(const StudyOptions &options) {
    const sim::LogFile file(options.log);
    sim::Workload log = read(file, options, 1, std::cerr);
    const int cores = options.cores > 0 ? options.cores : log.processors;
    if (cores == 0)
        throw UsageError("the log does not say how large its machine was; give --cores");
    const bool log_says_who = says_who_takes_part(file, options);
    const StudyPlan plan = study_plan(cores, options.nodes, log_says_who);
    Study result = {log.source, cores, log_says_who, false, {}};
    const Workloads workloads = read_all(file, options, std::move(log), plan);
    const std::filesystem::path directory = options.directory;
    make_results_directory(directory);
    write_json(directory / "summary.json", json_of(result));
    sim::Progress progress;
    const Interruption interruption(progress);
    const auto fares = play_all(options, plan, workloads, progress);
    if (const int signal = interruption.signal()) {
        std::cerr << program_invocation_short_name << ": interrupted; there is no result\n";
        return 128 + signal;
    }
    add_rows(result, plan, workloads, fares);
    result.finished = true;
    write_json(directory / "summary.json", json_of(result));
    write(directory / "study.csv", csv_of(result));
    write(directory / "study.md", markdown_of(result));
    std::cout << (options.json ? json_of(result).dump(2) + "\n" : text_of(result)) << std::flush;
    if (!options.no_picture)
        draw_pictures(directory, interruption);
    if (const int signal = interruption.signal()) {
        std::cerr << program_invocation_short_name << ": interrupted; the results are in "
                  << options.directory << '\n';
        return 128 + signal;
    }
    return EXIT_SUCCESS;
}

void add_options(Command command, StudyOptions &options) {
    command.add_option("log", options.log, "In SWF or of sacct, plain or compressed")
        .required()
        .type_name("LOG");
    command.add_option("-o,--out", options.directory, "Directory for the results; made, or empty")
        .required()
        .type_name("DIR");
    command
        .add_option("--cores", options.cores,
                    "Of one node; if not given, of the machine the log was recorded on")
        .check(positive_number())
        .type_name("N");
    command
        .add_option("--nodes", options.nodes, "Also try so many nodes of so many cores; repeated")
        .check(parsed_by([](const std::string &text) { parse_nodes(text); }))
        .delimiter(',')
        .type_name("NODESxCORES");
    command
        .add_option("--config", options.config,
                    "vmall.conf whose ClassByPartition and ShortTimeLimit say which jobs are short")
        .type_name("FILE");
    command
        .add_option("--folding-cost", options.folding_cost,
                    "How many times longer folding to MPL 2, 3 ... takes than as many processes "
                    "as cores would; one number is for all MPL")
        .check(parsed_by(sim::parse_folding_cost))
        .type_name("FACTOR,...")
        .capture_default_str();
    command.add_flag("--no-picture", options.no_picture, "Draw nothing");
    command.add_flag("--progress", options.progress,
                     "Show how far it is, even if not on a terminal");
    command.add_flag("--json", options.json,
                     "Print JSON, that of summary.json, instead of a table");
    add_threads_option(command, options.threads);
}

} // namespace

void add_study(Command app, int &exit_status) {
    auto options = std::make_shared<StudyOptions>();
    const auto command = app.add_subcommand(
        "study", "Put the default policy of vmall.conf beside EASY on a log, job by job");
    add_options(command, *options);
    command.callback([options, &exit_status] { exit_status = study(*options); });
}

} // namespace vmall::vmsim
