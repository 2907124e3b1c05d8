// SPDX-License-Identifier: GPL-2.0-or-later
//
// Folding and unfolding several jobs, one MPL at a time, so that none is folded much deeper than
// another.
#include "policy/folding/mpl_steps.hpp"

#include "policy/folding/folding.hpp"

#include <algorithm>
#include <limits>
#include <tuple>
#include <utility>

namespace vmall::policy {

namespace {

// A job on its way to another allotment.
struct Change {
    Running *running;
    Seconds place; // in the order of the jobs
    int mpl;
    CoreCounts target;

    const RunningJob &job() const { return *running->job; }
};

Change no_change(Running &running, Seconds place) {
    const RunningJob &job = *running.job;
    return {&running, place, mpl_on(job, job.allotment), job.allotment};
}

bool comes_first(const Change &left, const Change &right) {
    const JobId left_id = left.job().id, right_id = right.job().id;
    return std::tie(left.place, left_id) < std::tie(right.place, right_id);
}

// By arrival, and ahead for what it has lost.
Seconds place_with_credit_first(const Pass &pass, const RunningJob &job) {
    return job.arrival - credit(pass, job);
}

bool less_folded(const Change &left, const Change &right) {
    return left.mpl < right.mpl;
}

template <class Resize>
void carry_out(std::vector<Change> &changes, Resize resize) {
    for (auto &change : changes)
        if (change.target != change.job().allotment)
            resize(*change.running, std::move(change.target));
}

// On other nodes than where the room was found, say.
void spare_the_needless(std::vector<Change> &changes, Room &room,
                        const std::function<bool(const Room &)> &enough) {
    for (auto &change : changes) {
        const CoreCounts given_back = released(change.job().allotment, change.target);
        room -= given_back;
        if (enough(room))
            change.target = change.job().allotment;
        else
            room += given_back;
    }
}

// No deeper than this job may be folded.
int limited(int max_mpl, const Change &change) {
    return std::min(max_mpl, change.job().max_mpl);
}

// `step` raises the MPL of one of the changes, or answers null.
template <class Step>
bool fold(Pass &pass, std::vector<Change> changes, const std::function<bool(const Room &)> &enough,
          Step step) {
    std::sort(changes.begin(), changes.end(), comes_first);

    Room room = pass.free_soon();
    while (!enough(room)) {
        Change *next = step(changes);
        if (!next)
            return false;
        CoreCounts target = folded_to(next->job(), next->mpl);
        room += released(next->target, target);
        next->target = std::move(target);
    }
    spare_the_needless(changes, room, enough);
    carry_out(changes,
              [&](Running &running, CoreCounts target) { pass.fold(running, std::move(target)); });
    return true;
}

// To the next lower MPL, if there are cores for that.
void take_step_down(Change &change, Room &room) {
    CoreCounts target = unfolded_to(change.job(), change.mpl - 1);
    const CoreCounts needed = released(target, change.target);
    const bool has_room = std::all_of(needed.begin(), needed.end(), [&](const NodeCores &part) {
        return room[part.node.value] >= part.cores;
    });
    if (has_room) {
        room -= needed;
        change.mpl = mpl_on(change.job(), target);
        change.target = std::move(target);
    }
}

constexpr int never_reached = std::numeric_limits<int>::max(); // MPL

// The highest MPL below another one; 0: there is none.
int deepest_below(int mpl, const std::vector<Change> &changes) {
    int deepest = 0;
    for (const auto &change : changes)
        deepest = change.mpl < mpl ? std::max(deepest, change.mpl) : deepest;
    return deepest;
}

} // namespace

bool fold_evenly(Pass &pass, const std::vector<Running *> &jobs, int max_mpl,
                 const std::function<bool(const Room &)> &enough) {
    std::vector<Change> changes;
    for (auto *running : jobs) {
        const RunningJob &job = *running->job;
        changes.push_back(no_change(*running, job.arrival + credit(pass, job)));
    }
    return fold(pass, std::move(changes), enough, [&](std::vector<Change> &order) -> Change * {
        Change *next = nullptr;
        for (auto &change : order)
            if (change.mpl < limited(max_mpl, change) && (!next || less_folded(change, *next)))
                next = &change;
        if (next)
            next->mpl++;
        return next;
    });
}

bool halve_latest(Pass &pass, const std::vector<Running *> &jobs, int max_mpl,
                  const std::function<bool(const Room &)> &enough) {
    std::vector<Change> changes;
    for (auto *running : jobs)
        changes.push_back(no_change(*running, place_with_credit_first(pass, *running->job)));
    return fold(pass, std::move(changes), enough, [&](std::vector<Change> &order) -> Change * {
        const auto next = std::find_if(order.rbegin(), order.rend(), [&](const auto &change) {
            return change.mpl * 2 <= limited(max_mpl, change);
        });
        if (next == order.rend())
            return nullptr;
        next->mpl *= 2;
        return &*next;
    });
}

void unfold_evenly(Pass &pass, Room &room, Seconds ending_by) {
    std::vector<Change> changes;
    for (auto &running : pass.running) {
        const RunningJob &job = *running.job;
        if (can_resize(running) && mpl_on(job, job.allotment) > 1 &&
            expected_end(pass, running) <= ending_by)
            changes.push_back(no_change(running, place_with_credit_first(pass, job)));
    }
    std::sort(changes.begin(), changes.end(), comes_first);

    for (int mpl = deepest_below(never_reached, changes); mpl > 1;
         mpl = deepest_below(mpl, changes)) {
        for (auto &change : changes)
            if (change.mpl == mpl)
                take_step_down(change, room);
    }
    carry_out(changes, [&](Running &running, CoreCounts target) {
        pass.unfold(running, std::move(target));
    });
}

} // namespace vmall::policy
