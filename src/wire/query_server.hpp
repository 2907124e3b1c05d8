// SPDX-License-Identifier: GPL-2.0-or-later
//
// Answers queries on a TCP port, in a thread of its own. Used by the scheduler plugin.
#pragma once

#include "wire/query.hpp"
#include "wire/reception.hpp"
#include "wire/seal.hpp"

#include <chrono>
#include <functional>
#include <string>
#include <sys/types.h>
#include <thread>

namespace vmall::wire {

class QueryServer {
  public:
    // Returns the JSON of the answer (encode in query.hpp). An exception's what() is told to the
    // asker.
    using Handler = std::function<std::string(const Query &, uid_t asker)>;
    using Report = Reception::Report;
    // Is told why no more queries are answered, if it was not stop(). Must not throw.
    using Failed = std::function<void(const std::string &)>;

    // Listens at once, or throws ChannelError. All functions are called in the server's thread.
    // `patience` is what a client has for everything.
    QueryServer(int port, const std::string &munge_socket, Handler handler, Report report,
                Failed failed,
                std::chrono::milliseconds patience = std::chrono::milliseconds(1000));
    QueryServer(const QueryServer &) = delete;
    QueryServer &operator=(const QueryServer &) = delete;
    ~QueryServer(); // stops
    int port() const { return reception_.port(); }
    // Returns when the thread has ended.
    void stop() noexcept;

  private:
    void serve() noexcept;
    void answer(const std::string &credential, Visitor client);
    std::string answer_to(const Opened &query);

    Seal seal_;
    Handler handler_;
    Failed failed_;
    Reception reception_;
    std::thread thread_;
};

} // namespace vmall::wire
