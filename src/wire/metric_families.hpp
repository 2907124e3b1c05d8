// SPDX-License-Identifier: GPL-2.0-or-later
//
// Metrics in the making. Their names are part of what we promise: dashboards and alerts go by them.
#pragma once

#include "common/distribution.hpp"
#include "wire/metrics.hpp"
#include "wire/rank_report.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace vmall::wire {

class MetricFamilies {
  public:
    // Without samples yet. The reference holds until the next one is added.
    MetricFamily &add(MetricType type, const char *name, const char *help);
    template <typename Number>
    void counter(const char *name, Number value, const char *help) {
        add(MetricType::counter, name, help).samples = {{{}, static_cast<double>(value)}};
    }
    template <typename Number>
    void gauge(const char *name, Number value, const char *help) {
        add(MetricType::gauge, name, help).samples = {{{}, static_cast<double>(value)}};
    }
    std::vector<MetricFamily> take() { return std::move(families_); }

  private:
    std::vector<MetricFamily> families_;
};

template <std::size_t count>
Sample sample_of(std::map<std::string, std::string> labels,
                 const common::Distribution<count> &distribution) {
    Sample sample{std::move(labels), distribution.sum(), distribution.count()};
    for (std::size_t i = 0; i < count; ++i)
        sample.buckets.push_back({distribution.bounds()[i], distribution.at_most()[i]});
    return sample;
}

inline constexpr std::string_view state_unfolded = "unfolded";
inline constexpr std::string_view state_folded = "folded";
inline constexpr std::string_view state_suspended = "suspended";
inline constexpr std::string_view state_waiting = "waiting";

// Virtually malleable jobs that run, and are not suspended, added up: what the controller and,
// where agents deal cores (mode=node), vmctl tell alike.
struct RunningJobs {
    std::uint64_t cores_held = 0;
    std::uint64_t cores_lent = 0;
    std::uint64_t resizes_pending = 0;
    std::uint64_t ranks = 0;
    std::uint64_t ranks_unattached = 0;
    common::Distribution<10> useful_share{{0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0}};

    // What is known of one of them.
    void note(const std::optional<RankReport> &report, std::optional<int> useful_percent);
};

// `by_state`: jobs, with the label "state" and what else is known of them.
void add_running(MetricFamilies &to, std::vector<Sample> by_state, const RunningJobs &running);

// `slurm`: the release that it was built for.
void add_build(MetricFamilies &to, const std::string &slurm);

} // namespace vmall::wire
