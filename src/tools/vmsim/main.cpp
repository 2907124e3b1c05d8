// SPDX-License-Identifier: GPL-2.0-or-later
//
// vmsim: what the policies would have done with a workload.
#include "tools/vmsim/commands.hpp"
#include "tools/vmsim/usage_error.hpp"
#include "vmall_config.h"

#include <cstdlib>
#include <iostream>

namespace {

using namespace vmall;

int complain(const std::string &problem, int exit_status) {
    std::cerr << "vmsim: error: " << problem << "\n";
    return exit_status;
}

} // namespace

int main(int argc, char **argv) {
    vmsim::Program program(
        "vmsim", "Tries scheduling policies on recorded and generated workloads.", PACKAGE_STRING);
    const vmsim::Command app = program.command();
    int exit_status = EXIT_SUCCESS;
    vmsim::add_policies(app, exit_status);
    vmsim::add_run(app, exit_status);
    vmsim::add_compare(app, exit_status);
    vmsim::add_generate(app, exit_status);
    vmsim::add_import(app, exit_status);
    vmsim::add_reproduce(app, exit_status);
    try {
        program.parse(argc, argv);
    } catch (const vmsim::UsageError &error) {
        return complain(error.what(), vmsim::exit_usage);
    } catch (const std::exception &error) {
        return complain(error.what(), EXIT_FAILURE);
    }
    std::cout.flush();
    return std::cout ? exit_status : complain("cannot write the answer", EXIT_FAILURE);
}
