// SPDX-License-Identifier: GPL-2.0-or-later
//
// Frames over TCP, each with a deadline.
#include "wire/channel.hpp"

#include "wire/connecting.hpp"
#include "wire/patience.hpp"

#include <cerrno>
#include <cstring>
#include <poll.h>

namespace vmall::wire {

namespace {

// False once the deadline has passed.
bool wait_until_ready(int fd, short event, Connection::Clock::time_point deadline) {
    for (;;) {
        pollfd waiting = {fd, event, 0};
        const int count = poll(&waiting, 1, milliseconds_until(deadline));
        if (count >= 0)
            return count > 0;
        if (errno != EINTR)
            throw ChannelError(std::string("cannot wait for peer: ") + std::strerror(errno));
    }
}

} // namespace

Connection Connection::connect(const std::string &host, int port, Clock::time_point deadline) {
    Connecting connecting(host, port);
    do {
        if (!wait_until_ready(connecting.fd(), POLLOUT, deadline))
            connecting.give_up(ETIMEDOUT);
    } while (!connecting.proceed());
    return {connecting.take().release(), deadline};
}

void Connection::send(const std::string &content) {
    OutgoingFrame frame(content);
    do
        wait_for(POLLOUT);
    while (!frame.send(fd_.get()));
}

std::string Connection::receive() {
    IncomingFrame frame;
    do
        wait_for(POLLIN);
    while (!frame.receive(fd_.get()));
    return frame.content();
}

void Connection::wait_for(short event) const {
    wait_until_ready(fd_.get(), event, deadline_);
    // Also if there is something to do: a peer that floods us is never waited for.
    if (Clock::now() >= deadline_)
        throw ChannelError("peer is too slow");
}

} // namespace vmall::wire
