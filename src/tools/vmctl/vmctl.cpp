// SPDX-License-Identifier: GPL-2.0-or-later
//
// vmctl: what virtually malleable jobs have, why others wait, what the scheduler did, settings, and
// whether the installation is sound.
#include "config/config.hpp"
#include "tools/usage.hpp"
#include "tools/vmctl/address.hpp"
#include "tools/vmctl/arguments.hpp"
#include "tools/vmctl/controller.hpp"
#include "tools/vmctl/dealing_agents.hpp"
#include "tools/vmctl/doctor.hpp"
#include "tools/vmctl/history_table.hpp"
#include "tools/vmctl/job_name.hpp"
#include "tools/vmctl/layout.hpp"
#include "tools/vmctl/since.hpp"
#include "tools/vmctl/slurm_conf.hpp"
#include "tools/vmctl/style.hpp"
#include "tools/vmctl/table.hpp"
#include "tools/vmctl/timeline.hpp"
#include "tools/vmctl/top/top.hpp"
#include "tools/vmctl/why.hpp"
#include "vmall_config.h"
#include "wire/channel_error.hpp"
#include "wire/metrics.hpp"
#ifdef HAVE_METRICS
#include "tools/vmctl/exposition.hpp"
#include "tools/vmctl/node_metrics.hpp"
#endif

#include <CLI/CLI.hpp>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <ctime>
#include <iostream>
#include <optional>
#include <unistd.h>

