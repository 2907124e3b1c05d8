// SPDX-License-Identifier: GPL-2.0-or-later
//
// Who is to hold how many cores where.
#include "policy/least_work/plan.hpp"

#include "policy/cost/work.hpp"
#include "policy/folding/folding.hpp"

#include <algorithm>
#include <utility>

namespace vmall::policy::least_work {

namespace {

// Of those that wait: the first of the queue and those that come first in the order; looking at
// more makes no difference that could be measured, not even at 20.
constexpr std::size_t most_looked_at = 100;

// Times as long as a job is to run. From 1 to 4 there is no difference to be told; 8 is worse.
constexpr Seconds long_wait = 4;

bool has_lost_enough(const Pass &pass, const RunningJob &job) {
    return job.lost * 100 > (pass.now - job.started) * pass.settings.max_time_lost;
}

Claim running_claim(const Pass &pass, const Ranking &ranking, Running &running) {
    const RunningJob &job = *running.job;
    Claim claim;
    claim.id = job.id;
    claim.tier = job.tier;
    claim.arrival = job.arrival;
    claim.running = &running;
    claim.processes = job.processes;
    claim.cores_per_process = job.cores_per_process;
    claim.unfolded = job.unfolded;
    claim.deepest = deepest_mpl(pass, job);
    claim.costless = std::min(claim.deepest, costless_mpl(job.useful_percent));
    claim.in_front = has_lost_enough(pass, job);
    claim.left = work_left(job.likely_work, pass.now - job.started - job.lost);
    claim.rank = ranking.of(job, claim.left, cores_of(claim.unfolded));
    claim.planned = true;
    // It may have less: other limits held when it started.
    claim.allotment = folded_to(job, claim.deepest);
    claim.mpl = mpl_on(job, claim.allotment);
    return claim;
}

Claim waiting_claim(const Pass &pass, const WaitingJob &job) {
    Claim claim;
    claim.id = job.id;
    claim.tier = job.tier;
    claim.arrival = job.arrival;
    claim.waiting = &job;
    claim.cores_per_process = job.cores_per_process;
    claim.left = work_left(job.likely_work, 0);
    claim.deepest =
        is_foldable(job) ? deepest_mpl(pass, job, static_cast<std::size_t>(job.min_nodes)) : 1;
    return claim;
}

void keep_looked_at(Claims &waiting) {
    if (waiting.size() <= most_looked_at)
        return;
    std::iter_swap(waiting.begin(),
                   std::min_element(waiting.begin(), waiting.end(), is_queued_before));
    const auto kept = waiting.begin() + static_cast<std::ptrdiff_t>(most_looked_at);
    std::nth_element(waiting.begin() + 1, kept, waiting.end(), comes_before);
    waiting.erase(kept, waiting.end());
}

void grow(Claim &claim, RoomToDeal &room, int lowest_mpl) {
    const int mpl = mpl_with_room(claim, room.for_running(), lowest_mpl);
    if (mpl == claim.mpl)
        return;
    room += claim.allotment;
    claim.allotment = at_mpl(claim, mpl);
    claim.mpl = mpl;
    room -= claim.allotment;
}

// To the running ones, in order, with no regard to those that wait. What is left over.
TalliedRoom deal_to_running_alone(Claims &claims, const Room &room) {
    TalliedRoom left_over(room);
    for (Claim &claim : claims) {
        if (!claim.running)
            continue;
        const int mpl = mpl_with_room(claim, left_over.room(), claim.costless);
        claim.alone = mpl == claim.mpl ? claim.allotment : at_mpl(claim, mpl);
        left_over += claim.allotment;
        left_over -= claim.alone;
    }
    return left_over;
}

// What an overdue job is to have back (overdue.hpp) cannot be anybody else's.
CoreCounts still_missing(const Running &running) {
    const RunningJob &job = *running.job;
    return running.target && !job.target && job.resizable
               ? released(unfolded_to(job, job.max_mpl), *running.target)
               : CoreCounts{};
}

} // namespace

Plan::Plan(Pass &pass, const SizingPolicy &sizing)
    : pass_(pass), ranking_(pass.now, pass.nodes), beside_floors_(pass.free_soon()),
      withheld_(beside_floors_.size(), 0) {
    add_running();
    add_waiting(sizing);
    std::sort(claims.begin(), claims.end(), comes_before);
    deal();
}

void Plan::add_running() {
    claims.reserve(pass_.running.size() + std::min(pass_.queue.size(), most_looked_at));
    for (Running &running : pass_.running)
        if (!running.ending && !can_resize(running))
            add_fixed(running);
    for (Running &running : pass_.running) {
        if (running.ending || !can_resize(running))
            continue;
        claims.push_back(running_claim(pass_, ranking_, running));
        beside_floors_ += running.job->allotment;
        beside_floors_ -= claims.back().allotment;
    }
}

// Who is overdue gets what comes free. Nobody is folded for it, since that might not suffice; nor
// for anybody else, as long as it would have the cores.
void Plan::add_fixed(const Running &running) {
    const CoreCounts missing = still_missing(running);
    CoreCounts kept = missing;
    for (NodeCores &part : kept)
        part.cores = std::clamp(beside_floors_[part.node.value], 0, part.cores);
    beside_floors_ -= kept;
    withheld_ += released(missing, kept);
    const Seconds end = expected_end(pass_, running);
    releases_.add(end, allotment_to_come(running), policy::memory_of(*running.job));
    releases_.add(end, std::move(kept), {});
}

void Plan::add_waiting(const SizingPolicy &sizing) {
    Claims waiting;
    for (std::size_t position = 0; position < pass_.queue.size(); position++) {
        const WaitingJob &job = *pass_.queue[position];
        if (job.refused && !job.earliest_start)
            continue;
        waiting.push_back(waiting_claim(pass_, job));
        waiting.back().position = position;
        set_size(waiting.back(), job.sizes.largest());
    }
    put_overdue_in_front(pass_, waiting);
    keep_looked_at(waiting);
    for (Claim &claim : waiting) {
        set_size(claim, sizing.processes(pass_, *claim.waiting));
        claims.push_back(std::move(claim));
    }
}

void Plan::set_size(Claim &claim, int processes) const {
    const WaitingJob &job = *claim.waiting;
    claim.processes = processes;
    claim.rank = ranking_.of(job, claim.left, least_cores(job, processes, 1));
}

// Who is in front starts on its floor, and is dealt more where it will be once it runs. Cores by
// which a running job would only wait less come last.
void Plan::deal() {
    const TalliedRoom left_over = deal_to_running_alone(claims, beside_floors_);
    const NodeChoice nodes(pass_, claims, left_over);
    without_folds_.emplace(pass_, claims, left_over);
    RoomToDeal room(beside_floors_, withheld_);
    start_in_slurms_order(nodes, room);
    Claim *on_floor = nullptr;
    for (Claim &claim : claims) {
        if (on_floor && comes_before_once_it_runs(*on_floor, claim)) {
            grow(*on_floor, room, 1);
            on_floor = nullptr;
        }
        if (claim.running)
            grow(claim, room, claim.costless);
        else if (!claim.planned)
            deal_to_waiting(claim, nodes, room);
        if (claim.waiting && claim.in_front && claim.planned)
            on_floor = &claim;
    }
    if (on_floor)
        grow(*on_floor, room, 1);
    for (Claim &claim : claims)
        if (claim.running)
            grow(claim, room, 1);
}

std::vector<Claim *> Plan::queue() {
    std::vector<Claim *> waiting;
    for (Claim &claim : claims)
        if (claim.waiting)
            waiting.push_back(&claim);
    std::sort(waiting.begin(), waiting.end(), [](const Claim *left, const Claim *right) {
        return is_queued_before(*left, *right);
    });
    return waiting;
}

// Where some cannot be folded: these, and those that can and have waited for four times as long as
// they are to run. But none that stands behind one of the others in both orders.
std::vector<Claim *> Plan::in_slurms_order() {
    const auto can_be_folded = [&](const Claim *claim) {
        return can_be_folded_on(pass_.nodes, *claim->waiting);
    };
    const std::vector<Claim *> waiting = queue();
    if (std::all_of(waiting.begin(), waiting.end(), can_be_folded))
        return {};
    std::vector<Claim *> found;
    const Claim *other = nullptr;
    for (Claim *claim : waiting) {
        if (other && comes_before(*other, *claim))
            continue;
        if (can_be_folded(claim) && (pass_.now - claim->arrival) / long_wait < claim->left)
            other = claim;
        else
            found.push_back(claim);
    }
    return found;
}

// As EASY starts them: nobody is folded for them, and the first that has to wait has a reserved
// start until it is its turn by the order.
void Plan::start_in_slurms_order(const NodeChoice &nodes, RoomToDeal &room) {
    for (Claim *claim : in_slurms_order()) {
        if (!start_as_under_easy(*claim, nodes))
            return reserve_for(*claim, true);
        deal_from(room, *claim);
    }
}

bool Plan::start_as_under_easy(Claim &claim, const NodeChoice &nodes) const {
    if (claim.waiting->refused)
        return false;
    Claim unfolded = claim;
    unfolded.deepest = 1;
    return take(claim, nodes.find(unfolded, without_folds_->room()));
}

void Plan::deal_to_waiting(Claim &claim, const NodeChoice &nodes, RoomToDeal &room) {
    const TalliedRoom &open = room.for_waiting();
    if (&claim == first_blocked() && can_be_folded_on(pass_.nodes, *claim.waiting))
        blocked_.reset();
    const bool is_planned = &claim == first_blocked() ? plan_head(claim, nodes, open)
                            : blocked_                ? let_pass(claim, nodes, open)
                                                      : plan_first(claim, nodes, open);
    if (is_planned)
        deal_from(room, claim);
}

void Plan::deal_from(RoomToDeal &room, const Claim &claim) {
    room -= claim.allotment;
    room -= memory_of(claim);
    room.take_withheld(claim.allotment); // somebody is folded there
    without_folds_->take(claim);
}

// Whose start is reserved.
bool Plan::plan_head(Claim &claim, const NodeChoice &nodes, const TalliedRoom &room) {
    if (claim.waiting->refused || !take_if_it_pays(claim, nodes.find(claim, room), nodes))
        return false;
    blocked_.reset();
    return true;
}

bool Plan::plan_first(Claim &claim, const NodeChoice &nodes, const TalliedRoom &room) {
    if (claim.waiting->refused) {
        reserve_for(claim, false);
        return false;
    }
    auto placement = nodes.find(claim, room);
    const bool has_room = placement.has_value();
    if (take_if_it_pays(claim, std::move(placement), nodes))
        return true;
    reserve_for(claim, has_room);
    return false;
}

// If it ends by the start of the one that is blocked, or on what that one leaves to others then.
bool Plan::let_pass(Claim &claim, const NodeChoice &nodes, const TalliedRoom &room) {
    if (claim.waiting->refused ||
        room.cores() < least_cores(*claim.waiting, claim.processes, claim.deepest))
        return false;
    const std::optional<Seconds> start = blocked_->time();
    if (!start)
        return take_if_it_pays(claim, nodes.find(claim, room), nodes);
    const auto ends_by_then = [&](int mpl) {
        return later(pass_.now, time_for_work(claim.left, mpl)) <= *start;
    };
    if (ends_by_then(1)) {
        auto placement = nodes.find(claim, room);
        if (!placement || ends_by_then(placement->mpl))
            return take_if_it_pays(claim, std::move(placement), nodes);
    }
    const TalliedRoom &spare = blocked_->spare();
    if (!take_if_it_pays(claim, nodes.find(claim, room, &spare), nodes, &spare))
        return false;
    blocked_->take_spare(claim);
    return true;
}

bool Plan::take(Claim &claim, std::optional<Placement> placement) const {
    if (!placement)
        return false;
    const WaitingJob &job = *claim.waiting;
    if (is_foldable(job))
        claim.deepest = deepest_mpl(pass_, job, placement->allotment.size());
    claim.planned = true;
    claim.mpl = placement->mpl;
    claim.allotment = std::move(placement->allotment);
    claim.unfolded = std::move(placement->unfolded);
    return true;
}

// Where folding does not pay: unfolded, on what is left over.
bool Plan::take_if_it_pays(Claim &claim, std::optional<Placement> placement,
                           const NodeChoice &nodes, const TalliedRoom *limit) {
    if (placement && is_foldable(*claim.waiting) && !without_folds_->has(*placement) &&
        !without_folds_->folding_pays(claim, *placement)) {
        Claim unfolded = claim;
        unfolded.deepest = 1;
        placement = nodes.find(unfolded, without_folds_->room(), limit);
    }
    return take(claim, std::move(placement));
}

// As EASY does, but of its floor, and on what is beside the floors of all others; of who is not to
// be folded, as EASY does.
void Plan::reserve_for(const Claim &claim, bool unfolded) {
    blocked_.emplace(pass_, claim, unfolded,
                     unfolded ? without_folds_->room().room() : beside_floors_, releases_);
    for (const Claim &other : claims)
        if (other.planned)
            blocked_->stands_beside(other);
}

} // namespace vmall::policy::least_work
