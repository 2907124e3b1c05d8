// SPDX-License-Identifier: GPL-2.0-or-later
//
// What tables and the live view show of a job in one cell.
#pragma once

#include "wire/job_rows.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace vmall::vmctl {

// Nodes next to each other on which a job has equally many cores.
struct NodeGroup {
    std::vector<std::string> names;
    std::uint32_t cores = 0; // on each
};
std::vector<NodeGroup> node_groups(const std::vector<wire::NodeCores> &nodes);

std::uint64_t cores_now(const wire::JobRow &job); // on all nodes

// "N/A" if it is not known.
std::string class_name(std::optional<common::JobClass> job_class);
std::string number_or_none(std::optional<std::uint64_t> number);

// "55->80%": with what it is coming to, if that is something else; "N/A" if it is not known.
std::string useful_share(const wire::JobRow &job);

// "1,4-8": the process counts that it accepts.
std::string sizes_of(const wire::WaitingRow &job);

} // namespace vmall::vmctl
