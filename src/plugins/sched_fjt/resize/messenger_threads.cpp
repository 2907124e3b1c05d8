// SPDX-License-Identifier: GPL-2.0-or-later
//
// Errands are run by a few threads that each talk to many agents at a time.
#include "plugins/sched_fjt/resize/messenger.hpp"

#include <exception>
#include <iterator>
#include <stdexcept>
#include <utility>

namespace vmall::sched {

namespace {

constexpr uid_t agent_user = 0; // slurmd, and so the agent, is root

wire::Reply opened(const wire::Reply &reply, const wire::Seal &seal) {
    if (!reply.error.empty())
        return reply;
    try {
        wire::Opened opened = seal.open(reply.content);
        if (opened.uid != agent_user)
            throw std::runtime_error("the answer was sealed by uid " + std::to_string(opened.uid));
        return {std::move(opened.payload), ""};
    } catch (const std::exception &error) {
        return wire::no_reply(error);
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

void Messenger::work(wire::Exchanges &exchanges) noexcept {
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

void Messenger::begin(wire::Exchanges &exchanges, const Errand &errand) {
    try {
        exchanges.ask(
            errand.address, errand.port, seal_.seal(errand.question, agent_user),
            wire::Exchanges::Clock::now() + errand.timeout,
            [this, done = errand.done](const wire::Reply &reply) { done(opened(reply, seal_)); });
    } catch (const std::exception &error) {
        errand.done(wire::no_reply(error));
    }
}

} // namespace vmall::sched
