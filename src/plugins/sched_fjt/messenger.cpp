// SPDX-License-Identifier: GPL-2.0-or-later
//
// A few threads that each talk to one agent at a time.
#include "plugins/sched_fjt/messenger.hpp"

#include "control/channel.hpp"
#include "control/seal.hpp"

#include <exception>

namespace vmall::sched {

struct Messenger::Round {
    Confirmation confirmation;
    std::chrono::milliseconds timeout;
    std::size_t expected = 0;
};

namespace {

constexpr uid_t agent_user = 0; // slurmd, and so the agent, is root

NodeReply no_answer(const NodeMessage &message, const std::string &reason) {
    return {message.target.node, false, control::Outcome::refused, 0, reason};
}

NodeReply exchange(const NodeMessage &message, const control::Seal &seal,
                   std::chrono::milliseconds timeout) {
    const auto deadline = control::Connection::Clock::now() + timeout;
    auto connection = control::Connection::connect(message.address, message.port, deadline);
    connection.send(seal.seal(control::encode(message.target), agent_user));
    const control::Opened opened = seal.open(connection.receive());
    if (opened.uid != agent_user)
        return no_answer(message, "the answer was sealed by uid " + std::to_string(opened.uid));
    const control::Answer answer = control::decode_answer(opened.payload);
    if (answer.node != message.target.node || answer.job_id != message.target.job_id)
        return no_answer(message, "the answer is for another node or job");
    return {answer.node, true, answer.outcome, answer.generation, answer.reason, answer.ranks};
}

NodeReply try_exchange(const NodeMessage &message, const std::string &munge_socket,
                       std::chrono::milliseconds timeout) {
    try {
        return exchange(message, control::Seal(munge_socket), timeout);
    } catch (const std::exception &error) {
        return no_answer(message, error.what());
    }
}

} // namespace

Messenger::Messenger(std::string munge_socket, std::function<void()> arrived)
    : munge_socket_(std::move(munge_socket)), arrived_(std::move(arrived)) {
    for (int i = 0; i < worker_count; ++i)
        workers_.emplace_back([this] { work(); });
}

Messenger::~Messenger() {
    {
        const std::lock_guard<std::mutex> guard(mutex_);
        stopping_ = true;
    }
    more_.notify_all();
    for (std::thread &worker : workers_)
        worker.join();
}

void Messenger::send(std::vector<NodeMessage> messages, std::chrono::milliseconds timeout) {
    if (messages.empty())
        return;
    auto round = std::make_shared<Round>();
    round->confirmation.job = messages.front().target.job_id;
    round->confirmation.generation = messages.front().target.generation;
    round->timeout = timeout;
    round->expected = messages.size();
    const std::lock_guard<std::mutex> guard(mutex_);
    for (NodeMessage &message : messages)
        errands_.push_back({round, std::move(message)});
    more_.notify_all();
}

std::vector<Confirmation> Messenger::take() {
    const std::lock_guard<std::mutex> guard(mutex_);
    return std::exchange(done_, {});
}

void Messenger::work() noexcept {
    for (;;) {
        std::unique_lock<std::mutex> guard(mutex_);
        more_.wait(guard, [this] { return stopping_ || !errands_.empty(); });
        if (stopping_)
            return;
        const Errand errand = std::move(errands_.front());
        errands_.pop_front();
        guard.unlock();
        finish(*errand.round, try_exchange(errand.message, munge_socket_, errand.round->timeout));
    }
}

void Messenger::finish(Round &round, NodeReply reply) {
    {
        const std::lock_guard<std::mutex> guard(mutex_);
        round.confirmation.replies.push_back(std::move(reply));
        if (round.confirmation.replies.size() < round.expected)
            return;
        done_.push_back(std::move(round.confirmation));
    }
    arrived_();
}

} // namespace vmall::sched
