// SPDX-License-Identifier: GPL-2.0-or-later
//
// What slurmctld says of its configuration.
#include "tools/vmctl/slurm_conf.hpp"

#include <cerrno>
#include <cstdint>
#include <slurm/slurm_errno.h>
#include <string>

namespace vmall::vmctl {

namespace {

// "head port 6817", or "head, backup port 6817".
std::string asked() {
    const slurm_conf_t *conf = vmall_local_conf();
    std::string hosts;
    for (std::uint32_t i = 0; i < conf->control_cnt; ++i)
        hosts += (hosts.empty() ? "" : ", ") + std::string(conf->control_machine[i]);
    return hosts + " port " + std::to_string(conf->slurmctld_port);
}

[[noreturn]] void fail() {
    const std::string problem = slurm_strerror(errno);
    throw NoAnswer("slurmctld does not answer (" + asked() + "): " + problem);
}

} // namespace

void init_slurm() {
    slurm_init(nullptr);
}

SlurmConf load_slurm_conf() {
    init_slurm();
    slurm_conf_t *raw = nullptr;
    if (slurm_load_ctl_conf(0, &raw) != SLURM_SUCCESS)
        fail();
    return {raw, vmall_free_conf_answer};
}

} // namespace vmall::vmctl
