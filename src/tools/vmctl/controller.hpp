// SPDX-License-Identifier: GPL-2.0-or-later
//
// Asks Slurm where its controller runs and as whom.
#pragma once

#include "config/config.hpp"
#include "tools/vmctl/ask.hpp"

namespace vmall::vmctl {

// Port and munge socket (empty: what slurm.conf's AuthInfo says) are those of vmall.conf. Throws
// std::runtime_error if slurmctld does not answer. libslurm itself ends the process, with a message
// and exit code 1, if there is no slurm.conf.
Controller find_controller(const config::Config &config);

} // namespace vmall::vmctl