namespace {

using namespace vmall;

constexpr int exit_usage = 2;
constexpr std::chrono::seconds patience(5);
const std::string what_to_do = "\"vmctl doctor\" says what is wrong, and what to do.";

struct Options {
    std::string controller;
    bool json = false;
    bool noheader = false;
    std::vector<std::string> settings;
    std::string job; // empty: none is named
    std::string since;
    std::string out;
    bool batch = false;
    int seconds = 3;
};

int complain(const std::string &problem, int exit_code) {
    std::cerr << "vmctl: error: " << problem << "\n";
    return exit_code;
}

// 0: none is named.
std::uint32_t job_of(const Options &options) {
    if (options.job.empty())
        return 0;
    vmctl::init_slurm();
    return vmctl::number_of(vmctl::parse_job_name(options.job));
}

std::optional<vmctl::Address> given_address(const Options &options) {
    if (options.controller.empty())
        return std::nullopt;
    return vmctl::parse_address(options.controller);
}

vmctl::Controller controller_of(const Options &options) {
    const config::Config config = config::load(config::default_path());
    const vmctl::SlurmConf conf = vmctl::load_slurm_conf();
    const auto address = given_address(options);
    if (!address)
        return vmctl::controller_of(*conf, config);
    vmctl::Controller controller = vmctl::controller_by(*conf, config);
    vmctl::ask_at(controller, *address);
    return controller;
}

std::string answer_to(const wire::Query &query, const Options &options) {
    return vmctl::ask(controller_of(options), query, patience).payload;
}

template <typename Row>
std::vector<Row> list_of(wire::Ask list, std::vector<Row> (*decode)(const std::string &),
                         const Options &options) {
    std::vector<Row> rows;
    for (const std::string &page : vmctl::ask_for_pages(controller_of(options), list, patience))
        wire::append(rows, decode(page));
    return rows;
}

// The agents that deal cores themselves, unless a controller is named.
std::optional<config::Config> settings_of_agents(const Options &options) {
    return options.controller.empty() ? vmctl::settings_of_dealing_agents() : std::nullopt;
}

std::optional<vmctl::NodeJobs> node_jobs(const Options &options) {
    const auto settings = settings_of_agents(options);
    return settings ? std::optional(vmctl::find_node_jobs(*settings, patience)) : std::nullopt;
}

// Some nodes did not tell what is to be printed.
struct Incomplete {
    std::string text;
    std::vector<std::string> silent;
};

std::string whole(std::string text, const std::optional<vmctl::NodeJobs> &told) {
    if (told && !told->silent.empty())
        throw Incomplete{std::move(text), told->silent};
    return text;
}

// Decoded even if JSON is wanted: an error answer is an error, and what is shown is what we know.
std::string jobs(const Options &options) {
    const auto told = node_jobs(options);
    const auto jobs = told ? told->jobs : list_of(wire::Ask::jobs, wire::decode_jobs, options);
    return whole(options.json ? wire::encode(jobs) + "\n"
                              : vmctl::jobs_table(jobs, !options.noheader),
                 told);
}

std::string queue(const Options &options) {
    const auto queue = list_of(wire::Ask::queue, wire::decode_queue, options);
    return options.json ? wire::encode(queue) + "\n" : vmctl::queue_table(queue, !options.noheader);
}

std::string config(const Options &options) {
    const auto rows = wire::decode_config(answer_to({wire::Ask::config}, options));
    return options.json ? wire::encode(rows) + "\n" : vmctl::config_table(rows, !options.noheader);
}

std::string set(const Options &options) {
    wire::Query query{wire::Ask::set, {}};
    for (const std::string &text : options.settings) {
        const std::size_t equals = text.find('=');
        query.settings.push_back({text.substr(0, equals), text.substr(equals + 1)});
    }
    wire::decode_config(answer_to(query, options));
    return "";
}

std::string stats(const Options &options) {
    const auto stats = wire::decode_stats(answer_to({wire::Ask::stats}, options));
    return options.json ? wire::encode(stats) + "\n" : vmctl::stats_table(stats, !options.noheader);
}

std::time_t now() {
    return std::time(nullptr);
}

std::optional<std::time_t> since(const Options &options) {
    if (options.since.empty())
        return std::nullopt;
    return vmctl::parse_since(options.since, now());
}

std::string history(const Options &options) {
    wire::Query query{wire::Ask::history};
    query.job = job_of(options);
    query.since = since(options).value_or(0);
    const auto history = vmctl::ask_for_history(controller_of(options), query, patience);
    return options.json ? wire::encode(history) + "\n"
                        : vmctl::history_table(history, !options.noheader);
}

// What a job held at the beginning stands in earlier rows.
std::string timeline(const Options &options) {
    const auto history =
        vmctl::ask_for_history(controller_of(options), {wire::Ask::history}, patience);
    vmctl::draw(vmctl::timeline_of(history, since(options), now()), options.out);
    return "";
}

// A controller of before does not know the question.
std::vector<wire::LeftOutRow> left_out(const Options &options) {
    try {
        return list_of(wire::Ask::left_out, wire::decode_left_out, options);
    } catch (const wire::QueryRefused &) {
        return {};
    }
}

vmctl::Known known_of(std::uint32_t job, const Options &options) {
    wire::Query query{wire::Ask::history};
    query.job = job;
    return {list_of(wire::Ask::jobs, wire::decode_jobs, options),
            list_of(wire::Ask::queue, wire::decode_queue, options), left_out(options),
            vmctl::ask_for_history(controller_of(options), query, patience)};
}

std::string why(const Options &options) {
    const std::uint32_t job = job_of(options);
    const auto told = node_jobs(options);
    const auto sentences = vmctl::explain(
        job, told ? vmctl::Known{told->jobs, {}, told->left_out, {}} : known_of(job, options));
    if (sentences.empty() && whole("", told).empty())
        throw std::runtime_error(vmctl::not_known(job));
    return whole(options.json ? vmctl::encode_why(job, sentences) : vmctl::lines_of(sentences),
                 told);
}
#ifdef HAVE_METRICS
std::string metrics(const Options &options) {
    const auto told = node_jobs(options);
    const auto metrics = told ? vmctl::metrics_of(*told)
                              : wire::decode_metrics(answer_to({wire::Ask::metrics}, options));
    return whole(options.json ? wire::encode(metrics) + "\n"
                              : vmctl::exposition(vmctl::families_of(metrics)),
                 told);
}
#endif

int print(const std::string &text) {
    std::cout << text << std::flush;
    return std::cout ? EXIT_SUCCESS : complain("cannot write the answer", EXIT_FAILURE);
}

// Fails if something is wrong, for scripts.
int doctor(const Options &options) {
    const vmctl::Diagnoses diagnoses = vmctl::examine(given_address(options), patience);
    const int printed =
        print(options.json ? vmctl::encode(diagnoses) + "\n"
                           : vmctl::diagnoses_table(diagnoses, !options.noheader,
                                                    vmctl::wants_colours(STDOUT_FILENO)));
    const bool sound =
        std::all_of(diagnoses.begin(), diagnoses.end(),
                    [](const vmctl::Diagnosis &diagnosis) { return diagnosis.ok(); });
    return sound ? printed : EXIT_FAILURE;
}

int top(const Options &options) {
    const auto find = [&options] {
        const auto settings = settings_of_agents(options);
        return settings ? vmctl::source_of_agents(*settings, patience)
                        : vmctl::top::source_of(controller_of(options), patience);
    };
    const vmctl::top::Options asked{find, std::chrono::seconds(options.seconds)};
    if (options.json)
        return print(vmctl::top::once_as_json(asked));
    if (options.batch || !vmctl::top::can_be_live())
        return print(vmctl::top::once(asked, vmctl::wants_colours(STDOUT_FILENO)));
    vmctl::top::live(asked);
}

void add_address(CLI::App &command, Options &options) {
    command
        .add_option("--controller", options.controller,
                    "Ask this host instead of the one in slurm.conf")
        ->type_name("HOST[:PORT]")
        ->check(vmctl::check_address);
}

struct Command {
    const char *name;
    const char *help;
    std::string (*run)(const Options &options); // returns what is to be printed
};

constexpr Command commands_that_show[] = {
    {"jobs", "What each virtually malleable job has", jobs},
    {"queue", "Why each virtually malleable job that waits does so", queue},
    {"config", "The settings that hold now", config},
    {"stats", "What the scheduler did since it started", stats},
#ifdef HAVE_METRICS
    {"metrics", "What it did, and how it is now, as Prometheus reads it", metrics},
#endif
};

// They take more options, by add_history().
struct PastCommand {
    const char *name;
    std::string (*run)(const Options &options);
};

constexpr PastCommand commands_about_the_past[] = {
    {"history", history}, {"timeline", timeline}, {"why", why}};

CLI::App &add_showing(CLI::App &app, const char *name, const char *help, Options &options) {
    CLI::App &added = *app.add_subcommand(name, help);
    added.add_flag("--json", options.json, "Print JSON instead of a table");
    added.add_flag("-n,--noheader", options.noheader, "Print no column titles");
    add_address(added, options);
    return added;
}

void add_since(CLI::App &command, Options &options) {
    command
        .add_option("--since", options.since,
                    "Only from then on, such as 2026-03-01T10:20, 10:20 or now-2hours")
        ->type_name("TIME")
        ->check(vmctl::check_since);
}

void add_job(CLI::App &command, Options &options, const char *help) {
    command.add_option("job", options.job, help)->type_name("JOB")->check(vmctl::check_job);
}

void add_history(CLI::App &app, Options &options) {
    CLI::App &told = add_showing(app, "history",
                                 "What was done to each virtually malleable job, and why", options);
    add_job(told, options, "Only of this job, and of those that made room for it");
    add_since(told, options);
    CLI::App &drawn =
        *app.add_subcommand("timeline", "Draw which job had how many cores when, as SVG");
    drawn.add_option("--out", options.out, "Where the picture goes")
        ->type_name("FILE.svg")
        ->required();
    add_since(drawn, options);
    add_address(drawn, options);
    CLI::App &asked =
        *app.add_subcommand("why", "Why a job waits, is folded or is not, in sentences");
    add_job(asked, options, "As squeue names it");
    asked.get_option("job")->required();
    asked.add_flag("--json", options.json, "Print JSON instead of lines");
    add_address(asked, options);
}

void add_top(CLI::App &app, Options &options) {
    CLI::App &added =
        *app.add_subcommand("top", "Watch jobs, allotments, who waits and what changes; q quits");
    added.add_option("-d,--delay", options.seconds, "Ask so often")
        ->type_name("SECONDS")
        ->check(CLI::Range(1, 3600).description(""))
        ->capture_default_str();
    added.add_flag("-b,--batch", options.batch, "Print once, also on a terminal");
    added.add_flag("--json", options.json, "Print JSON, once");
    add_address(added, options);
}

void add_commands(CLI::App &app, Options &options) {
    for (const Command &command : commands_that_show)
        add_showing(app, command.name, command.help, options);
    add_history(app, options);
    add_top(app, options);
    add_showing(app, "doctor", "What is wrong with the installation, and what to do", options);
    CLI::App &added = *app.add_subcommand("set", "Change settings until vmall.conf is read again");
    added.add_option("settings", options.settings, "Keys of vmall.conf and their new values")
        ->type_name("KEY=VALUE")
        ->required()
        ->check(vmctl::check_setting);
    add_address(added, options);
}

int run(const CLI::App &app, const Options &options) {
    for (const Command &command : commands_that_show)
        if (app.got_subcommand(command.name))
            return print(command.run(options));
    for (const PastCommand &command : commands_about_the_past)
        if (app.got_subcommand(command.name))
            return print(command.run(options));
    if (app.got_subcommand("top"))
        return top(options);
    return app.got_subcommand("doctor") ? doctor(options) : print(set(options));
}

} // namespace

