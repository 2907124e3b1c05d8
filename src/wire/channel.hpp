// SPDX-License-Identifier: GPL-2.0-or-later
//
// Frames (wire/frame.hpp) over TCP, each with a deadline.
//
// Descriptors are closed on exec; SIGPIPE is never raised; interrupted calls are repeated.
#pragma once

#include "common/descriptor.hpp"
#include "wire/channel_error.hpp"
#include "wire/frame.hpp"

#include <chrono>
#include <string>

namespace vmall::wire {

// One TCP connection with a deadline for everything that happens on it. Not shared between threads.
class Connection {
  public:
    using Clock = std::chrono::steady_clock;
    // Tries every address of `host` in turn. Resolving the name is not covered by the deadline.
    static Connection connect(const std::string &host, int port, Clock::time_point deadline);
    // Takes over an accepted socket.
    Connection(int fd, Clock::time_point deadline) noexcept : fd_(fd), deadline_(deadline) {}

    // Both throw ChannelError at the deadline and when the peer has hung up.
    void send(const std::string &content); // at most highest_frame_bytes
    std::string receive();                 // refuses anything that does not begin a frame

  private:
    void wait_for(short event) const;
    common::Descriptor fd_;
    Clock::time_point deadline_;
};

} // namespace vmall::wire
