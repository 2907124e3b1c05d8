// SPDX-License-Identifier: GPL-2.0-or-later
//
// What slurmctld says of its configuration.
#pragma once

#include "slurmglue/conf_answer.h"

#include <memory>
#include <slurm/slurm.h>

namespace vmall::vmctl {

using SlurmConf = std::unique_ptr<slurm_conf_t, decltype(&vmall_free_conf_answer)>;

// Throws std::runtime_error if slurmctld does not answer. libslurm itself ends the process, with a
// message and exit code 1, if there is no slurm.conf.
SlurmConf load_slurm_conf();

} // namespace vmall::vmctl
