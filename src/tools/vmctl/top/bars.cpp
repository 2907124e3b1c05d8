// SPDX-License-Identifier: GPL-2.0-or-later
//
// The allotment of a job as bars.
#include "tools/vmctl/top/bars.hpp"

#include "tools/vmctl/cells.hpp"
#include "tools/vmctl/layout.hpp"

#include <algorithm>
#include <cstdint>

namespace vmall::vmctl::top {

namespace {

constexpr std::size_t longest_bar = 32;
constexpr std::size_t shortest_bar = 4; // if the cores are not fewer

// Cells of a bar.
struct Bar {
    std::size_t held;
    std::size_t lent;
};

std::uint64_t rounded_share(std::uint64_t part, std::uint64_t of, std::uint64_t whole) {
    return (part * whole + of / 2) / of;
}

Bar bar_of(std::size_t cores, std::size_t full, std::size_t cells) {
    if (full <= cells)
        return {cores, full - cores};
    const std::size_t held =
        std::max<std::uint64_t>(1, rounded_share(cores, full, cells)); // it has at least one core
    return {held, cells - held};
}

std::string shortened(const std::string &name, std::size_t longest) {
    return name.size() <= longest ? name
                                  : name.substr(0, std::max<std::size_t>(longest, 1) - 1) + "~";
}

std::string not_shown(std::size_t nodes) {
    return " +" + std::to_string(nodes);
}

void add(Line &line, const std::string &name, const Bar &bar) {
    line.push_back(line.empty() ? name + " " : "  " + name + " ");
    line.push_back({std::string(bar.held, '#'), Style::held});
    if (bar.lent > 0)
        line.push_back({std::string(bar.lent, '-'), Style::lent});
}

} // namespace

Line bars(const wire::JobRow &job, std::size_t width) {
    const std::uint64_t now = cores_now(job);
    const std::uint64_t all = std::max<std::uint64_t>(now, job.full_cores);
    std::size_t nodes_left = job.nodes.size(), used = 0;
    Line line;
    for (const NodeGroup &group : node_groups(job.nodes)) {
        const std::string name = shortened(printable(ranged(group.names)), width / 2);
        const std::uint64_t full = rounded_share(group.cores, now, all);
        const std::size_t rest = group.names.size() < nodes_left ? not_shown(nodes_left).size() : 0;
        const std::size_t around = (line.empty() ? 1 : 3) + name.size() + rest;
        const std::size_t room = width > used + around ? width - used - around : 0;
        if (room < std::min<std::uint64_t>(full, shortest_bar))
            break;
        const Bar bar = bar_of(group.cores, full, std::min(room, longest_bar));
        add(line, name, bar);
        used += around - rest + bar.held + bar.lent;
        nodes_left -= group.names.size();
    }
    if (nodes_left > 0)
        line.push_back(not_shown(nodes_left).substr(line.empty() ? 1 : 0, width - used));
    return line;
}

} // namespace vmall::vmctl::top
