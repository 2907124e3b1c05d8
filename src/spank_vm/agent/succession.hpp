// SPDX-License-Identifier: GPL-2.0-or-later
//
// How an agent comes by what the one before it has until its slurmd ends.
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <string>

namespace vmall::agent {

// Tries until `attempt` names nothing that is in the way, and logs what is if that takes longer
// than a slurmd that was relieved needs to end. False: `stopped` was set meanwhile, under `lock`,
// and `stopping` notified.
bool take_over(std::unique_lock<std::mutex> &lock, std::condition_variable &stopping,
               const bool &stopped, const std::function<std::string()> &attempt);

} // namespace vmall::agent
