// SPDX-License-Identifier: GPL-2.0-or-later
//
// What goes wrong between us and a peer.
#pragma once

#include <stdexcept>

namespace vmall::wire {

// The peer cannot be reached, hung up, is too slow, or munge refuses what it sent.
class ChannelError : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

// Nobody listens at the peer's port. Whoever is only slow, or goes away, is no such case.
class NobodyListens : public ChannelError {
  public:
    using ChannelError::ChannelError;
};

} // namespace vmall::wire
