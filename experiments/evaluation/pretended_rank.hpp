// SPDX-License-Identifier: GPL-2.0-or-later
//
// What the node's agent takes for a rank that libvmrt serves, and that waits for a part of its
// time. It computes nothing: for the rest of the time it stands in line for a CPU, behind everybody
// who has something to do, which the agent does not take for sleep.
#pragma once

#include <chrono>
#include <cstdint>
#include <mutex>
#include <utility>

namespace vmall::evaluation {

class PretendedRank {
  public:
    // Takes a slot of the runtime page with this key until the process ends. Lives as long. Throws
    // std::runtime_error if it cannot.
    PretendedRank(std::uint32_t runtime_key, double share);

    // From now on it is awake for so much of its time, 0 to 1.
    void be_awake_for(double share);

  private:
    using Seconds = std::chrono::duration<double>;
    using Clock = std::chrono::steady_clock;

    void stay_awake();
    // For how long it ought to have been awake by now, and the share that holds.
    std::pair<Seconds, double> wanted();

    std::mutex mutex_; // of what follows
    Seconds wanted_{};
    Clock::time_point since_ = Clock::now();
    double share_;
};

} // namespace vmall::evaluation
