// SPDX-License-Identifier: GPL-2.0-or-later
//
// select/cons_tres_vmall lets pass what this thread starts while this is there: one job, on no node
// of those with whom it does not share, and on no other cores than where it is counted on.
#pragma once

#include "plugins/sched_fjt/start/company.hpp"
#include "plugins/sched_fjt/start/start_request.hpp"
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

// A start that goes just where it is counted on gets no other cores while this is there.
class CoreLimits {
  public:
    CoreLimits(const select::Gate &gate, const policy::Start &start) : gate_(gate) {
        std::vector<vmall_core_limit> limits;
        if (StartRequest::is_unequal(start))
            for (const policy::NodeCores &part : start.counted_on)
                limits.push_back({part.node.value, static_cast<std::uint32_t>(part.cores)});
        gate_.limit_cores(std::move(limits));
    }
    ~CoreLimits() { gate_.limit_cores({}); }
    CoreLimits(const CoreLimits &) = delete;
    CoreLimits &operator=(const CoreLimits &) = delete;

  private:
    const select::Gate &gate_;
};

} // namespace vmall::sched
