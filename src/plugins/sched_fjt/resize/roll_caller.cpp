// SPDX-License-Identifier: GPL-2.0-or-later
//
// What agents say against what slurmctld has recorded.
#include "plugins/sched_fjt/resize/roll_caller.hpp"

#include "plugins/sched_fjt/log.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace vmall::sched {

namespace {

// A node that refuses so many calls in a row has no agent.
constexpr int highest_refused = 3;
constexpr std::chrono::milliseconds between_calls{500};

const cores::Cores &recorded_on(const JobView &job, NodeNumber node) {
    static const cores::Cores none;
    const auto found = job.cores.find(node);
    return found == job.cores.end() ? none : found->second;
}

// Of an ordinary job only the numbers of cores are known.
bool is_recorded_on(const JobView &job, NodeNumber node) {
    return !recorded_on(job, node).empty() ||
           (!job.virtually_malleable &&
            std::any_of(
                job.allotment.begin(), job.allotment.end(),
                [&](const policy::NodeCores &held) { return held.node.value == node; }));
}

bool intersect(const cores::Cores &a, const cores::Cores &b) {
    return std::any_of(
        a.begin(), a.end(),
        [&](std::uint32_t core) { return std::binary_search(b.begin(), b.end(), core); });
}

// Of a job that completes Slurm counts the next run already.
bool is_of_an_earlier_run(const JobView &job, const wire::Present &present) {
    return job.state != JobState::completing && present.run && *present.run < job.run;
}

// slurmd does not start a job again before the epilog of its last run is over.
bool is_as_recorded(const View &view, NodeNumber node, const wire::Present &present) {
    if (!present.lives)
        return !waiting_job(view, present.job_id);
    const auto job = view.active.find(present.job_id);
    if (job == view.active.end() || is_of_an_earlier_run(job->second, present))
        return false;
    // A lost one whose number is another's by now, or a step that began after the epilog.
    if (!is_recorded_on(job->second, node))
        return false;
    const cores::Cores &recorded = recorded_on(job->second, node);
    return !job->second.virtually_malleable ||
           std::includes(recorded.begin(), recorded.end(), present.cores.begin(),
                         present.cores.end());
}

// Suspended jobs lend their cores.
bool is_in_the_way(const View &view, NodeNumber node, const wire::Present &present,
                   const JobView &job) {
    if (!present.lives)
        return false;
    const auto other = view.active.find(present.job_id);
    if (other == view.active.end() || !is_recorded_on(other->second, node))
        return present.cores.empty() || intersect(recorded_on(job, node), present.cores);
    return present.job_id != job.id && other->second.state != JobState::suspended &&
           intersect(recorded_on(job, node), present.cores);
}

} // namespace

std::vector<AgentAddress> RollCaller::look(const View &view, std::vector<RollReply> replies,
                                           Clock::time_point now) {
    take(std::move(replies));
    std::vector<AgentAddress> to_call;
    const bool nobody_is_malleable = view.nodes.empty();
    std::vector<const std::string *> awaited;
    bool is_asking = false;
    for (const auto &[number, node] : view.nodes) {
        if (!node.registered) {
            if (!node.down && !node.switched_off)
                awaited.push_back(&node.name);
            continue;
        }
        Asked &asked = nodes_.try_emplace(node.name, Asked{now}).first->second;
        if (asked.checked || (asked.checked = is_checked(view, number, asked, now)))
            continue;
        awaited.push_back(&node.name);
        is_asking = true;
        if (asked.under_way || now < asked.called + between_calls)
            continue;
        asked.under_way = true;
        asked.called = now;
        to_call.push_back({node.name, node.address, config_.agent_port.on_node(node.slurmd_port)});
    }
    if (!over_ && !awaited.empty() && now >= started_ + longest)
        log_info("jobs are started without waiting for " + std::to_string(awaited.size()) +
                 " nodes any longer, " + *awaited.front() + " among them");
    over_ = over_ || (awaited.empty() && !nobody_is_malleable) || now >= started_ + longest;
    waiting_ = is_asking || (!over_ && !nobody_is_malleable);
    for (const auto &[id, job] : view.active)
        if (job.virtually_malleable) {
            JobTarget &target = ledger_.of(job).target;
            target.hold_back(target.state() == TargetState::untold && is_held_back(view, job));
        }
    return to_call;
}

// An agent that is slow, as on a busy node, or hangs up is there, and so it may be where munge
// fails.
void RollCaller::take(std::vector<RollReply> replies) {
    for (RollReply &reply : replies) {
        Asked &asked = nodes_[reply.node];
        asked.under_way = false;
        asked.refused = reply.nobody_listens ? asked.refused + 1 : 0;
        asked.roll = std::move(reply.roll);
        if (!asked.roll) {
            log_debug("node " + reply.node + ": no roll: " + reply.reason);
            continue;
        }
        for (const wire::Present &job : asked.roll->jobs)
            ledger_.outbid(job.generation);
    }
}

bool RollCaller::is_checked(const View &view, NodeNumber node, const Asked &asked,
                            Clock::time_point now) {
    if (asked.refused >= highest_refused)
        return true;
    bool as_recorded = asked.roll.has_value();
    std::string others;
    if (asked.roll)
        for (const wire::Present &job : asked.roll->jobs)
            if (!is_as_recorded(view, node, job)) {
                as_recorded = false;
                others += (others.empty() ? "" : ", ") + std::to_string(job.job_id);
            }
    if (as_recorded || now < asked.registered + longest)
        return as_recorded;
    log_info("node " + view.nodes.at(node).name + ": " +
             (asked.roll ? "still has job " + others + " otherwise than slurmctld has recorded"
                         : "its agent does not answer") +
             "; nobody waits for it any longer");
    return true;
}

std::vector<NodeNumber> RollCaller::unchecked(const View &view) const {
    std::vector<NodeNumber> nodes;
    for (const auto &[number, node] : view.nodes)
        if (const Asked *asked = asked_of(view, number);
            asked ? !asked->checked : !node.switched_off)
            nodes.push_back(number);
    return nodes;
}

// Null: it has not registered.
const RollCaller::Asked *RollCaller::asked_of(const View &view, NodeNumber node) const {
    const auto seen = view.nodes.find(node);
    if (seen == view.nodes.end())
        return nullptr;
    const auto asked = nodes_.find(seen->second.name);
    return asked == nodes_.end() ? nullptr : &asked->second;
}

bool RollCaller::is_held_back(const View &view, const JobView &job) const {
    return std::any_of(
        job.cores.begin(), job.cores.end(),
        [&](const auto &here) {
            const Asked *asked = asked_of(view, here.first);
            if (!asked || asked->checked)
                return !asked;
            const auto &roll = asked->roll;
            return !roll || std::any_of(
                                roll->jobs.begin(), roll->jobs.end(),
                                [&](const wire::Present &present) {
                                    return is_in_the_way(view, here.first, present, job);
                                });
        });
}

} // namespace vmall::sched
