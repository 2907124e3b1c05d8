// SPDX-License-Identifier: GPL-2.0-or-later
//
// A few threads that each talk to many agents at a time.
#include "plugins/sched_fjt/resize/messenger.hpp"

#include <exception>
#include <utility>

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

NodeReply answer_in(const std::string &credential, const NodeMessage &message,
                    const control::Seal &seal) {
    const control::Opened opened = seal.open(credential);
    if (opened.uid != agent_user)
        return no_answer(message, "the answer was sealed by uid " + std::to_string(opened.uid));
    const control::Answer answer = control::decode_answer(opened.payload);
    if (answer.node != message.target.node || answer.job_id != message.target.job_id)
        return no_answer(message, "the answer is for another node or job");
    return {answer.node, true, answer.outcome, answer.generation, answer.reason, answer.ranks};
}

NodeReply judged(const control::Reply &reply, const NodeMessage &message,
                 const control::Seal &seal) {
    if (!reply.error.empty())
        return no_answer(message, reply.error);
    try {
        return answer_in(reply.content, message, seal);
    } catch (const std::exception &error) {
        return no_answer(message, error.what());
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

void Messenger::send(std::vector<NodeMessage> messages, std::chrono::milliseconds timeout) {
    if (messages.empty())
        return;
    auto round = std::make_shared<Round>();
    round->confirmation.job = messages.front().target.job_id;
    round->confirmation.generation = messages.front().target.generation;
    round->timeout = timeout;
    round->expected = messages.size();
    {
        const std::lock_guard<std::mutex> guard(mutex_);
        for (NodeMessage &message : messages)
            errands_.push_back({round, std::move(message)});
    }
    for (Worker &worker : workers_)
        worker.exchanges.wake();
}

std::vector<Confirmation> Messenger::take() {
    const std::lock_guard<std::mutex> guard(mutex_);
    return std::exchange(done_, {});
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
    const auto done = [this, errand](const control::Reply &reply) {
        finish(*errand.round, judged(reply, errand.message, seal_));
    };
    const NodeMessage &message = errand.message;
    try {
        exchanges.ask(message.address, message.port,
                      seal_.seal(control::encode(message.target), agent_user),
                      control::Exchanges::Clock::now() + errand.round->timeout, done);
    } catch (const std::exception &error) {
        done({"", error.what()});
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
