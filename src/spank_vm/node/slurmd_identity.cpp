// SPDX-License-Identifier: GPL-2.0-or-later
//
// slurmd hands the path of its slurm.conf on to what it starts, also where it was fetched from the
// controller.
#include "spank_vm/node/slurmd_identity.hpp"

#include "common/files.hpp"
#include "config/number.hpp"
#include "spank_vm/node/slurm_conf.hpp"

#include <algorithm>
#include <cstdlib>
#include <pwd.h>
#include <stdexcept>
#include <unistd.h>

namespace vmall::spank_vm {

namespace {

constexpr std::size_t highest_command_bytes = 1u << 20;
constexpr long long highest_number = 1'000'000;

int number(const std::string &text, int otherwise) {
    return static_cast<int>(config::whole_number(text, 0, highest_number).value_or(otherwise));
}

std::string text_of(const ConfLine &line, const std::string &key) {
    const auto found = line.find(key);
    return found == line.end() ? "" : found->second;
}

std::string host_name() {
    char name[256] = "";
    gethostname(name, sizeof name - 1);
    return std::string(name).substr(0, std::string(name).find('.'));
}

std::string variable_of_slurm(const char *name) {
    const char *value = getenv(name);
    if (!value)
        throw std::runtime_error(
            std::string("this process does not know its node, as Slurm set no ") + name);
    return value;
}

// One of slurmd's short options.
struct Option {
    bool is_given = false;
    std::string value; // empty: it takes none
};

Option short_option(const std::vector<std::string> &arguments, char wanted) {
    static const std::string with_values = "dfFLnN", with_values_behind = "dfLnN";
    Option found;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        const std::string argument = arguments[i];
        if (argument.size() < 2 || argument[0] != '-' || argument[1] == '-')
            continue;
        const auto at = argument.find_first_of(with_values, 1);
        if (argument.find(wanted, 1) < at)
            found.is_given = true;
        if (at == std::string::npos)
            continue;
        const bool is_behind = at + 1 == argument.size() && i + 1 < arguments.size() &&
                               with_values_behind.find(argument[at]) != std::string::npos;
        const std::string value = is_behind ? arguments[++i] : argument.substr(at + 1);
        if (argument[at] == wanted)
            found = {true, value};
    }
    return found;
}

std::string long_option(const std::vector<std::string> &arguments, const std::string &name) {
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        if (arguments[i] == name && i + 1 < arguments.size())
            return arguments[i + 1];
        if (arguments[i].compare(0, name.size() + 1, name + "=") == 0)
            return arguments[i].substr(name.size() + 1);
    }
    return "";
}

std::string node_name_of(const Slurmd &slurmd, const SlurmConf &conf) {
    const std::string given = short_option(slurmd.arguments, 'N').value;
    if (!given.empty())
        return given;
    if (!conf.find_node("nodename", slurmd.host))
        if (const auto found = conf.find_node("nodehostname", slurmd.host))
            return nth_host(text_of(found->line, "nodename"), found->index);
    return slurmd.host;
}

// As Slurm infers what the line does not say. 0: it says nothing of it.
std::uint32_t cores_by(const ConfLine &line) {
    static const char *said[] = {"cpus", "procs", "sockets", "socketsperboard", "corespersocket"};
    if (std::none_of(std::begin(said), std::end(said),
                     [&](const char *key) { return line.count(key) != 0; }))
        return 0;
    const auto of = [&](const char *key, int otherwise) {
        return std::max(number(text_of(line, key), otherwise), 1);
    };
    const int cores = of("corespersocket", 1), boards = of("boards", 1);
    const int per_socket = cores * of("threadspercore", 1);
    const int cpus = of(line.count("cpus") ? "cpus" : "procs", 0);
    const int inferred = cpus % per_socket == 0 ? cpus / per_socket : boards;
    const int sockets =
        line.count("socketsperboard") ? boards * of("socketsperboard", 1) : of("sockets", inferred);
    return static_cast<std::uint32_t>(sockets * cores);
}

std::string expanded(std::string path, const std::string &node_name, const std::string &host) {
    for (auto at = path.find('%'); at != std::string::npos && at + 1 < path.size();) {
        const char kind = path[at + 1];
        const std::string &by = kind == 'n' ? node_name : host;
        if (kind == 'n' || kind == 'h')
            path.replace(at, 2, by);
        at = path.find('%', at + (kind == 'n' || kind == 'h' ? by.size() : 1));
    }
    return path;
}

std::string spool_dir_by(const SlurmConf &conf, const std::string &node_name,
                         const std::string &host) {
    return expanded(conf.value("slurmdspooldir", "/var/spool/slurmd"), node_name, host);
}

