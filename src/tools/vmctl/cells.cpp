// SPDX-License-Identifier: GPL-2.0-or-later
//
// What tables and the live view show of a job in one cell.
#include "tools/vmctl/cells.hpp"

#include <cstdlib>
#include <numeric>

namespace vmall::vmctl {

std::vector<NodeGroup> node_groups(const std::vector<wire::NodeCores> &nodes) {
    std::vector<NodeGroup> groups;
    for (const wire::NodeCores &node : nodes) {
        if (groups.empty() || groups.back().cores != node.cores)
            groups.push_back({{}, node.cores});
        groups.back().names.push_back(node.node);
    }
    return groups;
}

std::uint64_t cores_now(const wire::JobRow &job) {
    return std::accumulate(
        job.nodes.begin(), job.nodes.end(), std::uint64_t{0},
        [](std::uint64_t sum, const wire::NodeCores &node) { return sum + node.cores; });
}

std::string class_name(std::optional<common::JobClass> job_class) {
    return job_class ? common::name_of(*job_class) : "N/A";
}

std::string number_or_none(std::optional<std::uint64_t> number) {
    return number ? std::to_string(*number) : "N/A";
}

std::string useful_share(const wire::JobRow &job) {
    constexpr int alike = 5;
    if (!job.useful_percent)
        return "N/A";
    const int now = job.useful_last_percent.value_or(*job.useful_percent);
    const bool changes = std::abs(now - *job.useful_percent) > alike;
    return std::to_string(*job.useful_percent) + (changes ? "->" + std::to_string(now) : "") + "%";
}

std::string sizes_of(const wire::WaitingRow &job) {
    std::string text;
    for (const auto &[first, last] : job.sizes.ranges())
        text += (text.empty() ? "" : ",") + std::to_string(first) +
                (last == first ? "" : "-" + std::to_string(last));
    return text;
}

} // namespace vmall::vmctl
