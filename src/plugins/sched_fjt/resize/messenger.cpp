// SPDX-License-Identifier: GPL-2.0-or-later
//
// Calls become errands, and what comes of an errand the reply that is taken.
#include "plugins/sched_fjt/resize/messenger.hpp"

#include <exception>
#include <stdexcept>
#include <utility>

namespace vmall::sched {

struct Messenger::Round {
    Confirmation confirmation;
    std::size_t expected;
    std::vector<Confirmation> &done; // where it goes then
};

namespace {

NodeReply no_answer(const NodeMessage &message, const std::string &reason) {
    return {message.target.node, false, wire::Outcome::refused, 0, reason};
}

NodeReply answer_in(const std::string &payload, const NodeMessage &message) {
    const wire::Answer answer = wire::decode_answer(payload);
    if (answer.node != message.target.node || answer.job_id != message.target.job_id)
        return no_answer(message, "the answer is for another node or job");
    return {answer.node,   true,         answer.outcome,    answer.generation,
            answer.reason, answer.ranks, answer.unattached, answer.hand_over_ns};
}

// Throws std::runtime_error if there is none.
const std::string &payload_of(const wire::Reply &reply) {
    if (!reply.error.empty())
        throw std::runtime_error(reply.error);
    return reply.content;
}

NodeReply judged(const wire::Reply &reply, const NodeMessage &message) {
    try {
        return answer_in(payload_of(reply), message);
    } catch (const std::exception &error) {
        return no_answer(message, error.what());
    }
}

RollReply judged(const wire::Reply &reply, const std::string &node) {
    try {
        wire::Roll roll = wire::decode_roll(payload_of(reply));
        if (roll.node != node)
            throw std::runtime_error("the roll is of another node");
        return {node, std::move(roll)};
    } catch (const std::exception &error) {
        return {node, std::nullopt, error.what(), reply.nobody_listens};
    }
}

} // namespace

void Messenger::send(const std::vector<NodeMessage> &messages, std::chrono::milliseconds timeout) {
    send(messages, timeout, done_);
}

void Messenger::survey(const std::vector<NodeMessage> &messages,
                       std::chrono::milliseconds timeout) {
    send(messages, timeout, surveys_);
}

void Messenger::send(const std::vector<NodeMessage> &messages, std::chrono::milliseconds timeout,
                     std::vector<Confirmation> &done) {
    if (messages.empty())
        return;
    const wire::Target &first = messages.front().target;
    const auto round =
        std::make_shared<Round>(Round{{first.job_id, first.generation, {}}, messages.size(), done});
    std::vector<Errand> errands;
    for (const NodeMessage &message : messages)
        errands.push_back({message.address, message.port, wire::encode(message.target), timeout,
                           [this, round, message](const wire::Reply &reply) {
                               finish(*round, judged(reply, message));
                           }});
    add(std::move(errands));
}

void Messenger::call_roll(const std::vector<AgentAddress> &nodes,
                          std::chrono::milliseconds timeout) {
    std::vector<Errand> errands;
    for (const AgentAddress &at : nodes)
        errands.push_back(
            {at.address, at.port, wire::encode(wire::RollCall{at.node}), timeout,
             [this, node = at.node](const wire::Reply &reply) { finish(judged(reply, node)); }});
    add(std::move(errands));
}

std::vector<Confirmation> Messenger::take() {
    const std::lock_guard<std::mutex> guard(mutex_);
    return std::exchange(done_, {});
}

std::vector<Confirmation> Messenger::take_surveys() {
    const std::lock_guard<std::mutex> guard(mutex_);
    return std::exchange(surveys_, {});
}

std::vector<RollReply> Messenger::take_rolls() {
    const std::lock_guard<std::mutex> guard(mutex_);
    return std::exchange(rolls_, {});
}

void Messenger::finish(Round &round, NodeReply reply) {
    {
        const std::lock_guard<std::mutex> guard(mutex_);
        round.confirmation.replies.push_back(std::move(reply));
        if (round.confirmation.replies.size() < round.expected)
            return;
        round.done.push_back(std::move(round.confirmation));
    }
    arrived_();
}

void Messenger::finish(RollReply reply) {
    {
        const std::lock_guard<std::mutex> guard(mutex_);
        rolls_.push_back(std::move(reply));
    }
    arrived_();
}

} // namespace vmall::sched
