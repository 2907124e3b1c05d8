// SPDX-License-Identifier: GPL-2.0-or-later
//
// Before anybody else gets the cores.
#include "policy/folding/overdue.hpp"

#include "policy/folding/folding.hpp"
#include "policy/room/room.hpp"

#include <algorithm>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

namespace vmall::policy {

namespace {

int too_deep_by(const RunningJob &job) {
    return mpl_on(job, job.allotment) - job.max_mpl;
}

bool comes_first(const Running *left, const Running *right) {
    const RunningJob &one = *left->job, &other = *right->job;
    return std::make_tuple(-too_deep_by(one), one.arrival, one.id) <
           std::make_tuple(-too_deep_by(other), other.arrival, other.id);
}

bool has_room(const Room &room, const CoreCounts &needed) {
    return std::all_of(
        needed.begin(), needed.end(),
        [&](const NodeCores &part) { return room[part.node.value] >= part.cores; });
}

// As much of it as there is.
CoreCounts available(const Room &room, CoreCounts cores) {
    for (NodeCores &part : cores)
        part.cores = std::min(part.cores, room[part.node.value]);
    return cores;
}

CoreCounts together(CoreCounts held, const CoreCounts &more) {
    auto other = more.begin();
    for (NodeCores &part : held) {
        while (other != more.end() && other->node < part.node)
            ++other;
        if (other != more.end() && other->node == part.node)
            part.cores += other->cores;
    }
    return held;
}

// The least folded that there are free cores for.
std::optional<CoreCounts> best_target(const Pass &pass, const RunningJob &job) {
    for (int mpl = job.max_mpl; mpl < mpl_on(job, job.allotment); mpl++) {
        CoreCounts target = unfolded_to(job, mpl);
        if (has_room(pass.free, released(target, job.allotment)))
            return target;
    }
    return std::nullopt;
}

// The pass goes on as if it had all that is kept for it.
void unfold(Pass &pass, Running &running) {
    const RunningJob &job = *running.job;
    const CoreCounts kept =
        available(pass.free, released(unfolded_to(job, job.max_mpl), job.allotment));
    if (auto target = best_target(pass, job))
        pass.unfold(running, std::move(*target), Cause::limit);
    running.target = together(job.allotment, kept);
    pass.free -= kept;
}

} // namespace

void unfold_overdue(Pass &pass) {
    std::vector<Running *> overdue;
    for (Running &running : pass.running)
        if (can_resize(running) && !running.job->malleable && too_deep_by(*running.job) > 0)
            overdue.push_back(&running);
    std::sort(overdue.begin(), overdue.end(), comes_first);
    for (Running *running : overdue)
        unfold(pass, *running);
}

} // namespace vmall::policy
