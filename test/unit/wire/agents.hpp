// SPDX-License-Identifier: GPL-2.0-or-later
//
// Answers targets and roll calls as the agents of any number of nodes would, without moving
// anything.
#pragma once

#include "waiting_listener.hpp"
#include "wire/messages.hpp"
#include "wire/seal.hpp"

#include <functional>
#include <string>
#include <thread>
#include <vector>

class Agents {
  public:
    // What is sent back for a target: a credential.
    using Respond = std::function<std::string(const vmall::wire::Target &)>;

    // Port 0 lets the kernel choose. Throws ChannelError if the port is taken.
    Agents(const std::string &munge_socket, int port, Respond respond);
    // They confirm every target.
    explicit Agents(const std::string &munge_socket, int port = 0);
    Agents(const Agents &) = delete;
    Agents &operator=(const Agents &) = delete;
    ~Agents();
    int port() const { return listener_.port(); }

  private:
    static constexpr int thread_count = 8;
    void serve();
    vmall::wire::Seal seal_;
    Respond respond_;
    WaitingListener listener_;
    std::vector<std::thread> threads_;
};

// What an agent says that has done what it was asked.
vmall::wire::Answer applied(const vmall::wire::Target &target);