int main(int argc, char **argv) {
    CLI::App app("Shows virtually malleable jobs and what the scheduler did, changes settings, and "
                 "checks the "
                 "installation.",
                 "vmctl");
    Options options;
    app.set_version_flag("--version", PACKAGE_STRING);
    app.require_subcommand(1);
    add_commands(app, options);
    try {
        app.parse(argc, argv);
        return run(app, options);
    } catch (const CLI::Success &help) {
        return app.exit(help);
    } catch (const CLI::ParseError &error) {
        return complain(tools::usage_problem(app, error), exit_usage);
    } catch (const Incomplete &answer) {
        print(answer.text);
        for (const std::string &node : answer.silent)
            complain("not told by " + vmctl::printable(node), EXIT_FAILURE);
        return EXIT_FAILURE;
    } catch (const wire::QueryRefused &error) {
        return complain(std::string("the controller refuses: ") + error.what(), EXIT_FAILURE);
    } catch (const wire::ChannelError &error) {
        return complain(error.what() + (". " + what_to_do), EXIT_FAILURE);
    } catch (const vmctl::NoAnswer &error) {
        return complain(error.what() + (". " + what_to_do), EXIT_FAILURE);
    } catch (const std::exception &error) {
        return complain(error.what(), EXIT_FAILURE);
    }
}
