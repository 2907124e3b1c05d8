// SPDX-License-Identifier: GPL-2.0-or-later
//
// What slurmctld says of its configuration.
#include "tools/vmctl/slurm_conf.hpp"

#include <cerrno>
#include <slurm/slurm_errno.h>
#include <stdexcept>

namespace vmall::vmctl {

namespace {

[[noreturn]] void fail() {
    throw std::runtime_error(std::string("slurmctld does not answer: ") + slurm_strerror(errno));
}

} // namespace

SlurmConf load_slurm_conf() {
    slurm_init(nullptr);
    slurm_conf_t *raw = nullptr;
    if (slurm_load_ctl_conf(0, &raw) != SLURM_SUCCESS)
        fail();
    return {raw, vmall_free_conf_answer};
}

} // namespace vmall::vmctl
