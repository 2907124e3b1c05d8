// SPDX-License-Identifier: GPL-2.0-or-later
//
// The agent's UNIX socket: packets, root only.
#pragma once

#include "common/descriptor.hpp"

#include <chrono>
#include <functional>
#include <string>
#include <sys/types.h>

namespace vmall::spank_vm {

inline constexpr int local_timeout_seconds = 5;

// Sends one packet and returns the answer. Throws std::system_error if nobody listens or answers.
std::string ask(const std::string &socket_path, const std::string &request);

// The same, but asks again, for so long at most, while nobody is there, and if the peer goes away
// before it has answered: slurmd may be starting or ending. So two may get the request.
std::string ask_patiently(const std::string &socket_path, const std::string &request,
                          std::chrono::milliseconds patience);

class LocalServer {
  public:
    // Answers one request of the process `peer`, whose user is root or ours; must not throw. Called
    // by several threads.
    using Handler = std::function<std::string(const std::string &request, pid_t peer)>;

    // Takes the place of whatever listened there before. Throws std::system_error.
    explicit LocalServer(std::string socket_path);
    LocalServer(const LocalServer &) = delete;
    LocalServer &operator=(const LocalServer &) = delete;
    ~LocalServer(); // removes the socket, unless somebody else's has taken its place
    // Answers until stop(), each peer in a thread as long as there are some. Throws
    // std::system_error.
    void serve(const Handler &handler);
    void stop() noexcept; // from any thread

  private:
    std::string path_;
    common::Descriptor socket_;
    common::Descriptor wake_; // eventfd
    dev_t device_ = 0;
    ino_t inode_ = 0;
};

} // namespace vmall::spank_vm
