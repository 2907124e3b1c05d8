// SPDX-License-Identifier: GPL-2.0-or-later
//
// What stays of jobs whose end nobody told: the epilog did not run, or slurmctld forgot the job.
// Its number may come again.
#pragma once

#include "spank_vm/agent/jobs.hpp"
#include "spank_vm/agent/stopping.hpp"

#include <cstdint>
#include <functional>
#include <thread>

namespace vmall::agent {

// Whether slurmctld has no such job any more, or one that has ended; not if it does not answer,
// which takes some seconds, if nobody is stopping.
bool has_ended(std::uint32_t job_id, const Stopping &stopping);
// By what squeue says: numbers and states, or an error.
bool has_ended_by(const std::string &answer, std::uint32_t job_id);

class Leftovers {
  public:
    using HasEnded = std::function<bool(std::uint32_t job_id, const Stopping &stopping)>;

    // Starts a thread that looks at once, and every two minutes. `jobs` outlives it.
    explicit Leftovers(Jobs &jobs, HasEnded has_ended = agent::has_ended);
    Leftovers(const Leftovers &) = delete;
    Leftovers &operator=(const Leftovers &) = delete;
    ~Leftovers(); // stops

  private:
    void run() noexcept;
    void look();

    Jobs &jobs_;
    HasEnded has_ended_;
    Stopping stopping_;
    std::thread thread_;
};

} // namespace vmall::agent
