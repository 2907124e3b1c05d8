// SPDX-License-Identifier: GPL-2.0-or-later
//
// One scheduling pass: the situation as it will be once what was decided so far is carried out.
#pragma once

#include "policy/model.hpp"
#include "policy/room.hpp"
#include "policy/settings.hpp"

#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace vmall::policy {

struct Pass {
    // The snapshot is one that normalise() has gone over.
    Pass(Snapshot snapshot, const Settings &settings);

    const Settings &settings;
    Seconds now;
    std::vector<Node> nodes;
    std::vector<WaitingJob> queue;   // not started yet, the head first
    std::vector<RunningJob> running; // and started in this pass, these cannot be resized in it
    Room free;                       // without what resizes and requeues give back
    std::vector<Action> actions;

    // Starts the job at this place of the queue, which takes it out of there.
    void start(std::size_t place, const Placement &placement);
    void backfill(std::size_t place, const Placement &placement, std::optional<Seconds> window_end,
                  std::vector<NodeIndex> on);
    void resize(RunningJob &job, Allotment target);
    void requeue(RunningJob &job);
    void wait(const WaitingJob &job, std::string why);

    // Free now, or being given back.
    Room free_soon() const;

  private:
    void start_with(std::size_t place, const Placement &placement, Start start);
};

// A time after every other.
inline constexpr Seconds never = std::numeric_limits<Seconds>::max();

// When a job would end that starts now, by its estimate.
Seconds end_if_started(const Pass &pass, const WaitingJob &job);

// When the cores of a running job come free by what is known; after now, since they have not yet.
Seconds expected_end(const Pass &pass, const RunningJob &job);

// In the order of the papers: the running job arrived before the waiting one.
bool arrived_before(const RunningJob &running, const WaitingJob &waiting);

// Whether a running job holds cores that the waiting one might use.
bool shares_nodes(const RunningJob &running, const WaitingJob &waiting);

} // namespace vmall::policy
