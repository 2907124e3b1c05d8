// SPDX-License-Identifier: GPL-2.0-or-later
//
// Frames over TCP, each with a deadline.
#include "control/channel.hpp"

#include <algorithm>
#include <arpa/inet.h>
#include <array>
#include <cerrno>
#include <cstring>
#include <memory>
#include <netdb.h>
#include <poll.h>
#include <sys/socket.h>
#include <utility>

namespace vmall::control {

namespace {

using Header = std::array<std::uint32_t, 2>; // magic and length, network order
constexpr std::uint32_t magic = 0x564d414c;  // "VMAL"

[[noreturn]] void fail(const std::string &action, int error = errno) {
    throw ChannelError(action + ": " + std::strerror(error));
}

// Rounded up, so that a wait never ends before the deadline; at least 0.
int milliseconds_until(Connection::Clock::time_point deadline) {
    using std::chrono::milliseconds;
    const auto left = std::chrono::ceil<milliseconds>(deadline - Connection::Clock::now());
    return static_cast<int>(std::clamp(left, milliseconds(0), milliseconds(3600 * 1000)).count());
}

bool would_block(int error) {
    return error == EAGAIN || error == EWOULDBLOCK;
}

using Addresses = std::unique_ptr<addrinfo, decltype(&freeaddrinfo)>;

Addresses resolve(const std::string &host, int port) {
    addrinfo hints = {};
    hints.ai_family = AF_UNSPEC;
    hints.ai_socktype = SOCK_STREAM;
    hints.ai_flags = AI_NUMERICSERV;
    addrinfo *found = nullptr;
    const int error = getaddrinfo(host.c_str(), std::to_string(port).c_str(), &hints, &found);
    if (error == EAI_SYSTEM)
        fail("cannot resolve " + host);
    if (error != 0)
        throw ChannelError("cannot resolve " + host + ": " + gai_strerror(error));
    return {found, freeaddrinfo};
}

// 0 once connected, otherwise the error. An interrupted connect goes on by itself, like one in
// progress.
int finish_connecting(int fd, Connection::Clock::time_point deadline) {
    pollfd waiting = {fd, POLLOUT, 0};
    int ready;
    do
        ready = poll(&waiting, 1, milliseconds_until(deadline));
    while (ready < 0 && errno == EINTR);
    if (ready < 0)
        return errno;
    if (ready == 0)
        return ETIMEDOUT;
    int error = 0;
    socklen_t size = sizeof error;
    return getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &size) == 0 ? error : errno;
}

} // namespace

Connection Connection::connect(const std::string &host, int port, Clock::time_point deadline) {
    const Addresses addresses = resolve(host, port);
    int error = EADDRNOTAVAIL;
    for (const addrinfo *address = addresses.get(); address; address = address->ai_next) {
        const int fd =
            socket(address->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, IPPROTO_TCP);
        if (fd < 0) {
            error = errno;
            continue;
        }
        Connection connection(fd, deadline);
        error = ::connect(fd, address->ai_addr, address->ai_addrlen) == 0 ? 0 : errno;
        if (error == EINPROGRESS || error == EINTR)
            error = finish_connecting(fd, deadline);
        if (error == 0)
            return connection;
    }
    fail("cannot connect to " + host + " port " + std::to_string(port), error);
}

void Connection::send(const std::string &content) {
    if (content.size() > highest_frame_bytes)
        throw ChannelError("frame of " + std::to_string(content.size()) + " bytes is too long");
    const Header header = {htonl(magic), htonl(static_cast<std::uint32_t>(content.size()))};
    // One buffer and hence, for short frames, one packet.
    std::string frame(reinterpret_cast<const char *>(header.data()), sizeof header);
    frame += content;
    send_all(frame.data(), frame.size());
}

std::string Connection::receive() {
    Header header;
    receive_all(reinterpret_cast<char *>(header.data()), sizeof header);
    if (ntohl(header[0]) != magic)
        throw ChannelError("peer does not speak our protocol");
    const std::uint32_t size = ntohl(header[1]);
    if (size > highest_frame_bytes)
        throw ChannelError("frame of " + std::to_string(size) + " bytes is too long");
    std::string content(size, '\0');
    receive_all(content.data(), content.size());
    return content;
}

void Connection::wait_for(short event) const {
    pollfd waiting = {fd_.get(), event, 0};
    if (poll(&waiting, 1, milliseconds_until(deadline_)) < 0 && errno != EINTR)
        fail("cannot wait for peer");
    // Also if there is something to do: a peer that floods us is never waited for.
    if (Clock::now() >= deadline_)
        throw ChannelError("peer is too slow");
}

void Connection::send_all(const char *data, std::size_t size) {
    while (size > 0) {
        wait_for(POLLOUT);
        const ssize_t sent = ::send(fd_.get(), data, size, MSG_NOSIGNAL | MSG_DONTWAIT);
        if (sent < 0 && errno != EINTR && !would_block(errno))
            fail("cannot send to peer");
        if (sent > 0) {
            data += sent;
            size -= static_cast<std::size_t>(sent);
        }
    }
}

void Connection::receive_all(char *data, std::size_t size) {
    while (size > 0) {
        wait_for(POLLIN);
        const ssize_t received = recv(fd_.get(), data, size, MSG_DONTWAIT);
        if (received == 0)
            throw ChannelError("peer has hung up");
        if (received < 0 && errno != EINTR && !would_block(errno))
            fail("cannot receive from peer");
        if (received > 0) {
            data += received;
            size -= static_cast<std::size_t>(received);
        }
    }
}

} // namespace vmall::control
