// SPDX-License-Identifier: GPL-2.0-or-later
//
// Folding and unfolding several jobs, one MPL at a time, so that none is folded much deeper than
// another.
#include "policy/mpl_steps.hpp"

#include "policy/folding.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

namespace vmall::policy {

namespace {

// A job on its way to another allotment.
struct Change {
    Running *running;
    int mpl;
    Allotment target;

    const RunningJob &job() const { return *running->job; }
};

Change no_change(Running &running) {
    const RunningJob &job = *running.job;
    return {&running, mpl_on(job, job.allotment), job.allotment};
}

bool arrived_first(const Change &left, const Change &right) {
    return std::tie(left.job().arrival, left.job().id) <
           std::tie(right.job().arrival, right.job().id);
}

bool less_folded(const Change &left, const Change &right) {
    return left.mpl < right.mpl;
}

void carry_out(Pass &pass, std::vector<Change> &changes) {
    for (auto &change : changes) {
        if (change.target != change.job().allotment) {
            pass.resize(*change.running, std::move(change.target));
        }
    }
}

// On other nodes than where the room was found, say.
void spare_the_needless(std::vector<Change> &changes, Room &room,
                        const std::function<bool(const Room &)> &enough) {
    for (auto &change : changes) {
        const Allotment given_back = released(change.job().allotment, change.target);
        room -= given_back;
        if (enough(room)) {
            change.target = change.job().allotment;
        } else {
            room += given_back;
        }
    }
}

// `step` raises the MPL of one of the changes, which are in order of arrival, or answers null.
template <class Step>
bool fold(Pass &pass, const std::vector<Running *> &jobs,
          const std::function<bool(const Room &)> &enough, Step step) {
    std::vector<Change> changes;
    for (auto *running : jobs) {
        changes.push_back(no_change(*running));
    }
    std::sort(changes.begin(), changes.end(), arrived_first);

    Room room = pass.free_soon();
    while (!enough(room)) {
        Change *next = step(changes);
        if (!next) {
            return false;
        }
        Allotment target = folded_to(next->job(), next->mpl);
        room += released(next->target, target);
        next->target = std::move(target);
    }
    spare_the_needless(changes, room, enough);
    carry_out(pass, changes);
    return true;
}

// To the next lower MPL, if there are cores for that.
bool take_step_down(Change &change, Room &room) {
    if (change.mpl == 1) {
        return false;
    }
    Allotment target = unfolded_to(change.job(), change.mpl - 1);
    const Allotment needed = released(target, change.target);
    const bool has_room = std::all_of(needed.begin(), needed.end(), [&](const NodeCores &part) {
        return room[part.node.value] >= part.cores;
    });
    if (has_room) {
        room -= needed;
        change.mpl = mpl_on(change.job(), target);
        change.target = std::move(target);
    }
    return has_room;
}

} // namespace

bool fold_evenly(Pass &pass, const std::vector<Running *> &jobs, int max_mpl,
                 const std::function<bool(const Room &)> &enough) {
    return fold(pass, jobs, enough, [&](std::vector<Change> &changes) -> Change * {
        const auto next = std::min_element(changes.begin(), changes.end(), less_folded);
        if (next == changes.end() || next->mpl >= max_mpl) {
            return nullptr;
        }
        next->mpl++;
        return &*next;
    });
}

bool halve_latest(Pass &pass, const std::vector<Running *> &jobs, int max_mpl,
                  const std::function<bool(const Room &)> &enough) {
    return fold(pass, jobs, enough, [&](std::vector<Change> &changes) -> Change * {
        const auto next = std::find_if(changes.rbegin(), changes.rend(), [&](const auto &change) {
            return change.mpl * 2 <= max_mpl;
        });
        if (next == changes.rend()) {
            return nullptr;
        }
        next->mpl *= 2;
        return &*next;
    });
}

void unfold_evenly(Pass &pass) {
    std::vector<Change> changes;
    for (auto &running : pass.running) {
        if (can_resize(running) && mpl_on(*running.job, running.job->allotment) > 1) {
            changes.push_back(no_change(running));
        }
    }
    std::sort(changes.begin(), changes.end(), arrived_first);

    Room room = pass.free;
    std::vector<Change> done;
    while (!changes.empty()) {
        const auto next = std::max_element(changes.begin(), changes.end(), less_folded);
        if (!take_step_down(*next, room)) {
            done.push_back(std::move(*next));
            changes.erase(next);
        }
    }
    std::sort(done.begin(), done.end(), arrived_first);
    carry_out(pass, done);
}

} // namespace vmall::policy
