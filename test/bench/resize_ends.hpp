// SPDX-License-Identifier: GPL-2.0-or-later
//
// The two ends of a resize for the bench: sched/fjt's messenger here, and a process that answers as
// the agents of all nodes.
#pragma once

#include "plugins/sched_fjt/resize/messenger.hpp"
#include "unit/plugins/sched_fjt/resize/post.hpp"
#include "unit/wire/munged.hpp"
#include "wire/listener.hpp"

#include <chrono>
#include <deque>
#include <sys/types.h>

namespace vmall::bench {

// Microseconds that the processes have computed.
struct Cpu {
    double controller = 0, its_munged = 0, agents = 0, their_munged = 0;
    Cpu operator-(const Cpu &other) const;
    Cpu operator/(double parts) const;
};

// A process of ours that answers as the agents of all nodes.
class AgentsProcess {
  public:
    explicit AgentsProcess(const std::string &munge_socket);
    AgentsProcess(const AgentsProcess &) = delete;
    AgentsProcess &operator=(const AgentsProcess &) = delete;
    ~AgentsProcess();
    int port() const { return port_; }
    pid_t pid() const { return pid_; }

  private:
    pid_t pid_ = 0;
    int port_ = 0;
};

class Ends {
  public:
    explicit Ends(std::chrono::milliseconds agent_timeout);
    // Sends targets to the nodes of a job, of which the first `silent` do not answer.
    void resize(sched::JobNumber job, int nodes, int silent = 0);
    // For what has come of one of them, in the order of their ends.
    sched::Confirmation wait();
    Cpu cpu() const;

  private:
    const std::chrono::milliseconds timeout_;
    Munged our_munged_, their_munged_;
    AgentsProcess agents_; // before there are any threads
    wire::Listener silent_{0};
    wire::Generation generation_ = 0;
    Post post_;
    std::deque<sched::Confirmation> confirmations_;
};

} // namespace vmall::bench
