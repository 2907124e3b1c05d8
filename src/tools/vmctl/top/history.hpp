// SPDX-License-Identifier: GPL-2.0-or-later
//
// What has changed between one observation and the next.
#pragma once

#include "tools/vmctl/top/observation.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace vmall::vmctl::top {

// How a counter grew when it did last.
struct Growth {
    std::string name;
    std::uint64_t by = 0;
    std::uint64_t value = 0; // then
    std::time_t seen = 0;
};

struct Passes {
    std::time_t seen = 0;                // when the last ones were
    std::uint64_t mean_microseconds = 0; // of those since the observation before
};

class History {
  public:
    // Counters that are lower than before begin anew: slurmctld was restarted.
    void add(const Observation &observation);

    // The last one of each counter, the newest first, at one time by name. Not of numbers of the
    // moment, nor of those that grow with every pass.
    const std::vector<Growth> &growths() const { return growths_; }
    const std::optional<Passes> &passes() const { return passes_; } // none was seen yet
    // What happened to jobs, the latest first, as many as somebody may want to see.
    const std::vector<wire::HistoryRow> &events() const { return events_; }

  private:
    void add_events(const Observation &observation);

    std::vector<wire::Stat> before_;
    std::vector<Growth> growths_;
    std::optional<Passes> passes_;
    std::vector<wire::HistoryRow> events_;
};

// The value of that name, if there is one.
std::optional<std::uint64_t> value_of(const std::string &name,
                                      const std::vector<wire::Stat> &stats);

} // namespace vmall::vmctl::top
