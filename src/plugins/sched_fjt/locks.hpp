// SPDX-License-Identifier: GPL-2.0-or-later
//
// slurmctld's locks as scopes. Nothing in them may wait for the network or a file.
#pragma once

#include "slurmglue/controller.h"

#include <chrono>
#include <cstdint>

namespace vmall::sched {

// How long the calling thread has kept others from reading slurmctld's jobs.
struct WriteLocked {
    std::uint64_t microseconds = 0;
    std::uint64_t longest = 0;
};
inline thread_local WriteLocked write_locked;

template <void lock(), void unlock()>
struct ReadLock {
    ReadLock() { lock(); }
    ~ReadLock() { unlock(); }
    ReadLock(const ReadLock &) = delete;
    ReadLock &operator=(const ReadLock &) = delete;
};

template <void lock(), void unlock()>
class WriteLock {
  public:
    WriteLock() : since_((lock(), Clock::now())) {}
    ~WriteLock() {
        const auto held =
            std::chrono::duration_cast<std::chrono::microseconds>(Clock::now() - since_);
        unlock();
        const auto microseconds = static_cast<std::uint64_t>(held.count());
        write_locked.microseconds += microseconds;
        write_locked.longest =
            microseconds > write_locked.longest ? microseconds : write_locked.longest;
    }
    WriteLock(const WriteLock &) = delete;
    WriteLock &operator=(const WriteLock &) = delete;

  private:
    using Clock = std::chrono::steady_clock;
    const Clock::time_point since_;
};

using LockToRead = ReadLock<vmall_lock_to_read, vmall_unlock_to_read>;
using LockToLook = WriteLock<vmall_lock_to_look, vmall_unlock_to_look>;
using LockToAct = WriteLock<vmall_lock_to_act, vmall_unlock_to_act>;

} // namespace vmall::sched
