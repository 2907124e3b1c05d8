// SPDX-License-Identifier: GPL-2.0-or-later
//
// What stays of jobs whose end nobody told: the epilog did not run, or slurmctld forgot the job.
// Its number may come again.
#pragma once

#include "spank_vm/agent/jobs.hpp"

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <thread>

namespace vmall::agent {

// Whether slurmctld has no such job any more, or one that has ended; not if it does not answer,
// which takes some seconds.
bool has_ended(std::uint32_t job_id);
// By what squeue says: numbers and states, or an error.
bool has_ended_by(const std::string &answer, std::uint32_t job_id);

class Leftovers {
  public:
    using HasEnded = std::function<bool(std::uint32_t job_id)>;

    // Starts a thread that looks at once, and every two minutes. `jobs` outlives it.
    explicit Leftovers(Jobs &jobs, HasEnded has_ended = agent::has_ended);
    Leftovers(const Leftovers &) = delete;
    Leftovers &operator=(const Leftovers &) = delete;
    ~Leftovers(); // stops, after the question that is under way

  private:
    void run() noexcept;
    void look();
    bool is_stopped();

    Jobs &jobs_;
    HasEnded has_ended_;
    std::mutex mutex_;
    std::condition_variable stopping_;
    bool stopped_ = false;
    std::thread thread_;
};

} // namespace vmall::agent
