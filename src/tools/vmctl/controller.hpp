// SPDX-License-Identifier: GPL-2.0-or-later
//
// Where the controller's plugin is, and as whom it answers.
#pragma once

#include "config/config.hpp"
#include "tools/vmctl/address.hpp"
#include "tools/vmctl/ask.hpp"
#include "tools/vmctl/slurm_conf.hpp"

namespace vmall::vmctl {

// Port and munge socket (empty: what slurm.conf's AuthInfo says) are those of vmall.conf. Throws
// std::runtime_error if slurmctld does not say where it runs.
Controller controller_by(const slurm_conf_t &conf, const config::Config &config);

// Likewise; also throws it if slurmctld has nothing of ours that could be asked.
Controller controller_of(const slurm_conf_t &conf, const config::Config &config);

// Instead of where slurm.conf says.
void ask_at(Controller &controller, const Address &address);

} // namespace vmall::vmctl
