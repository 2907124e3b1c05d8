// SPDX-License-Identifier: GPL-2.0-or-later
//
// Questions to many peers at once.
#include "wire/exchanges.hpp"

#include "wire/channel_error.hpp"
#include "wire/connecting.hpp"
#include "wire/frame.hpp"
#include "wire/patience.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <optional>
#include <poll.h>
#include <sys/eventfd.h>
#include <utility>
#include <vector>

namespace vmall::wire {

Reply no_reply(const std::exception &error) {
    return {"", error.what(), dynamic_cast<const NobodyListens *>(&error) != nullptr};
}

struct Exchanges::Exchange {
    Connecting connection;
    OutgoingFrame question;
    Clock::time_point deadline;
    Done done;
    IncomingFrame answer = {};
    bool connected = false;
    bool asked = false;

    pollfd waits_for() const {
        return {connection.fd(), static_cast<short>(asked ? POLLIN : POLLOUT), 0};
    }

    // As far as it goes without waiting. True once the answer is there.
    bool go_on() {
        connected = connected || connection.proceed();
        asked = asked || (connected && question.send(connection.fd()));
        return asked && answer.receive(connection.fd());
    }

    // Nothing while there is something to wait for. An answer that is there counts, however late
    // somebody has the time to take it.
    std::optional<Reply> result(bool can_go_on, Clock::time_point now) {
        try {
            if (can_go_on && go_on())
                return Reply{answer.content(), ""};
            if (now < deadline)
                return std::nullopt;
            if (!connected)
                connection.give_up(ETIMEDOUT);
            throw ChannelError("peer is too slow");
        } catch (const std::exception &error) {
            return no_reply(error);
        }
    }
};

Exchanges::Exchanges() : wake_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
    if (!wake_)
        throw ChannelError(std::string("cannot make an eventfd: ") + std::strerror(errno));
}

Exchanges::~Exchanges() = default;

void Exchanges::ask(const std::string &host, int port, const std::string &question,
                    Clock::time_point deadline, Done done) {
    exchanges_.push_back(
        {Connecting(host, port), OutgoingFrame(question), deadline, std::move(done)});
}

std::size_t Exchanges::under_way() const noexcept {
    return exchanges_.size();
}

void Exchanges::proceed(bool wait) {
    std::vector<pollfd> sockets{{wake_.get(), POLLIN, 0}};
    auto first_deadline = Clock::time_point::max();
    for (const Exchange &exchange : exchanges_) {
        sockets.push_back(exchange.waits_for());
        first_deadline = std::min(first_deadline, exchange.deadline);
    }
    const int patience = exchanges_.empty() ? -1 : milliseconds_until(first_deadline);
    // If that fails, for a signal or for want of memory, nothing is ready; deadlines hold.
    (void)poll(sockets.data(), sockets.size(), wait ? patience : 0);
    eventfd_t wakes;
    if (sockets.front().revents)
        (void)eventfd_read(wake_.get(), &wakes);
    const auto now = Clock::now();
    auto socket = std::next(sockets.begin());
    for (auto at = exchanges_.begin(); at != exchanges_.end(); ++socket) {
        const auto exchange = at++;
        if (const auto reply = exchange->result(socket->revents != 0, now)) {
            exchange->done(*reply);
            exchanges_.erase(exchange);
        }
    }
}

void Exchanges::wake() noexcept {
    // Fails only if the counter is full, and then proceed() wakes up as well.
    (void)eventfd_write(wake_.get(), 1);
}

} // namespace vmall::wire
