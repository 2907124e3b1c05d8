// SPDX-License-Identifier: GPL-2.0-or-later
//
// Often at first, because steps may be waiting for the agent.
#include "spank_vm/agent/succession.hpp"

extern "C" {
#include <slurm/spank.h>
}

#include <chrono>

namespace vmall::agent {

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::seconds usual_time(5);
constexpr std::chrono::milliseconds first_interval(50);
constexpr std::chrono::milliseconds later_interval(1000);

} // namespace

bool take_over(std::unique_lock<std::mutex> &lock, std::condition_variable &stopping,
               const bool &stopped, const std::function<std::string()> &attempt) {
    const auto usual_end = Clock::now() + usual_time;
    auto interval = first_interval;
    while (!stopped) {
        const std::string obstacle = attempt();
        if (obstacle.empty())
            return true;
        if (interval == first_interval && Clock::now() > usual_end) {
            slurm_error("the node agent keeps trying: %s", obstacle.c_str());
            interval = later_interval;
        }
        stopping.wait_for(lock, interval);
    }
    return false;
}

} // namespace vmall::agent
