// SPDX-License-Identifier: GPL-2.0-or-later
//
// Who is to hold how many cores where.
#include "policy/least_work/plan.hpp"

#include "policy/folding.hpp"
#include "policy/least_work/order.hpp"
#include "policy/work.hpp"

#include <algorithm>
#include <cmath>

namespace vmall::policy::least_work {

namespace {

// Of those that wait; looking at more makes no difference that could be measured, not even at 20.
constexpr std::size_t most_looked_at = 100;

// Between time alone, by which wide jobs would shut out many narrow ones, and time × cores, by
// which jobs as wide as the machine would come after everybody.
double rank_of(const Claim &claim, int cores) {
    return static_cast<double>(claim.left) * std::sqrt(cores);
}

bool has_lost_enough(const Pass &pass, const RunningJob &job) {
    return job.lost * 100 > (pass.now - job.started) * pass.settings.max_time_lost;
}

Claim running_claim(const Pass &pass, Running &running) {
    const RunningJob &job = *running.job;
    Claim claim;
    claim.id = job.id;
    claim.tier = job.tier;
    claim.arrival = job.arrival;
    claim.running = &running;
    claim.processes = job.processes;
    claim.cores_per_process = job.cores_per_process;
    claim.unfolded = job.unfolded;
    claim.deepest = deepest_mpl(pass.settings, job.max_mpl, job.allotment.size());
    claim.costless = std::min(claim.deepest, costless_mpl(job.useful_percent));
    claim.in_front = has_lost_enough(pass, job);
    claim.left = work_left(job.estimate, pass.now - job.started - job.lost);
    claim.rank = rank_of(claim, cores_of(claim.unfolded));
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
    claim.left = work_left(job.estimate, 0);
    claim.deepest = is_foldable(job) ? deepest_mpl(pass.settings, job.max_mpl,
                                                   static_cast<std::size_t>(job.min_nodes))
                                     : 1;
    return claim;
}

void set_size(Claim &claim, int processes) {
    const WaitingJob &job = *claim.waiting;
    claim.processes = processes;
    claim.rank = rank_of(claim, least_cores(job, processes, 1));
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
    : pass_(pass), beside_floors_(pass.free_soon()), withheld_(beside_floors_.size(), 0) {
    add_running();
    add_waiting(sizing);
    std::sort(claims.begin(), claims.end(), comes_before);
    deal();
}

void Plan::add_running() {
    for (Running &running : pass_.running)
        if (!running.ending && !can_resize(running))
            add_fixed(running);
    for (Running &running : pass_.running) {
        if (running.ending || !can_resize(running))
            continue;
        claims.push_back(running_claim(pass_, running));
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
    releases_.push_back({end, settled_allotment(running), policy::memory_of(*running.job)});
    releases_.push_back({end, std::move(kept), {}});
}

void Plan::add_waiting(const SizingPolicy &sizing) {
    Claims waiting;
    for (const WaitingJob *job : pass_.queue)
        if (!job->refused || job->earliest_start) {
            waiting.push_back(waiting_claim(pass_, *job));
            set_size(waiting.back(), job->sizes.largest());
        }
    put_overdue_in_front(pass_, waiting);
    const auto looked_at =
        waiting.begin() + static_cast<std::ptrdiff_t>(std::min(waiting.size(), most_looked_at));
    std::partial_sort(waiting.begin(), looked_at, waiting.end(), comes_before);
    waiting.erase(looked_at, waiting.end());
    for (Claim &claim : waiting) {
        set_size(claim, sizing.processes(pass_, *claim.waiting));
        claims.push_back(std::move(claim));
    }
}

// Who is in front starts on its floor, and is dealt more where it will be once it runs. Cores by
// which a running job would only wait less come last.
void Plan::deal() {
    const NodeChoice nodes(pass_, claims, beside_floors_);
    Room room = beside_floors_;
    Claim *on_floor = nullptr;
    for (Claim &claim : claims) {
        if (on_floor && comes_before_once_it_runs(*on_floor, claim)) {
            grow(*on_floor, room, 1);
            on_floor = nullptr;
        }
        if (claim.running)
            grow(claim, room, claim.costless);
        else
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

void Plan::deal_to_waiting(Claim &claim, const NodeChoice &nodes, Room &all) {
    Room room = all;
    for (std::size_t node = 0; node < room.size(); node++)
        room[node] -= withheld_[node];
    deal_of(room, claim, nodes);
    if (!claim.planned)
        return;
    all -= claim.allotment;
    all -= memory_of(claim);
    for (const NodeCores &part : claim.allotment) { // somebody is folded there
        all[part.node.value] -= withheld_[part.node.value];
        withheld_[part.node.value] = 0;
    }
}

void Plan::deal_of(Room &room, Claim &claim, const NodeChoice &nodes) {
    if (blocked_) {
        let_pass(claim, nodes, room);
        return;
    }
    if (!claim.waiting->refused && nodes.place(claim, room))
        return;
    blocked_ = &claim;
    reserve_for(claim);
}

// If it ends by the start of the one that is blocked, or on what that one leaves to others then.
bool Plan::let_pass(Claim &claim, const NodeChoice &nodes, Room &room) {
    if (claim.waiting->refused)
        return false;
    if (!start_)
        return nodes.place(claim, room);
    const Claim before = claim;
    const Room room_before = room;
    if (!nodes.place(claim, room))
        return false;
    if (later(pass_.now, time_for_work(claim.left, claim.mpl)) <= *start_)
        return true;
    claim = before;
    room = room_before;
    if (!nodes.place(claim, room, &*spare_))
        return false;
    *spare_ -= floor_of(claim);
    *spare_ -= memory_of(claim);
    return true;
}

// As EASY does, but of its floor, and on what is beside the floors of all others.
void Plan::reserve_for(const Claim &claim) {
    const WaitingJob &job = *claim.waiting;
    std::vector<Release> releases = releases_;
    Room room = beside_floors_;
    for (const Claim &other : claims)
        if (other.planned) {
            releases.push_back({later(pass_.now, other.left), floor_of(other), memory_of(other)});
            if (other.waiting) {
                room -= floor_of(other);
                room -= memory_of(other);
            }
        }
    std::sort(releases.begin(), releases.end(),
              [](const auto &left, const auto &right) { return left.time < right.time; });
    const Seconds earliest = std::max(job.earliest_start.value_or(0), pass_.now + 1);
    auto next = releases.begin();
    for (Seconds time = earliest;; time = next->time) {
        for (; next != releases.end() && next->time <= time; ++next) {
            room += next->cores;
            room += next->memory;
        }
        const Usable own = usable(job, pass_.nodes, room);
        if (auto place = place_on_floor(pass_, claim, own)) {
            start_ = time;
            spare_ = room;
            *spare_ -= place->allotment;
            *spare_ -= policy::memory_of(job, place->unfolded);
            return;
        }
        if (next == releases.end() || next->time == never)
            return;
    }
}

} // namespace vmall::policy::least_work
