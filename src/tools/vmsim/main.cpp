// SPDX-License-Identifier: GPL-2.0-or-later
//
// vmsim: what the policies would have done with a workload.
#include "tools/vmsim/commands.hpp"
#include "vmall_config.h"

#include <cstdlib>

int main(int argc, char **argv) {
    using namespace vmall;
    vmsim::Program program(
        "vmsim", "Tries scheduling policies on recorded and generated workloads.", PACKAGE_STRING);
    const vmsim::Command app = program.command();
    int exit_status = EXIT_SUCCESS;
    vmsim::add_policies(app, exit_status);
    vmsim::add_run(app, exit_status);
    vmsim::add_compare(app, exit_status);
    vmsim::add_study(app, exit_status);
    vmsim::add_generate(app, exit_status);
    vmsim::add_import(app, exit_status);
    vmsim::add_advise(app, exit_status);
    return program.run(argc, argv, exit_status);
}
