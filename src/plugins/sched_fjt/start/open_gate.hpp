// SPDX-License-Identifier: GPL-2.0-or-later
//
// select/cons_tres_vmall lets pass what this thread starts while this is there: one job, and on no
// node of those with whom it does not share.
#pragma once

#include "plugins/sched_fjt/start/company.hpp"
#include "plugins/select_vmall/gate.hpp"

namespace vmall::sched {

class OpenGate {
  public:
    OpenGate(const select::Gate &gate, const View &view, const JobView &job) : gate_(gate) {
        gate_.lend_to(lends_to(view, job));
        gate_.open(true);
    }
    ~OpenGate() {
        gate_.open(false);
        gate_.lend_to(std::nullopt);
    }
    OpenGate(const OpenGate &) = delete;
    OpenGate &operator=(const OpenGate &) = delete;

  private:
    const select::Gate &gate_;
};

} // namespace vmall::sched
