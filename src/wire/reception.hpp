// SPDX-License-Identifier: GPL-2.0-or-later
//
// Hears many peers at a TCP port, in one thread that waits for none of them: whoever says nothing,
// or does not take the answer, keeps nobody else waiting.
#pragma once

#include "common/descriptor.hpp"
#include "wire/channel.hpp"
#include "wire/listener.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <list>
#include <poll.h>
#include <string>
#include <vector>

namespace vmall::wire {

// Who has sent a frame and waits for the answer.
struct Visitor {
    common::Descriptor socket; // hangs up when it is closed
    Connection::Clock::time_point deadline;
    std::uint64_t network; // as in Accepted
};

class Reception {
  public:
    // Is given what a visitor sent. It may take the visitor away, or pass it to answer(). What it
    // throws is reported.
    using Handler = std::function<void(const std::string &content, Visitor visitor)>;
    // Is told why a peer got no answer. Anybody can cause such lines, any number of them. Must not
    // throw.
    using Report = std::function<void(const std::string &)>;

    // So many are heard or answered at once. When another one comes, one has to go of the most
    // numerous group: peers of one network that have said nothing yet, have begun, or take the
    // answer; of these, or of several such groups, who came first. So who floods one group takes
    // no place of others, and whoever speaks at once is heard.
    static constexpr std::size_t highest_peer_count = 64;

    // Listens at once, or throws ChannelError. `patience` is what a peer has for everything.
    Reception(int port, std::chrono::milliseconds patience, Report report);
    Reception(const Reception &) = delete;
    Reception &operator=(const Reception &) = delete;
    ~Reception();
    int port() const { return listener_.port(); }

    // Hears peers until stop(), and then hangs up. Throws ChannelError if the port is broken.
    void serve(const Handler &handler);
    // Only to be called by the handler. What cannot be sent at once goes out while others are
    // heard.
    void answer(Visitor visitor, const std::string &content); // at most highest_frame_bytes
    void stop() noexcept;                                     // from any thread

  private:
    struct Peer;
    void hear_peers(const std::vector<pollfd> &sockets, const Handler &handler);
    bool has_finished(Peer &peer, bool ready, const Handler &handler);
    void admit();
    void make_room();

    std::chrono::milliseconds patience_;
    Report report_;
    Listener listener_;
    common::Descriptor wake_; // eventfd
    std::list<Peer> peers_;   // who came first is first
};

} // namespace vmall::wire
