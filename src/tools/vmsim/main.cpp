// SPDX-License-Identifier: GPL-2.0-or-later
//
// vmsim: what the policies would have done with a workload.
#include "config/number.hpp"
#include "tools/vmsim/commands.hpp"
#include "tools/vmsim/usage_error.hpp"
#include "vmall_config.h"

#include <CLI/CLI.hpp>

#include <cstdlib>
#include <iostream>

namespace {

using namespace vmall;

int complain(const std::string &problem, int exit_status) {
    std::cerr << "vmsim: error: " << problem << "\n";
    return exit_status;
}

// CLI11 says of a subcommand with a typo only that one is required.
std::string what(const CLI::App &app, const CLI::ParseError &error) {
    const auto rest = app.remaining();
    return app.get_subcommands().empty() && !rest.empty()
               ? config::quoted(rest.front()) + " is not a subcommand; see vmsim --help"
               : error.what();
}

} // namespace

int main(int argc, char **argv) {
    CLI::App app("Tries scheduling policies on recorded and generated workloads.", "vmsim");
    int exit_status = EXIT_SUCCESS;
    app.set_version_flag("--version", PACKAGE_STRING);
    app.require_subcommand(1);
    vmsim::add_policies(app, exit_status);
    vmsim::add_run(app, exit_status);
    vmsim::add_compare(app, exit_status);
    vmsim::add_generate(app, exit_status);
    vmsim::add_import(app, exit_status);
    vmsim::add_reproduce(app, exit_status);
    try {
        app.parse(argc, argv);
    } catch (const CLI::Success &help) {
        app.exit(help);
    } catch (const CLI::ParseError &error) {
        return complain(what(app, error), vmsim::exit_usage);
    } catch (const vmsim::UsageError &error) {
        return complain(error.what(), vmsim::exit_usage);
    } catch (const std::exception &error) {
        return complain(error.what(), EXIT_FAILURE);
    }
    std::cout.flush();
    return std::cout ? exit_status : complain("cannot write the answer", EXIT_FAILURE);
}
