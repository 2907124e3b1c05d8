// SPDX-License-Identifier: GPL-2.0-or-later
//
// When waiting jobs are expected to start, now and then.
#include "plugins/sched_fjt/decide/forecast.hpp"

#include "policy/expected_starts.hpp"

#include <variant>

namespace vmall::sched {

namespace {

constexpr policy::Seconds interval = 30; // as Slurm's bf_interval

} // namespace

void Forecast::tell(const policy::Snapshot &snapshot, const policy::Settings &settings,
                    policy::Seconds steady, std::vector<policy::Action> &actions) {
    if (!found_out_at_ || steady >= *found_out_at_ + interval) {
        starts_ = policy::expected_starts(snapshot, settings);
        found_out_at_ = steady;
    }
    for (policy::Action &action : actions)
        if (auto *wait = std::get_if<policy::Wait>(&action))
            if (const auto start = starts_.find(wait->id); start != starts_.end())
                wait->expected_start = start->second;
}

} // namespace vmall::sched
