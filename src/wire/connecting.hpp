// SPDX-License-Identifier: GPL-2.0-or-later
//
// A TCP connection that is being made, and is not waited for.
#pragma once

#include "common/descriptor.hpp"

#include <memory>
#include <netdb.h>
#include <string>

namespace vmall::wire {

// Tries every address of a host in turn. Throws ChannelError once none is left; a descriptor is
// closed on exec.
class Connecting {
  public:
    // Resolves the name, which may take a while, and begins with its first address.
    Connecting(const std::string &host, int port);
    // To be called when the socket has become writable. True: it is connected. False: it is not, or
    // the next address is being tried, with another socket.
    bool proceed();
    [[noreturn]] void give_up(int error) const;
    int fd() const noexcept { return fd_.get(); }
    common::Descriptor take() noexcept { return std::move(fd_); }

  private:
    void try_next(int error); // of the address before
    using Addresses = std::unique_ptr<addrinfo, decltype(&freeaddrinfo)>;
    std::string peer_;
    Addresses addresses_;
    const addrinfo *next_;
    common::Descriptor fd_;
};

} // namespace vmall::wire
