// SPDX-License-Identifier: GPL-2.0-or-later
//
// Time limits count work where no controller sees to it (mode=node): what a job loses by sharing is
// counted here, and slurmctld is asked to add it to the job's limit, as an operator would. A thread
// of its own, as slurmctld may take its time.
#pragma once

#include "spank_vm/agent/jobs.hpp"
#include "spank_vm/agent/settings.hpp"
#include "spank_vm/agent/time_lost.hpp"

#include <condition_variable>
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
    ~LimitKeeper(); // stops, after the question that is under way

  private:
    struct Kept {
        TimeLost time;
        bool has_limit = true; // as far as we know
        bool was_asked = false;
        bool was_told = false; // that it gets no more
    };

    void run() noexcept;
    void look();
    void look_at(const Resident &resident, Kept &kept);
    void extend(std::uint32_t job_id, Kept &kept, int minutes);
    void tell(std::uint32_t job_id, Kept &kept, const std::string &why);
    Kept recalled(std::uint32_t job_id) const;
    void save(std::uint32_t job_id, const Kept &kept) const;
    std::string file_of(std::uint32_t job_id) const;

    const Settings settings_;
    Jobs &jobs_;
    std::map<std::uint32_t, Kept> kept_; // of our thread
    std::mutex mutex_;
    std::condition_variable stopping_;
    bool stopped_ = false; // under mutex_
    std::thread thread_;
};

} // namespace vmall::agent
