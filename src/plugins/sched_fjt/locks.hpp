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

template <void lock(), void unlock()>
struct ReadLock {
    ReadLock() {
        const auto begin = Clock::now();
        lock();
        lock_times.waited += microseconds_since(begin);
    }
    ~ReadLock() { unlock(); }
    ReadLock(const ReadLock &) = delete;
    ReadLock &operator=(const ReadLock &) = delete;
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
    const ReadLock<lock, unlock> lock_; // given back last
    const Clock::time_point since_ = Clock::now();
};

using LockToRead = ReadLock<vmall_lock_to_read, vmall_unlock_to_read>;
using LockToLook = WriteLock<vmall_lock_to_look, vmall_unlock_to_look>;
using LockToAct = WriteLock<vmall_lock_to_act, vmall_unlock_to_act>;

// For several deeds in a row: whoever gives a lock back between any two of them waits for all
// others each time, and a large machine does not fill.
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
