// SPDX-License-Identifier: GPL-2.0-or-later
//
// Questions to many peers at once, each on a connection of its own, in one thread that never waits
// for a single one of them.
#pragma once

#include "common/descriptor.hpp"
#include "wire/channel.hpp"

#include <cstddef>
#include <exception>
#include <functional>
#include <list>
#include <string>

namespace vmall::wire {

// What has come of a question.
struct Reply {
    std::string content;
    std::string error;           // why there is none; otherwise empty
    bool nobody_listens = false; // that is why
};
Reply no_reply(const std::exception &error);

// Not shared between threads, but for wake().
class Exchanges {
  public:
    using Clock = Connection::Clock;
    using Done = std::function<void(const Reply &)>;

    Exchanges(); // throws ChannelError
    Exchanges(const Exchanges &) = delete;
    Exchanges &operator=(const Exchanges &) = delete;
    ~Exchanges(); // hangs up wherever an answer is missing

    // Begins an exchange; proceed() will tell `done` how it ended. Resolving the host's name is not
    // covered by the deadline. Throws ChannelError if there is nobody to connect to.
    void ask(const std::string &host, int port, const std::string &question,
             Clock::time_point deadline, Done done);
    std::size_t under_way() const noexcept;

    // Goes on with every exchange that can. If `wait`, sleeps until one can, a deadline has passed,
    // or wake() was called.
    void proceed(bool wait);
    void wake() noexcept; // from any thread

  private:
    struct Exchange;
    common::Descriptor wake_; // eventfd
    std::list<Exchange> exchanges_;
};

} // namespace vmall::wire
