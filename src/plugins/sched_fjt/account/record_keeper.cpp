// SPDX-License-Identifier: GPL-2.0-or-later
//
// A thread that waits to be asked.
#include "plugins/sched_fjt/account/record_keeper.hpp"

#include "slurmglue/accounting.h"

#include <chrono>
#include <utility>

namespace vmall::sched {

namespace {

constexpr std::chrono::seconds between_tries{1};

}

RecordKeeper::RecordKeeper(std::function<void()> done)
    : done_(std::move(done)), thread_([this] { run(); }) {}

RecordKeeper::~RecordKeeper() {
    {
        const std::lock_guard<std::mutex> guard(mutex_);
        stop_ = true;
    }
    condition_.notify_all();
    thread_.join();
}

void RecordKeeper::ask() {
    {
        const std::lock_guard<std::mutex> guard(mutex_);
        asked_ = true;
    }
    condition_.notify_all();
}

void RecordKeeper::run() {
    std::unique_lock<std::mutex> guard(mutex_);
    for (;;) {
        condition_.wait(guard, [this] { return asked_ || stop_; });
        if (stop_)
            return;
        asked_ = false;
        guard.unlock();
        vmall_learn_records();
        done_();
        guard.lock();
        condition_.wait_for(guard, between_tries, [this] { return stop_; });
    }
}

} // namespace vmall::sched
