// SPDX-License-Identifier: GPL-2.0-or-later
//
// The threads of a process, from /proc. Allocates no memory, unlike readdir.
#pragma once

#include <cstdint>
#include <sys/types.h>

namespace vmall::runtime {

class Threads {
  public:
    explicit Threads(const char *path); // /proc/PID/task
    Threads(const Threads &) = delete;
    Threads &operator=(const Threads &) = delete;
    ~Threads();

    bool readable() const { return folder_ >= 0; }

    // 0: no more, or there is no such process (any more).
    pid_t next();

    // The next pass sees also those that were born meanwhile.
    void start_again();

  private:
    // What getdents64 writes; the name follows.
    struct Entry {
        std::uint64_t inode;
        std::int64_t offset;
        std::uint16_t length;
        std::uint8_t type;
    };

    int folder_;
    long at_ = 0, end_ = 0; // in entries_
    alignas(Entry) char entries_[2048];
};

} // namespace vmall::runtime
