// SPDX-License-Identifier: GPL-2.0-or-later
//
// Random but consistent snapshots of small machines, the same on every platform for the same seed.
#pragma once

#include "policy/scheduler.hpp"

#include <cstdint>
#include <random>

// That a property is tried on. With sanitizers each takes forty times as long.
#ifdef __SANITIZE_ADDRESS__
inline constexpr std::uint32_t random_snapshots = 1000;
#else
inline constexpr std::uint32_t random_snapshots = 4000;
#endif

class RandomSituation {
  public:
    explicit RandomSituation(std::uint32_t seed) : engine(seed) {}

    vmall::policy::Snapshot snapshot();
    vmall::policy::Settings settings();

    // The same for discipline least-work, with what only that looks at. All jobs can continue, and
    // nobody was suspended.
    vmall::policy::Snapshot least_work_snapshot();
    vmall::policy::Settings least_work_settings();

  private:
    int between(int least, int most); // both included
    bool one_in(int chances) { return between(1, chances) == 1; }
    template <typename Piece>
    vmall::policy::Chosen<Piece> piece();
    void spread_unequally(vmall::policy::RunningJob &job, int mpl,
                          vmall::policy::Snapshot &snapshot);
    vmall::policy::RunningJob running_job(std::uint32_t id, vmall::policy::Snapshot &snapshot);
    vmall::policy::WaitingJob waiting_job(std::uint32_t id, int node_count);

    std::mt19937 engine;
};
