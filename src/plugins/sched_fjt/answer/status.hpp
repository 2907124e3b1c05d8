// SPDX-License-Identifier: GPL-2.0-or-later
//
// What vmctl is told: a copy that the scheduler's thread publishes after each pass.
#pragma once

#include "config/config.hpp"
#include "control/query.hpp"
#include "plugins/sched_fjt/account/ledger.hpp"
#include "plugins/sched_fjt/answer/counters.hpp"
#include "plugins/sched_fjt/see/view.hpp"

#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace vmall::sched {

class Status {
  public:
    void publish(const View &view, const Ledger &ledger, const Counters &counters,
                 const config::Config &config);
    // Why virtually malleable jobs wait.
    void publish_queue(const View &view, const std::vector<policy::Action> &actions,
                       const config::Config &config);
    std::string answer(const control::Query &query) const; // JSON, a page; from any thread

  private:
    mutable std::mutex mutex_;
    // What is published is never changed: it is read without the mutex.
    using Jobs = std::vector<control::JobRow>;
    using Queue = std::vector<control::WaitingRow>;
    using Stats = std::vector<control::Stat>;
    std::shared_ptr<const Jobs> jobs_ = std::make_shared<Jobs>();    // by id
    std::shared_ptr<const Queue> queue_ = std::make_shared<Queue>(); // by id
    std::shared_ptr<const Stats> stats_ = std::make_shared<Stats>();
};

} // namespace vmall::sched
