// SPDX-License-Identifier: GPL-2.0-or-later
//
// Questions to Slurm.
#include "plugins/sched_fjt/start/trial.hpp"

#include "plugins/sched_fjt/see/core_sets.hpp"
#include "plugins/sched_fjt/start/start_request.hpp"
#include "policy/room/room.hpp"
#include "slurmglue/job_resize.h"
#include "slurmglue/job_start.h"

#include <list>

namespace vmall::sched {

namespace {

// For as long as this is there, the select plugin believes that the job is folded.
class TrialFold {
  public:
    TrialFold(const JobView &job, const CoreSets &kept) : job_(job), tried_(!resize(kept)) {}
    ~TrialFold() {
        if (tried_)
            resize(job_.cores);
    }
    TrialFold(const TrialFold &) = delete;
    TrialFold &operator=(const TrialFold &) = delete;

  private:
    int resize(const CoreSets &cores) const {
        const std::vector<vmall_node_cores> target = for_slurm(cores);
        return vmall_try_resize(job_.id, target.data(), static_cast<std::uint32_t>(target.size()));
    }

    const JobView &job_;
    const bool tried_;
};

// As Start's: where it is to go if its spread is open is not said.
int cores_per_node(const JobView &job, int processes, int nodes, int mpl) {
    if (job.any_spread)
        return 0;
    return policy::ceil_div(policy::ceil_div(processes, nodes), mpl) * job.cores_per_task;
}

void spread(const JobView &job, policy::Start &start, int nodes, int mpl) {
    start.nodes = nodes;
    start.mpl = mpl;
    start.cores_per_node = cores_per_node(job, start.processes, nodes, mpl);
}

} // namespace

policy::Start smallest_start(const JobView &job, int mpl) {
    policy::Start start;
    start.id = {job.id};
    start.processes = accepted_sizes(job).smallest();
    spread(job, start, job.min_nodes, mpl);
    return start;
}

std::optional<int> largest_startable(const View &view, const JobView &job,
                                     const policy::Start &refused) {
    policy::Start start = refused;
    start.unfolded.clear();
    const auto starts = [&](int processes) {
        start.processes = processes;
        start.cores_per_node = cores_per_node(job, processes, refused.nodes, refused.mpl);
        return vmall_prospect(StartRequest(view, job, start).get()) == VMALL_WOULD_START;
    };
    policy::Sizes smaller = accepted_sizes(job);
    smaller.keep_within(1, refused.processes - 1);
    int startable = 0; // so many of them, the smallest ones
    for (int open = smaller.count(); open > 0;) {
        const int half = open / 2;
        if (starts(smaller.at(startable + half))) {
            startable += half + 1;
            open -= half + 1;
        } else {
            open = half;
        }
    }
    return startable == 0 ? std::nullopt : std::optional(smaller.at(startable - 1));
}

std::optional<policy::Seconds> expected_start(const View &view, const JobView &job) {
    const policy::Seconds expected = vmall_expected_start(job.id);
    return expected > view.now ? std::optional(expected) : std::nullopt;
}

bool starts_after_folds(const View &view, const Ledger &ledger, const JobView &job,
                        const std::vector<policy::Action> &actions, int max_mpl) {
    std::list<TrialFold> folds;
    policy::Start start = smallest_start(job, max_mpl);
    for (const auto &[id, running] : view.active)
        if (const LedgerEntry *entry = ledger.find(id))
            if (const Fold *fold = entry->target.under_way_fold())
                folds.emplace_back(running, fold->keep);
    for (const policy::Action &action : actions)
        if (const auto *resize = std::get_if<policy::Resize>(&action))
            if (const auto running = view.active.find(resize->id.value);
                running != view.active.end() && resize->makes_room_for) {
                folds.emplace_back(running->second,
                                   kept_cores(view, running->second, resize->target));
                start.counted_on = resize->target;
                if (resize->on_nodes > 0 && !job.any_spread)
                    spread(job, start, resize->on_nodes, max_mpl);
            }
    return vmall_prospect(StartRequest(view, job, start).get()) == VMALL_WOULD_START;
}

} // namespace vmall::sched
