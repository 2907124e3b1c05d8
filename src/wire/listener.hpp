// SPDX-License-Identifier: GPL-2.0-or-later
//
// A listening socket that is never waited for.
#pragma once

#include "common/descriptor.hpp"
#include "wire/channel_error.hpp"

#include <cstdint>

namespace vmall::wire {

struct Accepted {
    // Closed on exec. Owns nothing if nobody was there.
    common::Descriptor socket = common::Descriptor();
    // Somebody waits for whom there is no descriptor or memory; without a pause a loop would spin.
    bool lacks_resources = false;
    // From which one calls: an IPv4 address, or a /64 of IPv6. The addresses that any user of a
    // host may choose from are in one.
    std::uint64_t network = 0;
};

// Listens on every address of the host.
class Listener {
  public:
    // Throws ChannelError if the port is taken. Port 0 lets the kernel choose.
    explicit Listener(int port);
    int port() const;
    int fd() const noexcept { return fd_.get(); } // readable while somebody waits
    // To be called when the socket has become readable: a process that is out of descriptors is
    // told so even if nobody waits. Throws ChannelError if the socket is broken.
    Accepted accept();

  private:
    common::Descriptor fd_;
};

} // namespace vmall::wire
