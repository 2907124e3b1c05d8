// SPDX-License-Identifier: GPL-2.0-or-later
//
// The second look at a job that was resized, for who was being forked at the first one. It takes
// one thread, however many jobs wait for theirs, and a few more while looks take long.
#pragma once

#include "spank_vm/agent/due_jobs.hpp"

#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <thread>

namespace vmall::agent {

class Rechecks {
  public:
    // Called by several threads at once; what it throws is lost.
    using Look = std::function<void(std::uint32_t job)>;

    explicit Rechecks(Look look);
    Rechecks(const Rechecks &) = delete;
    Rechecks &operator=(const Rechecks &) = delete;
    ~Rechecks(); // after the looks that are under way; nobody looks at who is due later

    void later(std::uint32_t job); // from any thread

  private:
    void run();

    const Look look_;
    std::mutex mutex_;
    std::condition_variable changed_;
    DueJobs due_;          // under mutex_
    bool stopped_ = false; // under mutex_
    std::thread thread_;
};

} // namespace vmall::agent
