// SPDX-License-Identifier: GPL-2.0-or-later
//
// What slurmctld says of its nodes.
#include "tools/vmctl/slurm_nodes.hpp"

#include "common/descriptor.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <fcntl.h>
#include <memory>
#include <slurm/slurm_errno.h>
#include <stdexcept>
#include <sys/wait.h>
#include <unistd.h>

namespace vmall::vmctl {

namespace {

using Records = std::unique_ptr<node_info_msg_t, decltype(&slurm_free_node_info_msg)>;

// Nothing, and errno of Slurm, if slurmctld does not tell.
Records load_records() {
    node_info_msg_t *records = nullptr;
    slurm_load_node(0, &records, SHOW_ALL | SHOW_LOCAL);
    return {records, slurm_free_node_info_msg};
}

std::string all_of(int fd) {
    std::string text;
    char some[512];
    for (ssize_t size; (size = read(fd, some, sizeof some)) > 0;)
        text.append(some, static_cast<std::size_t>(size));
    while (!text.empty() && text.back() == '\n')
        text.pop_back();
    std::replace(text.begin(), text.end(), '\n', ';');
    return text;
}

// libslurm loads the select plugin to read records of nodes, and ends the process if it cannot,
// which is what doctor is asked about: so a child tries it first. Its last words; empty: it lived.
std::string last_words() {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0)
        throw std::runtime_error(std::string("no pipe: ") + std::strerror(errno));
    const common::Descriptor ours(ends[0]);
    common::Descriptor childs(ends[1]);
    const pid_t child = fork();
    if (child < 0)
        throw std::runtime_error(std::string("no process: ") + std::strerror(errno));
    if (child == 0) {
        dup2(childs.get(), STDERR_FILENO);
        load_records();
        _exit(0);
    }
    childs = common::Descriptor(-1);
    const std::string said = all_of(ours.get());
    int status = 0;
    waitpid(child, &status, 0);
    if (status == 0)
        return "";
    return said.empty() ? "libslurm cannot read records of nodes" : said;
}

std::string text(const char *owned_by_slurm) {
    return owned_by_slurm ? owned_by_slurm : "";
}

} // namespace

SlurmNode node_of(const node_info_t &record) {
    constexpr std::uint32_t switched_off =
        NODE_STATE_POWERED_DOWN | NODE_STATE_POWERING_DOWN | NODE_STATE_POWERING_UP;
    SlurmNode node;
    node.name = text(record.name);
    node.address = record.node_addr ? record.node_addr : node.name;
    node.port = record.port;
    node.version = text(record.version);
    node.is_running = !(record.node_state & switched_off) &&
                      (record.node_state & NODE_STATE_BASE) != NODE_STATE_FUTURE;
    return node;
}

std::vector<SlurmNode> load_slurm_nodes() {
    if (const std::string words = last_words(); !words.empty())
        throw std::runtime_error(words);
    const Records records = load_records();
    if (!records)
        throw std::runtime_error(std::string("slurmctld names no nodes: ") + slurm_strerror(errno));
    std::vector<SlurmNode> nodes;
    for (std::uint32_t i = 0; i < records->record_count; ++i)
        if (records->node_array[i].name) // else it is a cloud's, and hidden
            nodes.push_back(node_of(records->node_array[i]));
    return nodes;
}

} // namespace vmall::vmctl
