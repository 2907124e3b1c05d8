// SPDX-License-Identifier: GPL-2.0-or-later
//
// Who says which cores the jobs of this node have where no controller does (mode=node): a thread
// that looks at all of them whenever one comes or goes, and gives each its target.
#pragma once

#include "policy/sharing/tenants.hpp"
#include "spank_vm/agent/jobs.hpp"
#include "spank_vm/agent/rechecks.hpp"
#include "spank_vm/agent/settings.hpp"

#include <chrono>
#include <condition_variable>
#include <map>
#include <mutex>
#include <thread>

namespace vmall::agent {

class Dealer {
  public:
    // Starts the thread, which deals at once. `jobs` outlives it.
    Dealer(const Settings &settings, Jobs &jobs);
    Dealer(const Dealer &) = delete;
    Dealer &operator=(const Dealer &) = delete;
    ~Dealer(); // stops, after the target that is under way

    // A job or a step has come, or a job has gone. From any thread.
    void look();

  private:
    using Clock = std::chrono::steady_clock;

    void run() noexcept;
    void deal();
    bool moves(const Resident &resident) const;
    void give(const Resident &resident, const policy::sharing::Tenant &tenant,
              const policy::sharing::Cores &cores);
    void recheck(std::uint32_t job_id) noexcept;

    const Settings settings_;
    const int max_mpl_;
    Jobs &jobs_;
    std::map<std::uint32_t, Clock::time_point> refused_until_; // by job; of our thread
    Rechecks rechecks_;
    std::mutex mutex_;
    std::condition_variable changed_;
    bool is_to_look_ = true; // under mutex_
    bool stopped_ = false;   // under mutex_
    std::thread thread_;
};

} // namespace vmall::agent
