// SPDX-License-Identifier: GPL-2.0-or-later
//
// What a policy sees and what it answers, as plain values (design: policy is pure).
//
// The words are those of doc/architecture.md: an allotment is the set of cores a job has now; to
// fold is to shrink it while the number of processes stays; MPL is ceil(processes / cores) of one
// job.
#pragma once

#include "common/cause.hpp"
#include "common/sizes.hpp"
#include "policy/demand.hpp"
#include "policy/node_set.hpp"

#include <boost/container/small_vector.hpp>
#include <cstdint>
#include <optional>
#include <variant>
#include <vector>

namespace vmall::policy {

using common::Cause;
using common::Sizes;

// Of the time that work should take at an MPL above 1, in percent, what it takes: doc/runtime.md.
inline constexpr int usual_folding_cost = 110;
inline constexpr int dear_folding_cost = 133; // above it costs more than it brings on several nodes

inline bool folding_is_dear(int cost, std::size_t nodes) {
    return cost > dear_folding_cost && nodes > 1;
}

// Cores of one job on one node.
struct NodeCores {
    NodeIndex node;
    int cores = 0;
    friend bool operator==(const NodeCores &a, const NodeCores &b) {
        return a.node == b.node && a.cores == b.cores;
    }
};

// Ascending by node, every entry at least one core. Most jobs hold cores of one node only.
using CoreCounts = boost::container::small_vector<NodeCores, 1>;

// What conservative backfilling has reserved for a waiting job.
struct Promise {
    Seconds start = 0;
    int processes = 0;
    CoreCounts allotment;
    CoreCounts unfolded; // see RunningJob
};

struct Node {
    int cores = 0; // that the scheduler may use at all
    int free = 0;  // held by nobody and promised to nobody (a job that is growing), down nodes: 0;
                   // drained nodes: what jobs that run there may grow into
    // MiB; 0: not counted, whatever jobs need. Folding gives back none of it.
    std::int64_t memory = 0;
    std::int64_t free_memory = 0;
    int company = 0; // of the jobs that are there (WaitingJob)
};

// A job that waits. Jobs that did not ask for virtual malleability have exactly one size and are
// started with one core per process (times cores_per_process), never folded.
struct WaitingJob : Demand {
    Sizes sizes; // accepted process counts, at least one
    // Nodes the processes are spread over. max_nodes 0: no limit.
    int min_nodes = 1;
    int max_nodes = 1;
    // Of a virtually malleable job: its user has not said how, so each node takes as many processes
    // as there is room for. False: equally many on each of min_nodes nodes, or of some more.
    bool any_spread = false;
    NodeSet eligible;         // nodes it may run on; empty: all
    bool whole_nodes = false; // takes every core of its nodes
    int company = 0;          // jobs of one share nodes, with no others; 0: who has not said
    Seconds time_limit = 0;   // how long it may run; none (0): for ever. No estimate: that
    // The resource manager refused to start it although cores seemed free (licences, memory, limits
    // …); when it believes that the job can start, if it knows.
    bool refused = false;
    std::optional<Seconds> earliest_start;
    std::optional<Promise> promise; // of the last decision, from its Wait
    // It was suspended and continues on these cores, with the only process count it has by now.
    std::optional<CoreCounts> resumes_on;
    CoreCounts unfolded; // that it had there; see RunningJob
};

// What a job has found out about itself by running on so many processors for a while.
struct MeasuredSpeedup {
    int processors = 1;
    double speedup = 1; // over one processor, positive
};

struct RunningJob : Demand {
    // It can be resized now. False: it did not ask, is suspended, its last resize failed a moment
    // ago …
    bool resizable = false;
    // It has ended or is being requeued, but still holds its cores: they are about to come free.
    bool ending = false;
    int processes = 1;
    CoreCounts allotment; // what it holds now
    // What it would hold on the same nodes if it were not folded: what the processes that it has on
    // each of them want. Empty: equally many on each.
    CoreCounts unfolded;
    std::optional<CoreCounts> target; // a resize that is under way, not confirmed yet
    Seconds started = 0;
    // By its estimate and what it has lost; by its time limit and that, once the estimate has
    // passed.
    Seconds expected_end = 0;
    bool backfilled = false;
    std::optional<Seconds> window_end; // the head's reserved start when it was backfilled
    Seconds lost = 0;                  // of its run time, to folding (work.hpp)
    // Of the time of its processes on cores of their own, what they do not wait, in percent; 100:
    // all, or not known.
    int useful_percent = 100;
    std::vector<MeasuredSpeedup> measured; // the most recent last
};

struct Snapshot {
    Seconds now = 0;
    std::vector<Node> nodes;         // NodeIndex is the index in this vector
    std::vector<WaitingJob> waiting; // queue order, the head first; repeats of a job are ignored
    std::vector<RunningJob> running; // ascending by job id
    int folding_cost = usual_folding_cost; // of the programs here (learned_cost.hpp)
};

// Start a waiting job: `processes` over `nodes` nodes with `cores_per_node` cores on each. Folded
// if that is fewer cores than processes × cores_per_process. Which nodes and cores is the resource
// manager's choice, unless `on` names the nodes. A virtually malleable job that is spread unequally
// goes just where it is counted on.
struct Start {
    JobId id;
    int processes = 0;
    int nodes = 0; // 0: any spread (jobs that are not virtually malleable)
    // 0: as the job asked (jobs that are not virtually malleable); of others, not equally many.
    int cores_per_node = 0;
    int mpl = 1;
    bool backfilled = false;
    std::optional<Seconds> window_end; // of a backfilled job; empty: the head's start is not known
    // Exactly the nodes to use, ascending: a backfilled job that may outlast the head's reserved
    // start and would delay it elsewhere. Empty: any that it is eligible for.
    std::vector<NodeIndex> on;
    CoreCounts counted_on; // where the policy thinks that it goes; vmsim puts it just there
    CoreCounts unfolded;   // see RunningJob
};

// Change the allotment of a running job to this target. Same nodes as before.
struct Resize {
    JobId id;
    CoreCounts target;
    std::optional<JobId> makes_room_for = {}; // a waiting job; none if a running one is to grow
    int on_nodes = 0; // over how many that is to be spread; 0: as few as it accepts
    Cause why = Cause::room;
};

// A backfilled job has outstayed its window and loses its place: requeued.
struct Requeue {
    JobId id;
    std::optional<JobId> makes_room_for = {};
};

// The same, ended for good.
struct Kill {
    JobId id;
};

// The same; it gives all of its cores back, and waits for them (WaitingJob::resumes_on).
struct Suspend {
    JobId id;
};

// Let a suspended job go on where it was.
struct Resume {
    JobId id;
    bool backfilled = false; // as in Start
    std::optional<Seconds> window_end;
};

// Why a job waits; reasons.hpp has the words for people.
struct Reason {
    enum class Kind : std::uint8_t {
        no_machine,
        refused,
        memory,
        short_jobs,
        share,
        being_freed,
        level,
        cores,
        whole_nodes,
        would_delay,
        long_behind,
        reserved
    };
    Kind kind = Kind::no_machine;
    std::uint32_t number = 0; // of the cores it waits for, or of the job that is before it

    friend bool operator==(Reason a, Reason b) { return a.kind == b.kind && a.number == b.number; }
    friend bool operator!=(Reason a, Reason b) { return !(a == b); }
};

struct Wait {
    JobId id;
    Reason why;
    std::optional<Promise> promise = {};        // for the next snapshot: WaitingJob::promise
    std::optional<Seconds> expected_start = {}; // for people; not by a policy: expected_starts.hpp
};

using Action = std::variant<Start, Resize, Requeue, Kill, Suspend, Resume, Wait>;

// The job as it is once it has been started so.
RunningJob started_job(const WaitingJob &job, const Start &start, Seconds now);

} // namespace vmall::policy
