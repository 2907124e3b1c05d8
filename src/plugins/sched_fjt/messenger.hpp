// SPDX-License-Identifier: GPL-2.0-or-later
//
// Carries targets to node agents and brings their answers, so that the scheduler never waits for a
// node.
#pragma once

#include "control/messages.hpp"
#include "plugins/sched_fjt/view.hpp"

#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace vmall::sched {

struct NodeMessage {
    std::string address;
    int port = 0;
    control::Target target;
};

// What came of one message. Without an answer, `reason` says why.
struct NodeReply {
    std::string node;
    bool answered = false;
    control::Outcome outcome = control::Outcome::refused;
    control::Generation generation = 0;
    std::string reason;
    std::optional<control::RankReport> ranks = {};
};

// The replies of all nodes of a job to one generation of its target.
struct Confirmation {
    JobNumber job = 0;
    control::Generation generation = 0;
    std::vector<NodeReply> replies;
};

class Messenger {
  public:
    // `arrived` is called, in a thread of the messenger, when a confirmation can be taken.
    Messenger(std::string munge_socket, std::function<void()> arrived);
    Messenger(const Messenger &) = delete;
    Messenger &operator=(const Messenger &) = delete;
    ~Messenger(); // waits for the messages under way, each bounded by its timeout

    // All messages carry the same job and generation. Returns at once.
    void send(std::vector<NodeMessage> messages, std::chrono::milliseconds timeout);
    std::vector<Confirmation> take();

  private:
    struct Round; // one call of send()
    struct Errand {
        std::shared_ptr<Round> round;
        NodeMessage message;
    };
    void work() noexcept;
    void finish(Round &round, NodeReply reply);

    // Nodes that do not answer hold a worker for the timeout; so there are some to spare.
    static constexpr int worker_count = 16;

    std::string munge_socket_;
    std::function<void()> arrived_;
    std::mutex mutex_;
    std::condition_variable more_;
    bool stopping_ = false;
    std::deque<Errand> errands_;
    std::vector<Confirmation> done_;
    std::vector<std::thread> workers_;
};

} // namespace vmall::sched
