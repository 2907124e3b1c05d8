// SPDX-License-Identifier: GPL-2.0-or-later
//
// A TCP connection that is being made, and is not waited for.
#include "wire/connecting.hpp"

#include "wire/channel_error.hpp"

#include <cerrno>
#include <cstring>
#include <sys/socket.h>

namespace vmall::wire {

namespace {

addrinfo *resolve(const std::string &host, int port) {
    addrinfo hints = {};
    hints.ai_family = AF_UNSPEC;
    hints.ai_socktype = SOCK_STREAM;
    hints.ai_flags = AI_NUMERICSERV;
    addrinfo *found = nullptr;
    const int error = getaddrinfo(host.c_str(), std::to_string(port).c_str(), &hints, &found);
    if (error != 0)
        throw ChannelError("cannot resolve " + host + ": " +
                           (error == EAI_SYSTEM ? std::strerror(errno) : gai_strerror(error)));
    return found;
}

} // namespace

Connecting::Connecting(const std::string &host, int port)
    : peer_(host + " port " + std::to_string(port)), addresses_(resolve(host, port), freeaddrinfo),
      next_(addresses_.get()) {
    try_next(EADDRNOTAVAIL);
}

bool Connecting::proceed() {
    int error = 0;
    socklen_t size = sizeof error;
    if (getsockopt(fd(), SOL_SOCKET, SO_ERROR, &error, &size) != 0)
        error = errno;
    if (error == 0)
        return true;
    try_next(error);
    return false;
}

void Connecting::try_next(int error) {
    for (; next_; next_ = next_->ai_next) {
        fd_ = common::Descriptor(
            socket(next_->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, IPPROTO_TCP));
        // An interrupted connect goes on by itself, like one in progress.
        if (fd_ && (connect(fd(), next_->ai_addr, next_->ai_addrlen) == 0 || errno == EINPROGRESS ||
                    errno == EINTR)) {
            next_ = next_->ai_next;
            return;
        }
        error = errno;
    }
    give_up(error);
}

void Connecting::give_up(int error) const {
    const std::string why = "cannot connect to " + peer_ + ": " + std::strerror(error);
    if (error == ECONNREFUSED)
        throw NobodyListens(why);
    throw ChannelError(why);
}

} // namespace vmall::wire
