// SPDX-License-Identifier: GPL-2.0-or-later
//
// Queue discipline easy: EASY backfilling, with short jobs that are folded if they outstay
// their window (thesis s. 6.4, ICS'05 s. 4).
//
// A job may be backfilled on free cores if by its estimate it ends by the head's reserved start,
// and otherwise on those free cores that the head will not need then.
//
// A short virtually malleable job holds less when its window expires than now. So it may be let in
// for longer than the window, unless cores for the head are being freed already:
// - by window policy shrink, it counts only with the cores that it is folded to;
// - by window rule order, it is let in without a look at the clock if expiry takes any cores away:
//   in the papers the class is the only estimate, and a window is over when all that runs is out of
//   order.
#include "policy/queue/discipline.hpp"

#include "policy/folding/mpl_steps.hpp"
#include "policy/queue/reservation.hpp"
#include "policy/reasons.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace vmall::policy {

namespace {

// The largest size that fits unfolded.
std::optional<Placement> place_largest(const Pass &pass, const WaitingJob &job, const Room &room) {
    const Usable own = usable(job, pass.nodes, room);
    const int most = job.virtually_malleable ? most_processes(job, pass.nodes, own, 1) : 0;
    return place(job, largest_size(job, most), 1, pass.nodes, own);
}

// Of a job that is not virtually malleable it is the resource manager that chooses how many cores
// it takes on which of its nodes. Where any choice must do no harm, that is one node, or nodes the
// head needs nothing of: not even of `possibly_free`, cores on which jobs of this pass may be put
// or not.
std::optional<Placement> place_harmlessly(const Pass &pass, const WaitingJob &job,
                                          const Room &spare, const Room &possibly_free) {
    if (job.min_nodes == 1) {
        const Usable own = usable(job, pass.nodes, min_of(pass.free, spare));
        if (auto placement = place_on_one_node(job, job.sizes.largest(), pass.nodes, own))
            return placement;
    }
    Room room = pass.free;
    for (std::size_t node = 0; node < room.size(); node++) {
        const bool head_needs_memory =
            counts_memory(job, room) && spare.memory[node] < possibly_free.memory[node];
        room[node] = spare[node] < possibly_free[node] || head_needs_memory ? 0 : room[node];
    }
    return place_largest(pass, job, room);
}

class Backfilling {
  public:
    Backfilling(Pass &pass, const ExpiryPolicy &windows, const Delay &delay)
        : pass_(pass), windows_(windows), delay_(delay), head_(pass.head().id),
          possibly_free_(pass.free), free_cores_(cores_of(pass.free)) {}

    void run() {
        if (pass_.settings.backfill_order == BackfillOrder::shortest) {
            std::stable_sort(
                pass_.queue.begin() + 1, pass_.queue.end(),
                [](const auto *left, const auto *right) {
                    return left->estimate < right->estimate;
                });
        }
        for (std::size_t position = 1; position < pass_.queue.size();)
            if (!try_job(position))
                position++;
    }

    // Who is to end by the head's start may use what is free, the others what the head will not
    // need then.
    void unfold() {
        if (!reservation_)
            reservation_ = reserve(pass_, windows_, delay_);
        Room room = pass_.free;
        if (reservation_->start && !delay_.cores_coming)
            unfold_evenly(pass_, room, *reservation_->start);
        if (reservation_->spare)
            room = min_of(room, *reservation_->spare);
        unfold_evenly(pass_, room, never);
    }

  private:
    static constexpr int none = 0;

    // Where cores are coming the head starts at any moment, and nobody ends before.
    bool ends_before_head(const WaitingJob &job) const {
        return reservation_->start && !delay_.cores_coming &&
               end_if_started(pass_, job) <= *reservation_->start;
    }

    // It holds memory at the head's start, however it is folded then.
    bool keeps_memory_from_head(const WaitingJob &job) const {
        return reservation_->spare && counts_memory(job, *reservation_->spare) &&
               !ends_before_head(job);
    }

