// SPDX-License-Identifier: GPL-2.0-or-later
//
// What slurmctld says of its configuration and its nodes.
#include "tools/vmctl/slurm_conf.hpp"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <set>
#include <slurm/slurm_errno.h>
#include <sstream>
#include <stdexcept>
#include <utility>

namespace vmall::vmctl {

namespace {

[[noreturn]] void fail() {
    throw std::runtime_error(std::string("slurmctld does not answer: ") + slurm_strerror(errno));
}

// Of sinfo, whose marks say that a node is switched off, or about to be or to be switched on.
bool is_running(const std::string &state) {
    return state.find_first_of("~#%") == std::string::npos && state.rfind("future", 0) != 0;
}

SlurmNode node_in(const std::string &line) {
    std::istringstream columns(line);
    SlurmNode node;
    std::string port, state;
    std::getline(columns, node.name, '|');
    std::getline(columns, node.address, '|');
    std::getline(columns, port, '|');
    std::getline(columns, node.version, '|');
    std::getline(columns, state, '|');
    node.port = std::atoi(port.c_str());
    if (node.version.find_first_of("0123456789") != 0)
        node.version = ""; // sinfo says in words that the node has not registered
    node.is_running = is_running(state);
    return node;
}

} // namespace

SlurmConf load_slurm_conf() {
    slurm_init(nullptr);
    slurm_conf_t *raw = nullptr;
    if (slurm_load_ctl_conf(0, &raw) != SLURM_SUCCESS)
        fail();
    return {raw, slurm_free_ctl_conf};
}

// Of sinfo: libslurm loads the select plugin to read records of nodes, and what keeps it from that
// is what doctor is asked about.
std::vector<SlurmNode> load_slurm_nodes() {
    const std::unique_ptr<FILE, decltype(&pclose)> sinfo(
        popen("exec sinfo --all --Node --noheader "
              "--Format='NodeList:|,NodeAddr:|,Port:|,Version:|,StateLong:|'",
              "r"),
        pclose);
    std::vector<SlurmNode> nodes;
    std::set<std::string> names; // a node has a line for each of its partitions
    char line[1024];
    while (sinfo && std::fgets(line, sizeof line, sinfo.get())) {
        SlurmNode node = node_in(line);
        if (names.insert(node.name).second)
            nodes.push_back(std::move(node));
    }
    if (nodes.empty())
        throw std::runtime_error("sinfo names no nodes");
    return nodes;
}

} // namespace vmall::vmctl
