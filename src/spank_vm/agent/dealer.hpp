// SPDX-License-Identifier: GPL-2.0-or-later
//
// Who says which cores the jobs of this node have where no controller does (mode=node): a thread
// that looks at all of them whenever one comes or goes, and after each survey of what their ranks
// make use of, and gives each its target.
#pragma once

#include "policy/sharing/tenants.hpp"
#include "spank_vm/agent/agreement.hpp"
#include "spank_vm/agent/job_list.hpp"
#include "spank_vm/agent/jobs.hpp"
#include "spank_vm/agent/rechecks.hpp"
#include "spank_vm/agent/settings.hpp"
#include "wire/useful_share.hpp"

#include <chrono>
#include <condition_variable>
#include <map>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace vmall::agent {

class Dealer {
  public:
    // Starts the thread, which deals at once. `jobs` and `rechecks` outlive it.
    Dealer(const Settings &settings, Jobs &jobs, Rechecks &rechecks);
    Dealer(const Dealer &) = delete;
    Dealer &operator=(const Dealer &) = delete;
    ~Dealer(); // stops, after the target that is under way

    // A job or a step has come, or a job has gone. From any thread.
    void look();
    // Another node's agent says how deep it would fold a job that is here, too. From any thread.
    wire::Agreed answer(const wire::Wish &wish) { return agreement_.answer(wish); }
    // What vmctl is told.
    const JobList &list() const { return list_; }

  private:
    using Clock = std::chrono::steady_clock;

    void run() noexcept;
    void survey(const std::vector<Resident> &residents);
    void deal();
    void agree(const std::vector<Resident> &residents,
               std::vector<policy::sharing::Tenant> &tenants);
    policy::sharing::Tenant tenant(const Resident &resident) const;
    std::string why_fixed(const Resident &resident) const; // empty: it moves
    void show();
    void give(const Resident &resident, const policy::sharing::Tenant &tenant,
              const policy::sharing::Cores &cores);

    const Settings settings_;
    const int max_mpl_;
    const policy::sharing::Shares shares_;
    Jobs &jobs_;
    Rechecks &rechecks_;
    struct Refused {
        Clock::time_point until;
        std::string reason;
    };
    // By job; of our thread.
    std::map<std::uint32_t, Refused> refused_;
    std::map<std::uint32_t, wire::UsefulShare> useful_;
    std::map<std::uint32_t, wire::RankReport> ranks_;
    std::map<std::uint32_t, std::uint32_t> wishes_; // of jobs on several nodes
    Agreement::Depths depths_;                      // likewise
    Clock::time_point surveyed_;
    std::mutex mutex_;
    std::condition_variable changed_;
    bool is_to_look_ = true; // under mutex_
    bool stopped_ = false;   // under mutex_
    JobList list_;
    Agreement agreement_;
    std::thread thread_;
};

} // namespace vmall::agent
