// SPDX-License-Identifier: GPL-2.0-or-later
//
// Questions to one look at all processes.
#include "spank_vm/agent/processes.hpp"

#include <unordered_set>

namespace vmall::agent {

bool ProcessTable::has(const Process &process) const {
    const auto found = start_times_.find(process.pid);
    return found != start_times_.end() && found->second == process.start_time;
}

std::vector<FamilyMember> ProcessTable::everybody() const {
    std::vector<FamilyMember> all;
    for (const auto &[parent, member] : children_)
        all.push_back(member);
    return all;
}

std::vector<FamilyMember> ProcessTable::family(const std::vector<Process> &ancestors) const {
    std::vector<FamilyMember> found;
    std::unordered_set<pid_t> parents; // ends a cycle that reused numbers make
    const auto add_children = [&](pid_t parent) {
        if (!parents.insert(parent).second)
            return;
        const auto [begin, end] = children_.equal_range(parent);
        for (auto child = begin; child != end; ++child)
            found.push_back(child->second);
    };
    for (const Process &ancestor : ancestors)
        if (has(ancestor))
            add_children(ancestor.pid);
    for (std::size_t i = 0; i < found.size(); ++i)
        add_children(found[i].process.pid);
    return found;
}

std::vector<Process> ProcessTable::descendants(const std::vector<Process> &ancestors) const {
    std::vector<Process> found;
    for (const FamilyMember &member : family(ancestors))
        found.push_back(member.process);
    return found;
}

std::optional<Process> ProcessTable::with_number(pid_t pid) const {
    const auto found = start_times_.find(pid);
    if (found == start_times_.end())
        return std::nullopt;
    return Process{pid, found->second};
}

} // namespace vmall::agent
