// SPDX-License-Identifier: GPL-2.0-or-later
//
// Questions about replies.
#include "plugins/sched_fjt/resize/confirmation.hpp"

#include <algorithm>

namespace vmall::sched {

bool may_have_moved(const Confirmation &confirmation) {
    return std::any_of(
        confirmation.replies.begin(), confirmation.replies.end(),
        [](const NodeReply &reply) {
            return !reply.answered || reply.outcome != control::Outcome::refused;
        });
}

bool all_answered(const Confirmation &confirmation) {
    return std::all_of(
        confirmation.replies.begin(), confirmation.replies.end(),
        [](const NodeReply &reply) { return reply.answered; });
}

bool is_noted(const Confirmation &confirmation) {
    return std::any_of(
        confirmation.replies.begin(), confirmation.replies.end(),
        [](const NodeReply &reply) {
            return reply.answered && reply.outcome == control::Outcome::unknown_job;
        });
}

bool is_applied(const Confirmation &confirmation) {
    return std::all_of(
        confirmation.replies.begin(), confirmation.replies.end(),
        [](const NodeReply &reply) {
            return reply.answered && reply.outcome == control::Outcome::applied;
        });
}

const std::string *why_unattached(const Confirmation &confirmation) {
    for (const NodeReply &reply : confirmation.replies)
        if (reply.answered && reply.unattached)
            return &reply.reason;
    return nullptr;
}

bool is_served(const Confirmation &confirmation) {
    return std::all_of(
        confirmation.replies.begin(), confirmation.replies.end(),
        [](const NodeReply &reply) {
            return reply.ranks && reply.ranks->tasks > 0 &&
                   reply.ranks->attached == reply.ranks->tasks;
        });
}

std::optional<control::RankReport> ranks_of(const Confirmation &confirmation) {
    std::optional<control::RankReport> sum;
    for (const NodeReply &reply : confirmation.replies)
        if (reply.ranks)
            (sum ? *sum : sum.emplace()) += *reply.ranks;
    return sum;
}

} // namespace vmall::sched
