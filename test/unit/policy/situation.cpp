// SPDX-License-Identifier: GPL-2.0-or-later
//
// Short words for building snapshots in tests, and for comparing what was decided as text.
#include "situation.hpp"

#include "policy/reasons.hpp"

#include <sstream>
#include <type_traits>

namespace situation {

namespace {

void print(std::ostream &out, const policy::CoreCounts &allotment) {
    for (const auto &part : allotment)
        out << ' ' << part.node.value << ':' << part.cores;
}

void print(std::ostream &out, const policy::Start &start) {
    out << "start " << start.id.value << ": " << start.processes;
    if (start.nodes == 0)
        out << " anyhow";
    else if (start.cores_per_node == 0)
        print(out << " on", start.counted_on);
    else
        out << " on " << start.nodes << 'x' << start.cores_per_node;
    if (start.mpl > 1)
        out << " mpl " << start.mpl;
    if (start.backfilled)
        out << " backfilled";
    if (start.window_end)
        out << " until " << *start.window_end - now;
    const char *separator = start.on.size() > 1 ? " on nodes " : " on node ";
    for (const auto node : start.on) {
        out << separator << node.value;
        separator = ",";
    }
}

void print(std::ostream &out, const policy::Resize &resize) {
    out << "resize " << resize.id.value << ':';
    print(out, resize.target);
}

void print(std::ostream &out, const policy::Requeue &requeue) {
    out << "requeue " << requeue.id.value;
}

void print(std::ostream &out, const policy::Kill &kill) {
    out << "kill " << kill.id.value;
}

void print(std::ostream &out, const policy::Suspend &suspend) {
    out << "suspend " << suspend.id.value;
}

void print(std::ostream &out, const policy::Resume &resume) {
    out << "resume " << resume.id.value;
    if (resume.backfilled)
        out << " backfilled";
    if (resume.window_end)
        out << " until " << *resume.window_end - now;
}

void print(std::ostream &out, const policy::Wait &wait) {
    out << "wait " << wait.id.value << ": " << policy::in_words(wait.why);
    if (wait.promise) {
        out << ", promised " << wait.promise->processes << " on";
        print(out, wait.promise->allotment);
        out << " in " << wait.promise->start - now;
    }
}

} // namespace

policy::WaitingJob suspended(policy::WaitingJob job, const std::vector<int> &cores_by_node) {
    job.resumes_on.emplace();
    for (std::uint32_t node = 0; node < cores_by_node.size(); node++)
        if (cores_by_node[node] > 0)
            job.resumes_on->push_back({{node}, cores_by_node[node]});
    return job;
}

policy::Snapshot snapshot(const std::vector<int> &nodes, std::vector<policy::RunningJob> running,
                          std::vector<policy::WaitingJob> waiting) {
    policy::Snapshot result;
    result.now = now;
    for (const int cores : nodes)
        result.nodes.push_back({cores, cores});
    for (const auto &job : running)
        for (const auto &part : job.allotment)
            result.nodes[part.node.value].free -= part.cores;
    result.running = std::move(running);
    result.waiting = std::move(waiting);
    return result;
}

std::string to_text(const std::vector<policy::Action> &actions) {
    std::ostringstream out;
    for (const auto &action : actions) {
        std::visit([&](const auto &one) { print(out, one); }, action);
        out << '\n';
    }
    return out.str();
}

} // namespace situation
