// SPDX-License-Identifier: GPL-2.0-or-later
//
// A job that the plan of least work deals cores to: one that runs and may be resized now, or one
// that waits.
#pragma once

#include "policy/pass.hpp"

#include <cstddef>
#include <vector>

namespace vmall::policy::least_work {

struct Claim {
    JobId id;
    // The order (order.hpp).
    std::int64_t tier = 0;
    bool in_front = false;
    double rank = 0;
    Seconds arrival = 0;

    Running *running = nullptr;          // null: it waits
    const WaitingJob *waiting = nullptr; // null: it runs
    std::size_t position = 0;            // in the queue
    Seconds left = 1;                    // of its work, by what is known
    int processes = 1;
    int cores_per_process = 1;
    int deepest = 1;
    int costless = 1; // MPL to which it loses nothing, up to `deepest`: it waits as much

    // What it is to have. Of a running job at first what it keeps in any case: its floor.
    bool planned = false; // it runs, or is to start
    int mpl = 1;
    CoreCounts allotment;
    CoreCounts unfolded; // see RunningJob
    CoreCounts alone;    // of a running job: if none that waits was dealt any
};

using Claims = std::vector<Claim>;

// It may be started folded, and be folded.
bool is_foldable(const WaitingJob &job);

// And there is a node where that takes cores from it.
bool can_be_folded_on(const std::vector<Node> &nodes, const WaitingJob &job);

// The MPL that a job on so many nodes is folded to at most. On several, one that has to make room
// on a single node leaves cores idle on the others: no more than half of what it holds. Where
// that is in vain, since folding is dear or nobody has memory for what it gives back, none deeper
// than it is.
int deepest_mpl(std::size_t nodes, bool in_vain);
// And by the settings and the job's own limit.
int deepest_mpl(const Pass &pass, const WaitingJob &job, std::size_t nodes);
int deepest_mpl(const Pass &pass, const RunningJob &job);

// On the same nodes, as many cores of each as an MPL needs.
CoreCounts at_mpl(const Claim &claim, int mpl);

// What it cannot be made to give back once it runs.
CoreCounts floor_of(const Claim &claim);
int cores_on_floor(const Claim &claim);

// Of a job that is planned; that of a running one stays.
MemoryCounts memory_of(const Claim &claim);

bool fits(const Room &room, const CoreCounts &cores);

// By what of its time a job computes, 1 to 100; a little is lost all the same.
int costless_mpl(int useful_percent);

// To which a planned job can be unfolded in this room, but not below the lowest; its own if to
// none.
int mpl_with_room(const Claim &claim, const Room &room, int lowest_mpl);

} // namespace vmall::policy::least_work
