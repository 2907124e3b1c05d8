// SPDX-License-Identifier: GPL-2.0-or-later
//
// select/vmall lets pass what this thread starts while this is there.
#pragma once

#include "plugins/select_vmall/gate.hpp"

namespace vmall::sched {

class OpenGate {
  public:
    explicit OpenGate(const select::Gate &gate) : gate_(gate) { gate_.open(true); }
    ~OpenGate() { gate_.open(false); }
    OpenGate(const OpenGate &) = delete;
    OpenGate &operator=(const OpenGate &) = delete;

  private:
    const select::Gate &gate_;
};

} // namespace vmall::sched
