// SPDX-License-Identifier: GPL-2.0-or-later
//
// A messenger whose confirmations are waited for.
#pragma once

#include "plugins/sched_fjt/resize/messenger.hpp"

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

class Post {
  public:
    explicit Post(const std::string &munge_socket)
        : messenger_(munge_socket, [this] { arrived(); }) {}

    void send(const std::vector<vmall::sched::NodeMessage> &messages,
              std::chrono::milliseconds timeout) {
        messenger_.send(messages, timeout);
    }

    // At least one.
    std::vector<vmall::sched::Confirmation> wait() {
        for (;;) {
            std::vector<vmall::sched::Confirmation> taken = messenger_.take();
            if (!taken.empty())
                return taken;
            wait_arrival();
        }
    }

    void call_roll(const std::vector<vmall::sched::AgentAddress> &nodes) {
        messenger_.call_roll(nodes, std::chrono::hours(1));
    }

    std::vector<vmall::sched::RollReply> wait_rolls(std::size_t count) {
        std::vector<vmall::sched::RollReply> rolls;
        for (;;) {
            for (vmall::sched::RollReply &reply : messenger_.take_rolls())
                rolls.push_back(std::move(reply));
            if (rolls.size() >= count)
                return rolls;
            wait_arrival();
        }
    }

  private:
    void wait_arrival() {
        std::unique_lock<std::mutex> guard(mutex_);
        condition_.wait(guard, [this] { return arrived_; });
        arrived_ = false;
    }
    void arrived() {
        const std::lock_guard<std::mutex> guard(mutex_);
        arrived_ = true;
        condition_.notify_all();
    }
    std::mutex mutex_;
    std::condition_variable condition_;
    bool arrived_ = false;
    vmall::sched::Messenger messenger_; // ends first
};
