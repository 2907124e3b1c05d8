// SPDX-License-Identifier: GPL-2.0-or-later
//
// vmctl: what virtually malleable jobs have, and what the scheduler did.
#include "config/config.hpp"
#include "tools/vmctl/address.hpp"
#include "tools/vmctl/controller.hpp"
#include "tools/vmctl/table.hpp"
#include "vmall_config.h"

#include <CLI/CLI.hpp>

#include <chrono>
#include <cstdlib>
#include <iostream>

namespace {

using namespace vmall;

constexpr int exit_usage = 2;
constexpr std::chrono::seconds patience(5);

struct Options {
    std::string controller;
    bool json = false;
    bool noheader = false;
};

int complain(const std::string &problem, int exit_code) {
    std::cerr << "vmctl: error: " << problem << "\n";
    return exit_code;
}

std::string check_address(const std::string &text) {
    try {
        vmctl::parse_address(text);
        return "";
    } catch (const std::invalid_argument &error) {
        return error.what();
    }
}

std::string answer_to(control::Ask what, const Options &options) {
    const config::Config config = config::load(config::default_path());
    vmctl::Controller controller = vmctl::find_controller(config);
    if (!options.controller.empty()) {
        const vmctl::Address address = vmctl::parse_address(options.controller);
        controller.hosts = {address.host};
        controller.port = address.port.value_or(controller.port);
    }
    return vmctl::ask(controller, {what}, patience);
}

// Decoded even if JSON is wanted: an error answer is an error, and what is shown is what we know.
std::string jobs(const Options &options) {
    const auto jobs = control::decode_jobs(answer_to(control::Ask::jobs, options));
    return options.json ? control::encode(jobs) + "\n" : vmctl::jobs_table(jobs, !options.noheader);
}

std::string stats(const Options &options) {
    const auto stats = control::decode_stats(answer_to(control::Ask::stats, options));
    return options.json ? control::encode(stats) + "\n"
                        : vmctl::stats_table(stats, !options.noheader);
}

int print(const std::string &text) {
    std::cout << text << std::flush;
    return std::cout ? EXIT_SUCCESS : complain("cannot write the answer", EXIT_FAILURE);
}

void add_options(CLI::App &command, Options &options) {
    command.add_flag("--json", options.json, "Print JSON instead of a table");
    command.add_flag("-n,--noheader", options.noheader, "Print no column titles");
    command
        .add_option("--controller", options.controller,
                    "Ask this host instead of the one in slurm.conf")
        ->type_name("HOST[:PORT]")
        ->check(check_address);
}

} // namespace

int main(int argc, char **argv) {
    CLI::App app("Shows virtually malleable jobs and what the scheduler did.", "vmctl");
    Options options;
    app.set_version_flag("--version", PACKAGE_STRING);
    app.require_subcommand(1);
    CLI::App *jobs_command = app.add_subcommand("jobs", "What each virtually malleable job has");
    add_options(*jobs_command, options);
    add_options(*app.add_subcommand("stats", "What the scheduler did since it started"), options);
    try {
        app.parse(argc, argv);
        return print(*jobs_command ? jobs(options) : stats(options));
    } catch (const CLI::Success &help) {
        return app.exit(help);
    } catch (const CLI::ParseError &error) {
        return complain(error.what(), exit_usage);
    } catch (const control::QueryRefused &error) {
        return complain(std::string("the controller refuses: ") + error.what(), EXIT_FAILURE);
    } catch (const std::exception &error) {
        return complain(error.what(), EXIT_FAILURE);
    }
}
