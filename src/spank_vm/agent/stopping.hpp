// SPDX-License-Identifier: GPL-2.0-or-later
//
// That a thread is to end, told to it also while it waits for a command.
#pragma once

#include "common/descriptor.hpp"

#include <chrono>

namespace vmall::agent {

class Stopping {
  public:
    Stopping();            // throws std::system_error
    void begin() noexcept; // for good; from any thread
    bool has_begun() const noexcept { return wait_for(std::chrono::milliseconds(0)); }
    // False: not within that time.
    bool wait_for(std::chrono::milliseconds time) const noexcept;
    // Readable once it has begun.
    int fd() const noexcept { return event_.get(); }

  private:
    common::Descriptor event_; // eventfd
};

} // namespace vmall::agent
