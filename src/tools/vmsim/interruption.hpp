// SPDX-License-Identifier: GPL-2.0-or-later
//
// SIGINT and SIGTERM stop simulations instead of the program, so that it can write what is there.
#pragma once

#include "sim/engine/simulate.hpp"

namespace vmall::vmsim {

// As long as this exists. One at a time.
class Interruption {
  public:
    explicit Interruption(sim::Progress &progress);
    ~Interruption();
    Interruption(const Interruption &) = delete;
    Interruption &operator=(const Interruption &) = delete;

    // The signal that came, 0 if none did.
    int signal() const;
};

} // namespace vmall::vmsim
