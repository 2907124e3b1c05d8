// SPDX-License-Identifier: GPL-2.0-or-later
//
// Answers about an installation to and from JSON.
#include "wire/installation.hpp"

#include "common/group_scheduling.hpp"
#include "wire/fields.hpp"
#include "wire/hand_over_json.hpp"

#include <cstdio>
#include <nlohmann/json.hpp>
#include <utility>

namespace vmall::wire {

namespace {

constexpr std::pair<Confinement, const char *> confinement_names[] = {
    {Confinement::cgroup_v1, "cgroup v1"},
    {Confinement::cgroup_v2, "cgroup v2"},
    {Confinement::affinity, "affinity"},
    {Confinement::missing, "missing"},
};

constexpr std::pair<Groups, const char *> groups_names[] = {
    {Groups::none, "none"},
    {Groups::autogroups, "autogroups"},
    {Groups::cpu_cgroups, "cpu cgroups"},
};

const char *name_of(Groups groups) {
    for (const auto &[value, name] : groups_names)
        if (value == groups)
            return name;
    throw MessageError("installation: no such groups");
}

Kernel read_kernel(const Json &entry) {
    const Fields fields(entry, "kernel of an installation");
    Kernel kernel{fields.text("release")};
    const std::string text = fields.text("groups");
    for (const auto &[value, name] : groups_names)
        if (text == name) {
            kernel.groups = value;
            return kernel;
        }
    fields.fail("groups", "is unknown");
}

NodeInstallation read_node(const Json &entry) {
    const Fields fields(entry, "node of an installation");
    NodeInstallation node{fields.node_name("name")};
    node.has_vmrt = fields.flag("has_vmrt");
    if (fields.has("kernel"))
        node.kernel = read_kernel(entry["kernel"]);
    if (fields.has("hand_over"))
        node.hand_over = read_hand_over(entry["hand_over"]);
    const std::string text = fields.text("confinement");
    for (const auto &[value, name] : confinement_names)
        if (text == name) {
            node.confinement = value;
            return node;
        }
    fields.fail("confinement", "is unknown");
}

std::vector<SettingRow> read_settings(const Fields &installation) {
    std::vector<SettingRow> settings;
    for (const Json &entry : installation.list("settings")) {
        const Fields row(entry, "setting");
        settings.push_back({row.text("key"), row.text("value"), row.text("from")});
    }
    if (settings.size() > highest_setting_count)
        installation.fail("settings", "has too many");
    return settings;
}

} // namespace

const char *name_of(Confinement confinement) {
    for (const auto &[value, name] : confinement_names)
        if (value == confinement)
            return name;
    throw MessageError("installation: no such confinement");
}

std::string describe(const Kernel &kernel) {
    const std::string linux = "Linux " + kernel.release;
    const common::GroupScheduling scheduling = common::group_scheduling(kernel.release.c_str());
    if (scheduling == common::GroupScheduling::right)
        return linux;
    if (kernel.groups == Groups::none)
        return linux + ", which shares CPUs out wrongly among groups; slurmd is in none";
    const std::string care = " Therefore libvmrt lets such ranks pause for 1 ms in 50.";
    if (scheduling == common::GroupScheduling::unknown)
        return linux +
               ": ask the distributor whether it starves processes beside ranks that share "
               "a core (6d71a9c61604 without 101f3498b4bd)." +
               care;
    return linux + " starves processes beside ranks that share a core." + care +
           " Better: install a kernel with 101f3498b4bd (6.18.45, 7.1 or newer)" +
           (kernel.groups == Groups::autogroups ? ", or set kernel.sched_autogroup_enabled=0."
                                                : ".");
}

std::string slurm_release(std::uint32_t version_number) {
    char text[32];
    std::snprintf(text, sizeof text, "%u.%02u.%u", version_number >> 16 & 0xff,
                  version_number >> 8 & 0xff, version_number & 0xff);
    return text;
}

std::string encode(const Installation &installation) {
    Json settings = Json::array();
    for (const SettingRow &row : installation.settings)
        settings.push_back({{"key", row.key}, {"value", row.value}, {"from", row.from}});
    Json content = {{"version", installation.version},
                    {"slurm", installation.slurm},
                    {"settings", std::move(settings)}};
    if (const auto &node = installation.node) {
        content["node"] = {{"name", node->name},
                           {"confinement", name_of(node->confinement)},
                           {"has_vmrt", node->has_vmrt}};
        if (const auto &kernel = node->kernel)
            content["node"]["kernel"] = {{"release", kernel->release},
                                         {"groups", name_of(kernel->groups)}};
        if (const auto &hand_over = node->hand_over)
            content["node"]["hand_over"] = to_json(*hand_over);
    }
    return wrap("installation", std::move(content));
}

Installation decode_installation(const std::string &json) {
    const Json message = parse_message(json);
    const Fields answer(message, "answer");
    if (answer.has("error"))
        throw QueryRefused(answer.text("error"));
    const Json &content = unwrap(message, "installation");
    const Fields fields(content, "installation");
    Installation installation;
    installation.version = fields.text("version");
    installation.slurm = fields.text("slurm");
    installation.settings = read_settings(fields);
    if (fields.has("node"))
        installation.node = read_node(content["node"]);
    return installation;
}

} // namespace vmall::wire
