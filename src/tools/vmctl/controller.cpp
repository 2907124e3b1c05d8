// SPDX-License-Identifier: GPL-2.0-or-later
//
// Where the controller's plugin is, and as whom it answers.
#include "tools/vmctl/controller.hpp"

#include "common/split.hpp"
#include "tools/vmctl/verdict.hpp"

#include <stdexcept>

namespace vmall::vmctl {

namespace {

// The path in "socket=/path,ttl=60", as Slurm's own munge plugin takes it.
std::string socket_in(const std::string &authinfo) {
    const std::string key = "socket=";
    for (const std::string_view option : common::split(authinfo, ','))
        if (option.substr(0, key.size()) == key)
            return std::string(option.substr(key.size()));
    return "";
}

} // namespace

Controller controller_by(const slurm_conf_t &conf, const config::Config &config) {
    Controller controller;
    controller.port = config.control_port;
    controller.user = conf.slurm_user_id;
    controller.munge_socket = config.munge_socket;
    if (controller.munge_socket.empty() && conf.authinfo)
        controller.munge_socket = socket_in(conf.authinfo);
    for (std::uint32_t i = 0; i < conf.control_cnt; ++i)
        if (const char *host =
                conf.control_addr[i] ? conf.control_addr[i] : conf.control_machine[i])
            controller.hosts.push_back(host);
    if (controller.hosts.empty())
        throw std::runtime_error("slurmctld does not say where it runs");
    return controller;
}

Controller controller_of(const slurm_conf_t &conf, const config::Config &config) {
    const std::string select = conf.select_type ? conf.select_type : "";
    if (!is_our_select(select))
        throw std::runtime_error(
            "slurmctld has nothing of slurm-vmall that could be asked (SelectType=" + select +
            "). Where the agents of the nodes deal cores themselves (mode=node), only \"vmctl "
            "jobs\", \"top\", \"why\", \"metrics\" and \"doctor\" have something to tell");
    return controller_by(conf, config);
}

void ask_at(Controller &controller, const Address &address) {
    controller.hosts = {address.host};
    controller.port = address.port.value_or(controller.port);
}

} // namespace vmall::vmctl
