// SPDX-License-Identifier: GPL-2.0-or-later
//
// What waits and what runs: as the policies see it, and beside it what only the simulator knows.
#pragma once

#include "policy/cost/resize_loss.hpp"
#include "policy/model.hpp"
#include "sim/engine/work.hpp"

#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

namespace vmall::sim {

// What becomes of a running job that gives back all of its cores.
enum class Leave { requeued, killed, suspended };

// The simulator's side of a running job.
struct Live {
    std::uint32_t index = 0; // in the workload
    Shape shape;
    double rate = 0;
    Milliseconds shaped = -1;    // when its shape changed last
    double work_left = 0;        // at `since`
    Milliseconds since = 0;      // when this was last brought up to date
    Milliseconds limit_left = 0; // at `since`, of the work that its time limit allows
    Milliseconds kill_at = std::numeric_limits<Milliseconds>::max();
    bool ends_killed = false;      // at its end as expected now
    Leave leave = Leave::requeued; // if it is ending by decision
    Milliseconds suspended_at = 0;
    std::int64_t earlier_core_milliseconds = 0; // of starts before this one
    Milliseconds lost = 0;                      // to folding, until `since`
    policy::ResizeLoss resize_loss;
    // Of the events that are not void: while it runs at all, its end, a resize or a
    // leave under way.
    std::uint64_t start_stamp = 0;
    std::uint64_t end_stamp = 0;
    std::uint64_t confirm_stamp = 0;
    std::uint64_t measure_stamp = 0;
    std::uint64_t estimate_stamp = 0; // when its estimate passes
};

// Job ids are indices in the workload plus one, so that both lists are ordered by id. Whatever
// would give a core or memory to two jobs, or a job less than it may have, throws std::logic_error.
class Cluster {
  public:
    // `memory_per_core` in MiB; 0: not counted.
    explicit Cluster(const std::vector<int> &cores_of_nodes, std::int64_t memory_per_core = 0);

    policy::Snapshot snapshot;
    std::vector<Live> live; // as snapshot.running

    int cores = 0; // of all nodes

    void enqueue(policy::WaitingJob job);
    // Out of the queue. Throws if it is not there.
    policy::WaitingJob dequeue(policy::JobId id);

    void note_promise(policy::JobId id, const policy::Promise &promise);

    // The index of a running job in both vectors; their size if it does not run.
    std::size_t find(policy::JobId id) const;
    // The same; throws if it does not run.
    std::size_t find_running(policy::JobId id) const;
    // Takes its memory, and the cores of its allotment. Returns its index.
    std::size_t add(policy::RunningJob job, const Live &live_side);
    // Gives back all that it holds.
    void remove(std::size_t index);

    // Cores to grow into are taken, those to give back are still held. True: there are some.
    bool resize(std::size_t index, const policy::CoreCounts &target);
    void confirm(std::size_t index);

  private:
    void take(const policy::CoreCounts &cores);
    void give_back(const policy::CoreCounts &cores);
    void take_memory(const policy::RunningJob &job);
    void give_memory_back(const policy::RunningJob &job);
};

int total_cores(const policy::CoreCounts &allotment);

} // namespace vmall::sim
