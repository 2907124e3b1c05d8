// SPDX-License-Identifier: GPL-2.0-or-later
//
// Asks Slurm where its controller runs and as whom.
#pragma once

#include "tools/vmctl/ask.hpp"

namespace vmall::vmctl {

// Throws std::runtime_error if slurmctld does not answer. libslurm itself ends the process, with a
// message and exit code 1, if there is no slurm.conf.
Controller find_controller(int port);

} // namespace vmall::vmctl
