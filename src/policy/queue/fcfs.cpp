// SPDX-License-Identifier: GPL-2.0-or-later
//
// Queue discipline fcfs: first come, first served.
#include "policy/queue/discipline.hpp"

#include "policy/reasons.hpp"

namespace vmall::policy {

namespace {

class Fcfs final : public Discipline {
  public:
    void run(Pass &pass, const SizingPolicy &sizing, const ExpiryPolicy &) const override {
        if (auto delay = start_in_order(pass, sizing))
            pass.wait(pass.head(), delay->why);
    }
};

Delay refusal(const Pass &pass, const WaitingJob &job) {
    Delay delay;
    delay.why = reasons::refused;
    delay.not_before = job.earliest_start.value_or(pass.now);
    return delay;
}

} // namespace

std::optional<Delay> start_in_order(Pass &pass, const SizingPolicy &sizing) {
    while (!pass.queue.empty()) {
        if (pass.head().refused)
            return refusal(pass, pass.head());
        auto verdict = size_is_open(pass.head()) ? sizing.consider_first(pass)
                                                 : place_rigidly(pass, pass.head());
        if (auto *delay = std::get_if<Delay>(&verdict))
            return *delay;
        pass.start(0, std::get<Placement>(verdict));
    }
    return std::nullopt;
}

std::unique_ptr<Discipline> make_fcfs() {
    return std::make_unique<Fcfs>();
}

} // namespace vmall::policy
