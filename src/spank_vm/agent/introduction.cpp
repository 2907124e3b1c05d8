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

control::Confinement confinement_on(const Settings &settings) {
    if (!settings.slurm_makes_cpusets)
        return control::Confinement::affinity;
    return cpusets_below(settings.cgroup_mount);
}

} // namespace

control::Installation installation_of(const Settings &settings,
                                      const std::optional<control::HandOver> &hand_over) {
    control::Installation installation;
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
                            const std::optional<control::HandOver> &hand_over,
                            const TellJobs &tell_jobs) {
    using control::Ask;
    try {
        const control::Query decoded = control::decode_query(query);
        if (decoded.ask == Ask::installation)
            return control::encode(installation_of(settings, hand_over));
        if (tell_jobs && (decoded.ask == Ask::jobs || decoded.ask == Ask::left_out))
            return tell_jobs(decoded);
        return control::encode_error("a node agent only tells how it is installed, and with "
                                     "mode=node of its jobs");
    } catch (const control::MessageError &error) {
        return control::encode_error(error.what());
    }
}

} // namespace vmall::agent
