// SPDX-License-Identifier: GPL-2.0-or-later
//
// One scheduling pass: the situation as it will be once what was decided so far is carried out.
#pragma once

#include "policy/model.hpp"
#include "policy/pools.hpp"
#include "policy/room/memory_per_core.hpp"
#include "policy/room/room.hpp"
#include "policy/settings.hpp"
#include "policy/time.hpp"

#include <deque>
#include <optional>
#include <utility>
#include <vector>

namespace vmall::policy {

// A running job, and what becomes of it.
struct Running {
    explicit Running(const RunningJob &running)
        : job(&running), ending(running.ending), target(running.target) {}

    const RunningJob *job; // as the snapshot has it, or as started in this pass
    bool ending;
    std::optional<CoreCounts> target;
};

// Keeps its memory from pass to pass.
struct Pass {
    explicit Pass(const Settings &settings);
    Pass(const Pass &) = delete;
    Pass &operator=(const Pass &) = delete;

    // Looks at another pool, or at the whole of a snapshot, whose jobs must be there as long as
    // this is used. `actions` is not touched.
    void begin(const Pool &pool);
    void begin(const Snapshot &snapshot);

    const Settings settings;
    Seconds now = 0;
    int folding_cost = usual_folding_cost; // see Snapshot
    bool folding_is_dear = false;          // so nobody is folded here
    MemoryPerCore memory_per_core;
    std::vector<Node> nodes;
    std::vector<const WaitingJob *> queue; // not started yet, the head first
    std::vector<Running> running; // and started in this pass, these cannot be resized in it
    Room free;                    // without what resizes and requeues give back
    std::vector<Action> actions;

    const WaitingJob &head() const { return *queue.front(); }

    // Starts the job at this position of the queue, or resumes it if it was suspended, which takes
    // it out of there. Moves `running`. Exactly on the nodes `on`, if there are any, otherwise
    // wherever it fits.
    void start(std::size_t position, const Placement &placement, std::vector<NodeIndex> on = {});
    void backfill(std::size_t position, const Placement &placement,
                  std::optional<Seconds> window_end, std::vector<NodeIndex> on);
    // A fold makes room for the head.
    void fold(Running &running, CoreCounts target, Cause why = Cause::room);
    // A fold makes room for this start; null: for another job that grows.
    void fold_for(Running &running, CoreCounts target, const WaitingJob *whom, int on_nodes);
    // Likewise, of a node that is shared out; null: for what the others make of it.
    void share(Running &running, CoreCounts target, const WaitingJob *whom);
    void unfold(Running &running, CoreCounts target, Cause why = Cause::free_cores);
    void requeue(Running &running);
    void kill(Running &killed);
    void suspend(Running &suspended);
    Wait &wait(const WaitingJob &job, Reason why) {
        Wait &wait = std::get<Wait>(actions.emplace_back(std::in_place_type<Wait>));
        wait.id = job.id;
        wait.why = why;
        return wait;
    }

    // Free now, or being given back.
    Room free_soon() const;

  private:
    std::optional<JobId> first() const; // of the queue
    void resize(Running &running, Resize resize);
    void begin(Seconds now, int folding_cost, const std::vector<Node> &nodes);
    void add_running(const RunningJob &job);
    void add_waiting(const WaitingJob &job);
    void start_with(std::size_t position, const Placement &placement, Start start);

    std::deque<RunningJob> started_;
};

// When a job would end that starts now, by its estimate.
Seconds end_if_started(const Pass &pass, const WaitingJob &job);

// When the cores of a running job come free by what is known; after now, since they have not yet.
Seconds expected_end(const Pass &pass, const Running &running);

// In the order of the papers: the running job arrived before the waiting one.
bool arrived_before(const RunningJob &running, const WaitingJob &waiting);

// What is free when everybody that runs has ended.
Room room_of_all(const Pass &pass);

// Whether a running job holds cores that the waiting one might use.
bool shares_nodes(const RunningJob &running, const WaitingJob &waiting);

} // namespace vmall::policy
