// SPDX-License-Identifier: GPL-2.0-or-later
//
// Sees to the time limits of the jobs here (LimitExtender) all the time, in a thread of its own, as
// slurmctld may take its time.
#pragma once

#include "spank_vm/agent/jobs.hpp"
#include "spank_vm/agent/limit_extender.hpp"
#include "spank_vm/agent/settings.hpp"
#include "spank_vm/agent/stopping.hpp"

#include <cstdint>
#include <map>
#include <mutex>
#include <thread>

namespace vmall::agent {

class LimitKeeper {
  public:
    // Starts the thread. `jobs` outlives it.
    LimitKeeper(const Settings &settings, Jobs &jobs);
    LimitKeeper(const LimitKeeper &) = delete;
    LimitKeeper &operator=(const LimitKeeper &) = delete;
    ~LimitKeeper(); // stops, and cuts off a question that is under way

    // What each job has lost by sharing. From any thread.
    std::map<std::uint32_t, policy::Seconds> lost() const;

  private:
    void run() noexcept;

    Jobs &jobs_;
    Stopping stopping_;
    LimitExtender limits_; // of our thread
    mutable std::mutex mutex_;
    std::map<std::uint32_t, policy::Seconds> lost_; // under mutex_
    std::thread thread_;
};

} // namespace vmall::agent
