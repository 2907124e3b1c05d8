// SPDX-License-Identifier: GPL-2.0-or-later
//
// What is told for Prometheus: the counters, and how it is at the moment. No label tells of users
// or jobs, so everybody may see all of it.
#pragma once

#include "config/config.hpp"
#include "plugins/sched_fjt/account/counters.hpp"
#include "plugins/sched_fjt/account/ledger.hpp"
#include "plugins/sched_fjt/see/view.hpp"
#include "policy/model.hpp"
#include "wire/metrics.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace vmall::sched {

// Virtually malleable jobs that wait, and could start as far as Slurm's limits go.
struct Waiting {
    std::map<policy::JobClass, std::uint64_t> by_class;
    std::map<policy::Reason::Kind, std::uint64_t> by_reason;
    std::optional<policy::Seconds> first_submitted;

    void add(policy::JobClass job_class, policy::Reason::Kind why, policy::Seconds submitted);
    std::uint64_t jobs() const;
};

std::vector<wire::MetricFamily> metrics_of(const View &view, const Ledger &ledger,
                                           const Counters &counters, const Waiting &waiting,
                                           const config::Config &config);

} // namespace vmall::sched
