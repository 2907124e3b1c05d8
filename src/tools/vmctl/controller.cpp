// SPDX-License-Identifier: GPL-2.0-or-later
//
// Asks Slurm where its controller runs and as whom.
#include "tools/vmctl/controller.hpp"

#include <cerrno>
#include <memory>
#include <slurm/slurm.h>
#include <slurm/slurm_errno.h>
#include <sstream>
#include <stdexcept>

namespace vmall::vmctl {

namespace {

// The path in "socket=/path,ttl=60", as Slurm's own munge plugin takes it.
std::string socket_in(const std::string &authinfo) {
    const std::string key = "socket=";
    std::istringstream options(authinfo);
    for (std::string option; std::getline(options, option, ',');)
        if (option.compare(0, key.size(), key) == 0)
            return option.substr(key.size());
    return "";
}

} // namespace

Controller find_controller(const config::Config &config) {
    slurm_init(nullptr);
    slurm_conf_t *raw = nullptr;
    if (slurm_load_ctl_conf(0, &raw) != SLURM_SUCCESS)
        throw std::runtime_error(std::string("slurmctld does not answer: ") +
                                 slurm_strerror(errno));
    const std::unique_ptr<slurm_conf_t, decltype(&slurm_free_ctl_conf)> conf(raw,
                                                                             slurm_free_ctl_conf);
    Controller controller;
    controller.port = config.control_port;
    controller.user = conf->slurm_user_id;
    controller.munge_socket = config.munge_socket;
    if (controller.munge_socket.empty() && conf->authinfo)
        controller.munge_socket = socket_in(conf->authinfo);
    for (std::uint32_t i = 0; i < conf->control_cnt; ++i)
        if (const char *host =
                conf->control_addr[i] ? conf->control_addr[i] : conf->control_machine[i])
            controller.hosts.push_back(host);
    if (controller.hosts.empty())
        throw std::runtime_error("slurmctld does not say where it runs");
    return controller;
}

} // namespace vmall::vmctl
