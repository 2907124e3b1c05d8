// SPDX-License-Identifier: GPL-2.0-or-later
//
// A few threads that each talk to many agents at a time.
#include "plugins/sched_fjt/resize/messenger.hpp"

#include <exception>
#include <iterator>
#include <stdexcept>
#include <utility>

namespace vmall::sched {

struct Messenger::Round {
    Confirmation confirmation;
    std::size_t expected;
    std::vector<Confirmation> &done; // where it goes then
};

namespace {

constexpr uid_t agent_user = 0; // slurmd, and so the agent, is root

NodeReply no_answer(const NodeMessage &message, const std::string &reason) {
    return {message.target.node, false, control::Outcome::refused, 0, reason};
}

// Throws std::exception.
std::string opened(const control::Reply &reply, const control::Seal &seal) {
    if (!reply.error.empty())
        throw std::runtime_error(reply.error);
    control::Opened opened = seal.open(reply.content);
    if (opened.uid != agent_user)
        throw std::runtime_error("the answer was sealed by uid " + std::to_string(opened.uid));
    return std::move(opened.payload);
}

NodeReply answer_in(const std::string &payload, const NodeMessage &message) {
    const control::Answer answer = control::decode_answer(payload);
    if (answer.node != message.target.node || answer.job_id != message.target.job_id)
        return no_answer(message, "the answer is for another node or job");
    return {answer.node,   true,         answer.outcome,   answer.generation,
            answer.reason, answer.ranks, answer.unattached};
}

NodeReply judged(const control::Reply &reply, const NodeMessage &message,
                 const control::Seal &seal) {
    try {
        return answer_in(opened(reply, seal), message);
    } catch (const std::exception &error) {
        return no_answer(message, error.what());
    }
}

RollReply judged(const control::Reply &reply, const std::string &node, const control::Seal &seal) {
    try {
        control::Roll roll = control::decode_roll(opened(reply, seal));
        if (roll.node != node)
            throw std::runtime_error("the roll is of another node");
        return {node, std::move(roll)};
    } catch (const std::exception &error) {
        return {node, std::nullopt, error.what(), reply.nobody_listens};
    }
}

} // namespace

Messenger::Messenger(std::string munge_socket, std::function<void()> arrived)
    : seal_(std::move(munge_socket)), arrived_(std::move(arrived)) {
    try {
        for (Worker &worker : workers_)
            worker.thread = std::thread([this, &worker] { work(worker.exchanges); });
    } catch (...) {
        stop();
        throw;
    }
}

Messenger::~Messenger() {
    stop();
}

void Messenger::stop() noexcept {
    {
        const std::lock_guard<std::mutex> guard(mutex_);
        stopping_ = true;
    }
    for (Worker &worker : workers_)
        worker.exchanges.wake();
    for (Worker &worker : workers_)
        if (worker.thread.joinable())
            worker.thread.join();
}

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
    const control::Target &first = messages.front().target;
    const auto round =
        std::make_shared<Round>(Round{{first.job_id, first.generation, {}}, messages.size(), done});
    std::vector<Errand> errands;
    for (const NodeMessage &message : messages)
        errands.push_back({message.address, message.port, control::encode(message.target), timeout,
                           [this, round, message](const control::Reply &reply) {
                               finish(*round, judged(reply, message, seal_));
                           }});
    add(std::move(errands));
}

void Messenger::call_roll(const std::vector<AgentAddress> &nodes,
                          std::chrono::milliseconds timeout) {
    std::vector<Errand> errands;
    for (const AgentAddress &at : nodes)
        errands.push_back({at.address, at.port, control::encode(control::RollCall{at.node}),
                           timeout, [this, node = at.node](const control::Reply &reply) {
                               finish(judged(reply, node, seal_));
                           }});
    add(std::move(errands));
}

void Messenger::add(std::vector<Errand> errands) {
    if (errands.empty())
        return;
    {
        const std::lock_guard<std::mutex> guard(mutex_);
        std::move(errands.begin(), errands.end(), std::back_inserter(errands_));
    }
    for (Worker &worker : workers_)
        worker.exchanges.wake();
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

void Messenger::work(control::Exchanges &exchanges) noexcept {
    for (;;) {
        std::optional<Errand> errand;
        {
            const std::lock_guard<std::mutex> guard(mutex_);
            if (stopping_)
                return;
            if (!errands_.empty() && exchanges.under_way() < highest_under_way) {
                errand = std::move(errands_.front());
                errands_.pop_front();
            }
        }
        if (errand)
            begin(exchanges, *errand);
        exchanges.proceed(!errand);
    }
}

void Messenger::begin(control::Exchanges &exchanges, const Errand &errand) {
    try {
        exchanges.ask(errand.address, errand.port, seal_.seal(errand.question, agent_user),
                      control::Exchanges::Clock::now() + errand.timeout, errand.done);
    } catch (const std::exception &error) {
        errand.done(control::no_reply(error));
    }
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
