// SPDX-License-Identifier: GPL-2.0-or-later
//
// How far simulations are.
#include "tools/vmsim/progress_line.hpp"

#include <chrono>
#include <iostream>

namespace vmall::vmsim {

ProgressLine::ProgressLine(const sim::Progress &progress, std::size_t jobs)
    : thread_([this, &progress, jobs] { show(progress, jobs); }) {}

ProgressLine::~ProgressLine() {
    {
        const std::lock_guard lock(mutex_);
        done_ = true;
    }
    wake_.notify_one();
    thread_.join();
    std::cerr << "\r\033[K" << std::flush;
}

void ProgressLine::show(const sim::Progress &progress, std::size_t jobs) {
    std::unique_lock lock(mutex_);
    while (!wake_.wait_for(lock, std::chrono::milliseconds(500), [this] { return done_; })) {
        const std::uint64_t ended = progress.jobs_ended;
        std::cerr << "\r\033[K" << ended << " of " << jobs << " jobs, "
                  << (jobs > 0 ? ended * 100 / jobs : 100) << " %" << std::flush;
    }
}

} // namespace vmall::vmsim
