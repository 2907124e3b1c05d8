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

    void send(std::vector<vmall::sched::NodeMessage> messages, std::chrono::milliseconds timeout) {
        messenger_.send(std::move(messages), timeout);
    }

    // At least one.
    std::vector<vmall::sched::Confirmation> wait() {
        for (;;) {
            std::vector<vmall::sched::Confirmation> taken = messenger_.take();
            if (!taken.empty())
                return taken;
            std::unique_lock<std::mutex> guard(mutex_);
            condition_.wait(guard, [this] { return arrived_; });
            arrived_ = false;
        }
    }

  private:
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
