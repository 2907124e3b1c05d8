// SPDX-License-Identifier: GPL-2.0-or-later
//
// Queue discipline least-work, of our own: doc/policy.md. Every job keeps its floor, the cores that
// it has when it is folded as deep as it may be. What is above the floors is dealt in the order of
// the work that is left, to those that run and those that wait.
#include "policy/queue/discipline.hpp"

#include "policy/folding/folding.hpp"
#include "policy/least_work/order.hpp"
#include "policy/least_work/plan.hpp"
#include "policy/reasons.hpp"

#include <algorithm>
#include <tuple>
#include <vector>

namespace vmall::policy {

namespace {

using least_work::Claim;
using least_work::Plan;

Reason reason_to_wait(const Plan &plan, const Claim &claim) {
    const Claim *blocked = plan.first_blocked();
    if (claim.waiting->refused)
        return reasons::refused;
    if (claim.planned)
        return reasons::being_freed;
    if (!blocked || (&claim == blocked && claim.waiting->whole_nodes))
        return reasons::cores(*claim.waiting);
    if (&claim == blocked)
        return reasons::cores(plan.cores_of_first_blocked());
    return reasons::would_delay(blocked->id);
}

class CarryingOut {
  public:
    CarryingOut(Pass &pass, Plan &plan)
        : pass_(pass), plan_(plan), free_(pass.free), first_at_(pass.nodes.size(), nullptr) {}

    // Jobs that are started come last: it moves the running ones.
    void run() {
        find_starts();
        find_resizes();
        shrink();
        grow();
        for (const Claim &claim : plan_.claims) {
            if (!claim.waiting)
                continue;
            if (std::count(starts_.begin(), starts_.end(), &claim) > 0)
                start(claim);
            else
                pass_.wait(*claim.waiting, reason_to_wait(plan_, claim));
        }
    }

  private:
    void find_starts() {
        for (const Claim &claim : plan_.claims) {
            if (!claim.waiting || !claim.planned)
                continue;
            const MemoryCounts memory = least_work::memory_of(claim);
            if (least_work::fits(free_, claim.allotment) && has(free_, memory)) {
                free_ -= claim.allotment;
                free_ -= memory;
                starts_.push_back(&claim);
            } else {
                for (const NodeCores &part : claim.allotment)
                    if (const Claim *&first = first_at_[part.node.value]; !first)
                        first = &claim;
            }
        }
    }

    // Of those that share a node with it, the first.
    const Claim *served_by(const CoreCounts &given_up) const {
        const Claim *served = nullptr;
        for (const NodeCores &part : given_up) {
            const Claim *here = first_at_[part.node.value];
            if (here && (!served || here < served))
                served = here;
        }
        return served;
    }

    void find_resizes() {
        for (const Claim &claim : plan_.claims)
            if (claim.running && claim.allotment != claim.running->job->allotment)
                resizes_.push_back(&claim);
    }

    void shrink() {
        for (const Claim *claim : resizes_) {
            const CoreCounts given_up = released(claim->running->job->allotment, claim->allotment);
            if (given_up.empty())
                continue;
            const Claim *served = served_by(given_up);
            pass_.fold_for(*claim->running, claim->allotment, served ? served->waiting : nullptr,
                           served ? static_cast<int>(served->allotment.size()) : 0);
        }
    }

    void grow() {
        for (const Claim *claim : resizes_) {
            const CoreCounts more = released(claim->allotment, claim->running->job->allotment);
            if (more.empty() || !least_work::fits(free_, more))
                continue;
            free_ -= more;
            pass_.free -= more;
            pass_.unfold(*claim->running, claim->allotment);
        }
    }

    // Somebody who waits for cores that others free.
    bool passes_somebody(const Claim &claim) const {
        const Claim *blocked = plan_.first_blocked();
        return blocked && least_work::comes_before(*blocked, claim) &&
               least_work::is_queued_before(*blocked, claim);
    }

    void start(const Claim &claim) {
        const auto found = std::find(pass_.queue.begin(), pass_.queue.end(), claim.waiting);
        const auto position = static_cast<std::size_t>(found - pass_.queue.begin());
        const Placement placement{claim.processes, claim.mpl, claim.allotment, claim.unfolded};
        if (passes_somebody(claim))
            pass_.backfill(position, placement, std::nullopt, nodes_of(claim.allotment));
        else
            pass_.start(position, placement, nodes_of(claim.allotment));
    }

    Pass &pass_;
    Plan &plan_;
    Room free_; // without what is to be started
    std::vector<const Claim *> starts_;
    std::vector<const Claim *> resizes_;
    std::vector<const Claim *> first_at_; // by node: of those that wait for folds, in order
};

class LeastWork final : public Discipline {
  public:
    void run(Pass &pass, const SizingPolicy &sizing, const ExpiryPolicy &) const override {
        Plan plan(pass, sizing);
        CarryingOut(pass, plan).run();
    }

    bool grows_running_jobs() const override { return true; }

    int deepest_mpl(std::size_t nodes, bool in_vain) const override {
        return least_work::deepest_mpl(nodes, in_vain);
    }

    void sort_as_dealt(Snapshot &snapshot) const override {
        const least_work::Ranking ranking(snapshot.now, snapshot.nodes);
        std::stable_sort(snapshot.waiting.begin(), snapshot.waiting.end(),
                         [&](const WaitingJob &one, const WaitingJob &other) {
                             return std::make_tuple(-one.tier, ranking.of(one)) <
                                    std::make_tuple(-other.tier, ranking.of(other));
                         });
    }
};

} // namespace

std::unique_ptr<Discipline> make_least_work() {
    return std::make_unique<LeastWork>();
}

} // namespace vmall::policy
