// SPDX-License-Identifier: GPL-2.0-or-later
//
// Questions about replies.
#include "plugins/sched_fjt/resize/confirmation.hpp"

#include <algorithm>

namespace vmall::sched {

namespace {

// Some node has done what was asked, or may still do it.
bool may_have_moved(const Confirmation &confirmation) {
    return std::any_of(
        confirmation.replies.begin(), confirmation.replies.end(),
        [](const NodeReply &reply) {
            return !reply.answered || reply.outcome != wire::Outcome::refused;
        });
}

} // namespace

bool confirms(const NodeReply &reply, wire::Generation generation, const NodeNames &with_steps) {
    if (!reply.answered)
        return false;
    if (reply.outcome == wire::Outcome::unknown_job)
        return with_steps.count(reply.node) == 0;
    return reply.outcome == wire::Outcome::applied && reply.generation == generation;
}

TargetEvent event_of(const Confirmation &confirmation, const NodeNames &with_steps) {
    const bool all_confirm = std::all_of(
        confirmation.replies.begin(), confirmation.replies.end(), [&](const NodeReply &reply) {
            return confirms(reply, confirmation.generation, with_steps);
        });
    if (all_confirm)
        return TargetEvent::confirmed;
    return may_have_moved(confirmation) ? TargetEvent::failed : TargetEvent::refused;
}

std::string why_not(const NodeReply &reply) {
    const std::string reason =
        !reply.reason.empty() ? reply.reason
        : reply.outcome == wire::Outcome::superseded
            ? "it knows a newer target"
            : "it knows nothing of the job's steps (no --vm option reached them?)";
    return (reply.answered ? "refused: " : "no answer: ") + reason;
}

const char *kind_of_refusal(const NodeReply &reply) {
    if (reply.unattached)
        return "unattached";
    switch (reply.outcome) {
    case wire::Outcome::superseded:
        return "superseded";
    case wire::Outcome::unknown_job:
        return "unknown_job";
    default:
        return "refused";
    }
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
            return reply.answered && reply.outcome == wire::Outcome::unknown_job;
        });
}

bool is_applied(const Confirmation &confirmation) {
    return std::all_of(
        confirmation.replies.begin(), confirmation.replies.end(),
        [](const NodeReply &reply) {
            return reply.answered && reply.outcome == wire::Outcome::applied;
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

std::uint32_t dearest_hand_over_ns(const Confirmation &confirmation) {
    std::uint32_t dearest = 0;
    for (const NodeReply &reply : confirmation.replies)
        dearest = std::max(dearest, reply.hand_over_ns);
    return dearest;
}

std::optional<wire::RankReport> ranks_of(const Confirmation &confirmation) {
    std::optional<wire::RankReport> sum;
    for (const NodeReply &reply : confirmation.replies)
        if (reply.ranks)
            (sum ? *sum : sum.emplace()) += *reply.ranks;
    return sum;
}

} // namespace vmall::sched