uid_t user_by(const std::string &name) {
    if (const auto id = config::whole_number(name, 0, 0xfffffffell))
        return static_cast<uid_t>(*id);
    const passwd *entry = getpwnam(name.c_str());
    return entry ? entry->pw_uid : 0;
}

PortRange range_by(const SlurmConf &conf, const std::string &key, const std::string &otherwise) {
    const std::string text = conf.value(config::lower_case(key), otherwise);
    const auto dash = text.find('-');
    const int first = number(text.substr(0, dash), 0);
    const int last = dash == std::string::npos ? first : number(text.substr(dash + 1), first);
    return {key, static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(last)};
}

PortRange slurmd_port_by(const SlurmConf &conf) {
    return range_by(conf, "SlurmdPort", "6818");
}

int port_by(const SlurmConf::NodeLine &node, int otherwise) {
    const std::string ports = text_of(node.line, "port");
    return number(ports, number(nth_host(ports, node.index), otherwise));
}

void set_cgroups(SlurmdIdentity &identity, const SlurmConf &conf, const std::string &path) {
    const SlurmConf cgroups = SlurmConf::read(path.substr(0, path.rfind('/') + 1) + "cgroup.conf");
    identity.cgroup_mount = cgroups.value("cgroupmountpoint", "/sys/fs/cgroup");
    identity.makes_cpusets =
        config::lower_case(cgroups.value("constraincores", "no")) == "yes" &&
        config::lower_case(conf.value("taskplugin", "")).find("cgroup") != std::string::npos;
}

} // namespace

// Never so before 23.11, where slurmd reads its configuration again as it runs.
bool is_probationary() {
    return getenv("SLURMD_RECONF_PARENT_FD") != nullptr;
}

Slurmd this_slurmd() {
    Slurmd slurmd;
    std::string command =
        common::read_file("/proc/self/cmdline", highest_command_bytes).value_or("");
    while (!command.empty()) {
        const auto end = command.find('\0');
        slurmd.arguments.push_back(command.substr(0, end));
        command.erase(0, end == std::string::npos ? end : end + 1);
    }
    if (!slurmd.arguments.empty())
        slurmd.arguments.erase(slurmd.arguments.begin());
    slurmd.host = host_name();
    slurmd.conf = variable_of_slurm("SLURM_CONF");
    return slurmd;
}

SlurmdIdentity identity_of(const Slurmd &slurmd) {
    const SlurmConf conf = SlurmConf::read(slurmd.conf);
    SlurmdIdentity identity;
    identity.node_name = node_name_of(slurmd, conf);
    identity.spool_dir = spool_dir_by(conf, identity.node_name, slurmd.host);
    identity.slurm_user = user_by(conf.value("slurmuser", "root"));
    identity.slurms_ports = {range_by(conf, "SlurmctldPort", "6817"), slurmd_port_by(conf),
                             range_by(conf, "SrunPortRange", "0")};
    identity.port = static_cast<int>(identity.slurms_ports[1].first);
    if (const auto node = conf.find_node("nodename", identity.node_name)) {
        identity.claimed_cores = cores_by(node->line);
        identity.port = port_by(*node, identity.port);
    } else if (!short_option(slurmd.arguments, 'F').is_given) {
        identity.claimed_cores =
            cores_by(SlurmConf::parse_line(long_option(slurmd.arguments, "--conf")));
    }
    set_cgroups(identity, conf, slurmd.conf);
    identity.stays_in_foreground =
        short_option(slurmd.arguments, 'D').is_given ||
        std::count(slurmd.arguments.begin(), slurmd.arguments.end(), "--systemd") != 0;
    return identity;
}

std::optional<SlurmdAddress> address_of_slurmd(const std::string &slurm_conf,
                                               const std::string &node_name) {
    const SlurmConf conf = SlurmConf::read(slurm_conf);
    const auto node = conf.find_node("nodename", node_name);
    if (!node)
        return std::nullopt;
    SlurmdAddress address = {node_name,
                             port_by(*node, static_cast<int>(slurmd_port_by(conf).first))};
    for (const char *key : {"nodeaddr", "nodehostname"})
        if (const std::string host = nth_host(text_of(node->line, key), node->index);
            !host.empty()) {
            address.host = host;
            break;
        }
    return address;
}

StepIdentity identity_of_step() {
    const std::string node_name = variable_of_slurm("SLURMD_NODENAME");
    const SlurmConf conf = SlurmConf::read(variable_of_slurm("SLURM_CONF"));
    return {node_name, spool_dir_by(conf, node_name, host_name())};
}

} // namespace vmall::spank_vm
