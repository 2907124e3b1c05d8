// SPDX-License-Identifier: GPL-2.0-or-later
//
// Sizing psa: processor saving (thesis s. 5.2 and table 5.1, FJT paper s. 2). The machine is
// divided equally among the queued jobs, and the first one waits until its share is idle, though it
// could run on less. Further arrivals make the share smaller.
#include "policy/sizing/sizing.hpp"

#include "policy/reasons.hpp"

#include <algorithm>

namespace vmall::policy {

namespace {

int share(const Pass &pass, const Usable &machine) {
    const auto sharers = std::count_if(pass.queue.begin(), pass.queue.end(),
                                       [](const auto *job) { return size_is_open(*job); });
    return cores_of(machine) / static_cast<int>(sharers);
}

class Psa final : public SizingPolicy {
  public:
    Verdict consider_first(Pass &pass) const override {
        const WaitingJob &first = pass.head();
        const Usable machine = usable(first, pass.nodes, room_of_all(pass));
        const auto wanted = place_within(pass, first, machine, share(pass, machine), 1);
        if (!wanted)
            return Delay{reasons::cores(first)};
        const Usable own = usable(first, pass.nodes, pass.free);
        if (auto placement = place(first, wanted->processes, 1, pass.nodes, own))
            return *std::move(placement);
        Delay delay{reasons::share};
        delay.processes = wanted->processes;
        return delay;
    }
};

} // namespace

std::unique_ptr<SizingPolicy> make_psa() {
    return std::make_unique<Psa>();
}

} // namespace vmall::policy
