// SPDX-License-Identifier: GPL-2.0-or-later
//
// Numbers for the companies of a snapshot: jobs that have whole nodes, and lend cores of them to
// each other.
#pragma once

#include "plugins/sched_fjt/see/view.hpp"

#include <map>
#include <string>

namespace vmall::sched {

class Companies {
  public:
    explicit Companies(config::LendWholeNodes lend) : lend_(lend) {}

    // policy::WaitingJob::company
    int of(const JobView &job);

  private:
    std::string in_common(const JobView &job) const;

    const config::LendWholeNodes lend_;
    std::map<std::string, int> numbers_;
};

} // namespace vmall::sched
