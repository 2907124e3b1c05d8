// SPDX-License-Identifier: GPL-2.0-or-later
//
// Asks Slurm where its controller runs and as whom.
#include "tools/vmctl/controller.hpp"

#include <cerrno>
#include <memory>
#include <slurm/slurm.h>
#include <slurm/slurm_errno.h>
#include <stdexcept>

namespace vmall::vmctl {

Controller find_controller(int port) {
    slurm_init(nullptr);
    slurm_conf_t *raw = nullptr;
    if (slurm_load_ctl_conf(0, &raw) != SLURM_SUCCESS)
        throw std::runtime_error(std::string("slurmctld does not answer: ") +
                                 slurm_strerror(errno));
    const std::unique_ptr<slurm_conf_t, decltype(&slurm_free_ctl_conf)> conf(raw,
                                                                             slurm_free_ctl_conf);
    Controller controller;
    controller.port = port;
    controller.user = conf->slurm_user_id;
    for (std::uint32_t i = 0; i < conf->control_cnt; ++i)
        if (const char *host =
                conf->control_addr[i] ? conf->control_addr[i] : conf->control_machine[i])
            controller.hosts.push_back(host);
    if (controller.hosts.empty())
        throw std::runtime_error("slurmctld does not say where it runs");
    return controller;
}

} // namespace vmall::vmctl
