// SPDX-License-Identifier: GPL-2.0-or-later
//
// Targets of one generation.
#include "plugins/sched_fjt/resize/target_sender.hpp"

#include "plugins/sched_fjt/see/core_sets.hpp"

#include <utility>

namespace vmall::sched {

void TargetSender::configure(const config::Config &config) {
    agent_port_ = config.agent_port;
    agent_timeout_ = std::chrono::milliseconds(config.agent_timeout_ms);
}

void TargetSender::send(const View &view, const JobView &job, const CoreSets &cores,
                        wire::Generation generation, bool only_served) {
    messenger_.send(messages(view, job, cores, generation, only_served), agent_timeout_);
}

void TargetSender::survey(const View &view, const JobView &job, wire::Generation generation) {
    messenger_.survey(messages(view, job, job.cores, generation, false), agent_timeout_);
}

std::vector<NodeMessage> TargetSender::messages(const View &view, const JobView &job,
                                                const CoreSets &cores, wire::Generation generation,
                                                bool only_served) const {
    std::vector<NodeMessage> messages;
    for (const auto &[node, set] : cores) {
        const NodeView &at = view.nodes.at(node);
        NodeMessage message{at.address, agent_port_.on_node(at.slurmd_port), {}};
        message.target.node = at.name;
        message.target.job_id = job.id;
        message.target.user_id = job.user_id;
        message.target.cores = set;
        message.target.mpl = static_cast<std::uint32_t>(mpl_of(job, cores));
        message.target.generation = generation;
        message.target.run = job.run;
        message.target.only_served = only_served;
        messages.push_back(std::move(message));
    }
    return messages;
}

} // namespace vmall::sched
