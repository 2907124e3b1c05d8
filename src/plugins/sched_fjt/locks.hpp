// SPDX-License-Identifier: GPL-2.0-or-later
//
// slurmctld's locks as scopes. Nothing in them may wait for the network or a file.
#pragma once

#include "slurmglue/controller.h"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <optional>

namespace vmall::sched {

using Clock = std::chrono::steady_clock;

// Of the calling thread, in microseconds.
struct LockTimes {
    std::uint64_t waited = 0;         // for slurmctld's locks
    std::uint64_t locked = 0;         // with others kept from reading slurmctld's jobs
    std::uint64_t longest_locked = 0; // of that in one go
};
inline thread_local LockTimes lock_times;

inline std::uint64_t microseconds_since(Clock::time_point begin) {
    return static_cast<std::uint64_t>(
        std::chrono::duration_cast<std::chrono::microseconds>(Clock::now() - begin).count());
}

// Time that passes, but for the calling thread's waits for slurmctld's locks.
class WorkTime {
  public:
    std::uint64_t microseconds() const {
        return microseconds_since(begin_) - (lock_times.waited - waited_);
    }

  private:
    const Clock::time_point begin_ = Clock::now();
    const std::uint64_t waited_ = lock_times.waited;
};

// On WorkTime, from now on.
class TimeLimit {
  public:
    explicit TimeLimit(std::chrono::microseconds longest)
        : longest_(static_cast<std::uint64_t>(longest.count())) {}
    bool is_up() const { return time_.microseconds() > longest_; }

  private:
    const WorkTime time_;
    const std::uint64_t longest_;
};

template <void lock(), void unlock()>
struct Lock {
    Lock() {
        const auto begin = Clock::now();
        lock();
        lock_times.waited += microseconds_since(begin);
    }
    ~Lock() { unlock(); }
    Lock(const Lock &) = delete;
    Lock &operator=(const Lock &) = delete;
};

template <void lock(), void unlock()>
class WriteLock {
  public:
    WriteLock() = default;
    ~WriteLock() {
        const std::uint64_t locked = microseconds_since(since_);
        lock_times.locked += locked;
        lock_times.longest_locked = std::max(lock_times.longest_locked, locked);
    }
    WriteLock(const WriteLock &) = delete;
    WriteLock &operator=(const WriteLock &) = delete;

  private:
    const Lock<lock, unlock> lock_; // given back last
    const Clock::time_point since_ = Clock::now();
};

using LockToRead = Lock<vmall_lock_to_read, vmall_unlock_to_read>;
using LockToAct = WriteLock<vmall_lock_to_act, vmall_unlock_to_act>;

// One lock for several deeds: given back between any two, it would go to everybody who waits for
// it, and starts on a large machine would take seconds each.
class LockToActInARow {
  public:
    void take() {
        if (lock_ && Clock::now() - since_ > longest)
            lock_.reset();
        if (lock_)
            return;
        lock_.emplace();
        since_ = Clock::now();
    }
    void give_back() { lock_.reset(); }

  private:
    static constexpr std::chrono::milliseconds longest{500}; // Slurm's main loop: 2 s

    std::optional<LockToAct> lock_;
    Clock::time_point since_;
};

} // namespace vmall::sched
