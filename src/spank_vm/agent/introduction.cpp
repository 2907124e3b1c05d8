// SPDX-License-Identifier: GPL-2.0-or-later
//
// What the agent tells anybody who asks.
#include "spank_vm/agent/introduction.hpp"

#include "config/keys.hpp"
#include "spank_vm/agent/cpusets.hpp"
#include "spank_vm/agent/kernel.hpp"
#include "vmall_config.h"

#include <filesystem>
#include <system_error>

namespace vmall::agent {

namespace {

wire::Confinement confinement_on(const Settings &settings) {
    if (!settings.slurm_makes_cpusets)
        return wire::Confinement::affinity;
    return cpusets_below(settings.cgroup_mount);
}

} // namespace

wire::Installation installation_of(const Settings &settings,
                                   const std::optional<wire::HandOver> &hand_over) {
    wire::Installation installation;
    installation.version = PACKAGE_VERSION;
    installation.slurm = settings.slurm_release;
    for (const config::Value &value : config::values(settings.config))
        installation.settings.push_back(
            {value.key.name, value.text, value.is_default ? "default" : "vmall.conf"});
    std::error_code unreadable;
    installation.node = {settings.node_name, confinement_on(settings),
                         std::filesystem::is_regular_file(settings.config.vmrt_library, unreadable),
                         kernel_of("/proc", settings.cgroup_mount), hand_over};
    return installation;
}

std::string answer_to_query(const std::string &query, const Settings &settings,
                            const std::optional<wire::HandOver> &hand_over,
                            const TellJobs &tell_jobs) {
    using wire::Ask;
    try {
        const wire::Query decoded = wire::decode_query(query);
        if (decoded.ask == Ask::installation)
            return wire::encode(installation_of(settings, hand_over));
        if (tell_jobs && (decoded.ask == Ask::jobs || decoded.ask == Ask::left_out))
            return tell_jobs(decoded);
        return wire::encode_error("a node agent only tells how it is installed, and with "
                                  "mode=node of its jobs");
    } catch (const wire::MessageError &error) {
        return wire::encode_error(error.what());
    }
}

} // namespace vmall::agent
