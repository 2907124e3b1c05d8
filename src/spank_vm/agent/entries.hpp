// SPDX-License-Identifier: GPL-2.0-or-later
//
// What is known of each job on this node, and of the last run of its number that has ended.
// Threads share it.
#pragma once

#include "spank_vm/agent/known_job.hpp"
#include "wire/messages.hpp"

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

namespace vmall::agent {

// Its mutex is locked by whoever looks at it. Moving the job may take a while, and holds up nobody
// who wants another entry.
class Entry {
  public:
    std::mutex mutex;
    std::condition_variable step_has_come;
    KnownJob known;

    void forget_job();
    // The number is another user's now.
    void forget_ended_run() { ended_.reset(); }
    // Targets of a run that has ended may be under way for as long as their seals hold; after that
    // the number may be another job's.
    bool is_of_ended_run(const wire::Target &target) const;

  private:
    struct Ended {
        std::uint32_t run;
        std::chrono::steady_clock::time_point at;
    };
    std::optional<Ended> ended_; // the last one
};

class Entries {
  public:
    // Made, if there is none yet.
    std::shared_ptr<Entry> of(std::uint32_t job_id);
    // The lowest number first.
    std::vector<std::pair<std::uint32_t, std::shared_ptr<Entry>>> all();

  private:
    std::mutex mutex_;
    std::map<std::uint32_t, std::shared_ptr<Entry>> entries_; // guarded by mutex_
};

} // namespace vmall::agent
