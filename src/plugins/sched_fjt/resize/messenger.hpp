// SPDX-License-Identifier: GPL-2.0-or-later
//
// Carries targets and roll calls to node agents and brings their answers, so that the scheduler
// never waits for a node.
#pragma once

#include "plugins/sched_fjt/resize/confirmation.hpp"
#include "wire/exchanges.hpp"
#include "wire/messages.hpp"
#include "wire/roll_call.hpp"
#include "wire/seal.hpp"

#include <array>
#include <chrono>
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
    wire::Target target;
};

struct AgentAddress {
    std::string node; // its name in Slurm
    std::string address;
    int port = 0;
};

// What came of calling the roll of one node. Without a roll, `reason` says why.
struct RollReply {
    std::string node;
    std::optional<wire::Roll> roll = {};
    std::string reason = {};
    bool nobody_listens = false; // that is why
};

class Messenger {
  public:
    // `arrived` is called, in a thread of the messenger, when there is something to take. Throws
    // wire::ChannelError if the process is out of descriptors, std::system_error if it can have
    // no more threads.
    Messenger(std::string munge_socket, std::function<void()> arrived);
    Messenger(const Messenger &) = delete;
    Messenger &operator=(const Messenger &) = delete;
    ~Messenger(); // drops the messages under way

    // All messages carry the same job and generation. Returns at once. The timeout of a message
    // begins when the messenger turns to it.
    void send(const std::vector<NodeMessage> &messages, std::chrono::milliseconds timeout);
    std::vector<Confirmation> take();

    // Likewise, a target that the nodes have already, for their reports.
    void survey(const std::vector<NodeMessage> &messages, std::chrono::milliseconds timeout);
    std::vector<Confirmation> take_surveys();

    // One call to each node. Returns at once; the timeout begins as above.
    void call_roll(const std::vector<AgentAddress> &nodes, std::chrono::milliseconds timeout);
    std::vector<RollReply> take_rolls();

  private:
    struct Round; // one call of send() or survey()
    struct Errand {
        std::string address;
        int port;
        std::string question; // unsealed, and so is what `done` is told
        std::chrono::milliseconds timeout;
        wire::Exchanges::Done done;
    };
    struct Worker {
        wire::Exchanges exchanges;
        std::thread thread = {};
    };
    void stop() noexcept;
    void send(const std::vector<NodeMessage> &messages, std::chrono::milliseconds timeout,
              std::vector<Confirmation> &done);
    void work(wire::Exchanges &exchanges) noexcept;
    void begin(wire::Exchanges &exchanges, const Errand &errand);
    void add(std::vector<Errand> errands);
    void finish(Round &round, NodeReply reply);
    void finish(RollReply reply);

    // A message's time goes to sealing it and to opening the answer, for which munged is waited
    // for.
    static constexpr std::size_t worker_count = 4;
    // Of one worker. Nodes that do not answer hold up others only if they are more than all these.
    static constexpr std::size_t highest_under_way = 128;

    const wire::Seal seal_;
    std::function<void()> arrived_;
    std::mutex mutex_;
    bool stopping_ = false;
    std::deque<Errand> errands_;
    std::vector<Confirmation> done_;
    std::vector<Confirmation> surveys_;
    std::vector<RollReply> rolls_;
    std::array<Worker, worker_count> workers_;
};

} // namespace vmall::sched