    // Of how many cores that a job holds now it still holds one at the head's start, as far as the
    // head cares.
    int cores_now_per_core_then(const WaitingJob &job) const {
        if (!reservation_->spare || ends_before_head(job))
            return none;
        const bool gives_way = job.virtually_malleable && !job.whole_nodes &&
                               windows_.acts_on(pass_, job) && reservation_->start &&
                               !delay_.cores_coming;
        if (!gives_way)
            return 1;
        return pass_.settings.window_rule == WindowRule::order ? none
                                                               : windows_.fold_factor(pass_, job);
    }

    std::optional<Placement> place_behind_head(const WaitingJob &job, int ratio) const {
        if (!job.virtually_malleable)
            return place_harmlessly(pass_, job, *reservation_->spare, possibly_free_);
        Room room = ratio == 1 ? *reservation_->spare : *reservation_->spare_at_smallest;
        for (auto &cores : room)
            cores = cores / job.cores_per_process * job.cores_per_process * ratio;
        return place_largest(pass_, job, min_of(pass_.free, room));
    }

    // On any cores, but not on memory that the head needs.
    std::optional<Placement> place_beside_its_memory(const WaitingJob &job) const {
        Room room = pass_.free;
        std::transform(room.memory.begin(), room.memory.end(), reservation_->spare->memory.begin(),
                       room.memory.begin(), [](auto a, auto b) { return std::min(a, b); });
        return place_largest(pass_, job, room);
    }

    bool let_wait(const WaitingJob &job, Reason why) {
        pass_.wait(job, why);
        return false;
    }

    // Answers whether the job at this position of the queue was started.
    bool try_job(std::size_t position) {
        const WaitingJob &job = *pass_.queue[position];
        if (job.refused)
            return let_wait(job, reasons::refused);
        if (job.virtually_malleable && job.job_class == JobClass::long_job)
            return let_wait(job, reasons::long_behind(head_));
        if (least_cores(job, job.sizes.smallest(), 1) > free_cores_)
            return let_wait(job, reasons::cores(job));
        auto placement = place_largest(pass_, job, pass_.free);
        if (!placement)
            return let_wait(job, reasons::cores(job));
        if (!reservation_)
            reservation_ = reserve(pass_, windows_, delay_);
        const int ratio = cores_now_per_core_then(job);
        if (ratio != none)
            placement = place_behind_head(job, ratio);
        else if (keeps_memory_from_head(job))
            placement = place_beside_its_memory(job);
        if (!placement)
            return let_wait(job, reasons::would_delay(head_));
        std::vector<NodeIndex> on;
        if (ratio != none || keeps_memory_from_head(job)) {
            on = nodes_of(placement->allotment);
            const MemoryCounts memory = memory_of(job, placement->unfolded);
            *reservation_->spare -= memory;
            *reservation_->spare_at_smallest -= memory;
        }
        if (ratio != none) {
            CoreCounts then = placement->allotment;
            for (auto &part : then)
                part.cores = folded_width(part.cores, job.cores_per_process, ratio);
            *reservation_->spare -= then;
            *reservation_->spare_at_smallest -= then;
        }
        pass_.backfill(position, *placement, reservation_->start, std::move(on));
        free_cores_ = cores_of(pass_.free);
        return true;
    }

    Pass &pass_;
    const ExpiryPolicy &windows_;
    const Delay &delay_; // of the head
    JobId head_;
    const Room possibly_free_;
    std::optional<Reservation> reservation_; // made when the first job is there that would fit
    int free_cores_;
};

class Easy final : public Discipline {
  public:
    void run(Pass &pass, const SizingPolicy &sizing, const ExpiryPolicy &windows) const override {
        auto delay = start_in_order(pass, sizing);
        if (!delay)
            return;
        const bool cores_would_do = !pass.head().refused && delay->not_before <= pass.now;
        if (!delay->cores_coming && cores_would_do) {
            delay->cores_coming = make_room_for_head(pass, windows, *delay);
            delay->why = delay->cores_coming ? reasons::being_freed : delay->why;
        }
        pass.wait(pass.head(), delay->why);
        Backfilling backfilling(pass, windows, *delay);
        backfilling.run();
        if (sizing.growth() == Growth::beside_the_head)
            backfilling.unfold();
    }

    bool holds_up_long_jobs() const override { return true; }
};

} // namespace

std::unique_ptr<Discipline> make_easy() {
    return std::make_unique<Easy>();
}

} // namespace vmall::policy
