// SPDX-License-Identifier: GPL-2.0-or-later
//
// What slurmctld says of its configuration.
#pragma once

#include "slurmglue/conf_answer.h"

#include <memory>
#include <slurm/slurm.h>
#include <stdexcept>

namespace vmall::vmctl {

using SlurmConf = std::unique_ptr<slurm_conf_t, decltype(&vmall_free_conf_answer)>;

// What slurmctld was asked and did not answer.
class NoAnswer : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

// Reads slurm.conf, once. libslurm itself ends the process, with a message and exit code 1, if
// there is none.
void init_slurm();

// With init_slurm(). Throws NoAnswer if slurmctld does not.
SlurmConf load_slurm_conf();

} // namespace vmall::vmctl
