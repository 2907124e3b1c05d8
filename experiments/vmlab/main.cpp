// SPDX-License-Identifier: GPL-2.0-or-later
//
// vmlab: what only the papers have, simulated.
#include "experiments/vmlab/commands.hpp"
#include "vmall_config.h"

#include <cstdlib>

int main(int argc, char **argv) {
    using namespace vmall;
    vmsim::Program program("vmlab", "Repeats the papers' experiments in simulation.",
                           PACKAGE_STRING);
    const vmsim::Command app = program.command();
    int exit_status = EXIT_SUCCESS;
    vmlab::add_reproduce(app, exit_status);
    vmlab::add_mesh(app, exit_status);
    vmlab::add_import(app, exit_status);
    return program.run(argc, argv, exit_status);
}
