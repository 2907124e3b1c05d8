// SPDX-License-Identifier: GPL-2.0-or-later
//
// A listening socket that is never waited for.
#include "wire/listener.hpp"

#include "common/lacking.hpp"

#include <cerrno>
#include <cstring>
#include <netinet/in.h>
#include <string>
#include <sys/socket.h>
#include <utility>

namespace vmall::wire {

namespace {

[[noreturn]] void fail(const std::string &action) {
    throw ChannelError(action + ": " + std::strerror(errno));
}

void set_option(const common::Descriptor &fd, int level, int option, int value) {
    if (setsockopt(fd.get(), level, option, &value, sizeof value) != 0)
        fail("cannot set up a socket");
}

template <typename Address>
void bind_to(const common::Descriptor &fd, const Address &address, int port) {
    if (bind(fd.get(), reinterpret_cast<const sockaddr *>(&address), sizeof address) != 0)
        fail("cannot listen on port " + std::to_string(port));
}

common::Descriptor bound_to_every_address(int port) {
    const int type = SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK;
    const in_port_t network_port = htons(static_cast<in_port_t>(port));
    if (common::Descriptor fd(socket(AF_INET6, type, 0)); fd) {
        sockaddr_in6 address = {};
        address.sin6_family = AF_INET6;
        address.sin6_addr = in6addr_any;
        address.sin6_port = network_port;
        set_option(fd, SOL_SOCKET, SO_REUSEADDR, 1);
        set_option(fd, IPPROTO_IPV6, IPV6_V6ONLY, 0);
        bind_to(fd, address, port);
        return fd;
    }
    common::Descriptor fd(socket(AF_INET, type, 0)); // a host without IPv6
    if (!fd)
        fail("cannot make a socket");
    sockaddr_in address = {};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_ANY);
    address.sin_port = network_port;
    set_option(fd, SOL_SOCKET, SO_REUSEADDR, 1);
    bind_to(fd, address, port);
    return fd;
}

// Errors of one connection, not of the listening socket (accept(2) hands those of the network on).
bool concerns_one_connection(int error) {
    switch (error) {
    case EINTR:
    case EAGAIN:
    case ECONNABORTED:
    case EPERM:
    case EPROTO:
    case ENETDOWN:
    case ENOPROTOOPT:
    case EHOSTDOWN:
    case ENONET:
    case EHOSTUNREACH:
    case EOPNOTSUPP:
    case ENETUNREACH:
        return true;
    default:
        return false;
    }
}

std::uint64_t network_of(in_addr address) {
    const std::uint32_t number = ntohl(address.s_addr);
    return number >> 24 == IN_LOOPBACKNET ? INADDR_LOOPBACK : number;
}

std::uint64_t network_of(const sockaddr_storage &peer) {
    if (peer.ss_family == AF_INET)
        return network_of(reinterpret_cast<const sockaddr_in &>(peer).sin_addr);
    const in6_addr &address = reinterpret_cast<const sockaddr_in6 &>(peer).sin6_addr;
    if (IN6_IS_ADDR_V4MAPPED(&address)) {
        in_addr mapped;
        std::memcpy(&mapped, address.s6_addr + sizeof address - sizeof mapped, sizeof mapped);
        return network_of(mapped);
    }
    std::uint64_t prefix;
    std::memcpy(&prefix, address.s6_addr, sizeof prefix);
    return prefix;
}

} // namespace

Listener::Listener(int port) : fd_(bound_to_every_address(port)) {
    if (listen(fd_.get(), SOMAXCONN) != 0)
        fail("cannot listen on port " + std::to_string(port));
}

int Listener::port() const {
    sockaddr_storage address = {};
    socklen_t size = sizeof address;
    if (getsockname(fd_.get(), reinterpret_cast<sockaddr *>(&address), &size) != 0)
        fail("cannot tell the port");
    // The port is at the same place in both families' addresses.
    return ntohs(reinterpret_cast<const sockaddr_in &>(address).sin_port);
}

Accepted Listener::accept() {
    sockaddr_storage peer = {};
    socklen_t size = sizeof peer;
    common::Descriptor socket(
        accept4(fd_.get(), reinterpret_cast<sockaddr *>(&peer), &size, SOCK_CLOEXEC));
    if (socket)
        return {std::move(socket), false, network_of(peer)};
    if (common::lacks_resources(errno))
        return {common::Descriptor(), true};
    if (!concerns_one_connection(errno))
        fail("cannot accept a connection");
    return Accepted();
}

} // namespace vmall::wire
