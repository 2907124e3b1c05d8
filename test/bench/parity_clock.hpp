// SPDX-License-Identifier: GPL-2.0-or-later
//
// The page of virtual_clock.h, as the process that moves the clock sees it. Only for when the
// daemon is at rest.
#pragma once

#include "virtual_clock.h"

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <fcntl.h>
#include <linux/futex.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <system_error>
#include <unistd.h>

class Clock {
  public:
    explicit Clock(const char *path) {
        int file = open(path, O_RDWR | O_CLOEXEC);
        if (file < 0)
            throw std::system_error(errno, std::generic_category(), path);
        void *mapped = mmap(nullptr, sizeof *page_, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
        close(file);
        if (mapped == MAP_FAILED)
            throw std::system_error(errno, std::generic_category(), path);
        page_ = static_cast<virtual_clock *>(mapped);
    }
    Clock(const Clock &) = delete;
    Clock &operator=(const Clock &) = delete;
    ~Clock() { munmap(page_, sizeof *page_); }

    int64_t now() const { return page_->now; }

    void move(int64_t time) {
        __atomic_store_n(&page_->now, std::max(time, now()), __ATOMIC_SEQ_CST);
    }

    // Who goes on first: index, or -1 if nobody sleeps. Of those with the same time, who went to
    // sleep first.
    int first() const {
        int found = -1;
        for (int i = 0; i < VIRTUAL_CLOCK_SLEEPERS; i++) {
            const virtual_sleeper &it = page_->sleepers[i];
            if (it.ticket && (found < 0 || before(it, page_->sleepers[found])))
                found = i;
        }
        return found;
    }

    // INT64_MAX for nobody.
    int64_t until(int sleeper) const {
        return sleeper < 0 ? INT64_MAX : page_->sleepers[sleeper].until;
    }

    void wake(int sleeper) {
        tickets_ = page_->tickets;
        stirs_ = page_->stirs;
        __atomic_store_n(&page_->wake, sleeper + 1, __ATOMIC_SEQ_CST);
        syscall(SYS_futex, &page_->wake, FUTEX_WAKE, 1, nullptr, nullptr, 0);
    }

    // Whether a thread goes on by itself, before long.
    bool somebody_naps() const { return __atomic_load_n(&page_->naps, __ATOMIC_SEQ_CST) > 0; }

    // Whether the one who was woken last has gone to sleep again and done nothing that others would
    // notice.
    bool was_in_vain() const {
        return __atomic_load_n(&page_->tickets, __ATOMIC_SEQ_CST) == tickets_ + 1 &&
               __atomic_load_n(&page_->stirs, __ATOMIC_SEQ_CST) == stirs_;
    }

  private:
    static bool before(const virtual_sleeper &one, const virtual_sleeper &other) {
        return one.until < other.until || (one.until == other.until && one.ticket < other.ticket);
    }

    virtual_clock *page_ = nullptr;
    uint64_t tickets_ = 0; // when somebody was woken last
    uint64_t stirs_ = 0;
};
