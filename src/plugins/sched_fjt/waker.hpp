// SPDX-License-Identifier: GPL-2.0-or-later
//
// How the scheduler's thread sleeps and what wakes it.
#pragma once

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <mutex>

namespace vmall::sched {

class Waker {
  public:
    struct Reasons {
        bool stop = false;
        bool reconfigure = false;
    };

    void wake() noexcept { set(&Waker::event_); }
    void reconfigure() noexcept { set(&Waker::reconfigure_); }
    void stop() noexcept { set(&Waker::stop_); }

    // Sleeps until something happens or the time is up, and at least for `rest`. What was reported
    // before counts. A burst of events wakes once: nobody waits much longer for a core for that,
    // and slurmctld's locks are spared.
    Reasons wait(std::chrono::milliseconds longest, std::chrono::microseconds rest) {
        std::unique_lock<std::mutex> guard(mutex_);
        condition_.wait_for(
            guard, std::max<std::chrono::microseconds>(burst, rest), [this] { return stop_; });
        condition_.wait_for(guard, longest, [this] { return event_ || reconfigure_ || stop_; });
        const Reasons reasons{stop_, reconfigure_};
        event_ = reconfigure_ = false;
        return reasons;
    }

  private:
    static constexpr std::chrono::milliseconds burst{20};

    void set(bool Waker::*flag) noexcept {
        {
            const std::lock_guard<std::mutex> guard(mutex_);
            this->*flag = true;
        }
        condition_.notify_all();
    }

    std::mutex mutex_;
    std::condition_variable condition_;
    bool event_ = false;
    bool reconfigure_ = false;
    bool stop_ = false;
};

} // namespace vmall::sched
