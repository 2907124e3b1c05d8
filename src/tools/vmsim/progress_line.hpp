// SPDX-License-Identifier: GPL-2.0-or-later
//
// How far simulations are, on a line of the terminal that is written over and over.
#pragma once

#include "sim/engine/simulate.hpp"

#include <condition_variable>
#include <mutex>
#include <thread>

namespace vmall::vmsim {

// As long as this exists; the line is gone then.
class ProgressLine {
  public:
    // Of so many jobs.
    ProgressLine(const sim::Progress &progress, std::size_t jobs);
    ~ProgressLine();
    ProgressLine(const ProgressLine &) = delete;
    ProgressLine &operator=(const ProgressLine &) = delete;

  private:
    void show(const sim::Progress &progress, std::size_t jobs);

    std::mutex mutex_;
    std::condition_variable wake_;
    bool done_ = false;
    std::thread thread_;
};

} // namespace vmall::vmsim
