// SPDX-License-Identifier: GPL-2.0-or-later
//
// When the head of the queue can start, and what it leaves to others then.
#include "policy/queue/reservation.hpp"

#include "policy/folding/folding.hpp"

#include <algorithm>
#include <forward_list>
#include <utility>
#include <vector>

namespace vmall::policy {

namespace {

// What running jobs give back, soonest first.
class Releases {
  public:
    Releases(const Pass &pass, const ExpiryPolicy &policy) {
        std::optional<ExpiryRule> rule;
        if (policy.acts(pass))
            rule.emplace(pass, pass.head());
        releases_.reserve(pass.running.size());
        for (const auto &running : pass.running)
            add_all(pass, policy, rule, running);
        std::sort(releases_.begin(), releases_.end(),
                  [](const Release &left, const Release &right) { return left.time < right.time; });
        next_ = releases_.begin();
    }

    bool empty() const { return next_ == releases_.end(); }
    Seconds next_time() const { return next_->time; }
    void move_next_to(Room &room) {
        room += *next_->cores;
        if (next_->ended)
            room += memory_of(*next_->ended);
        ++next_;
    }

  private:
    struct Release {
        Seconds time;
        const CoreCounts *cores; // of the pass, or of `parts`
        const RunningJob *ended; // which gives back its memory, too; null: none does
    };

    void add_part(Seconds time, CoreCounts cores, const RunningJob *ended = nullptr) {
        parts_.push_front(std::move(cores));
        releases_.push_back({time, &parts_.front(), ended});
    }

    // By a resize under way, by the expiry of its window, by its end.
    void add_all(const Pass &pass, const ExpiryPolicy &policy,
                 const std::optional<ExpiryRule> &rule, const Running &running) {
        const RunningJob &job = *running.job;
        const Seconds soon = pass.now + 1;
        const Seconds end = expected_end(pass, running);
        const CoreCounts *held = &allotment_to_come(running);
        if (running.target)
            add_part(soon, released(job.allotment, *held));
        if (rule && job.backfilled && can_resize(running)) {
            const Seconds expiry = std::max(rule->expiry(job), soon);
            if (expiry < end) {
                CoreCounts kept = policy.kept(pass, job);
                add_part(expiry, released(*held, kept), kept.empty() ? &job : nullptr);
                if (kept.empty())
                    return;
                held = &parts_.emplace_front(std::move(kept));
            }
        }
        if (end != never)
            releases_.push_back({end, held, &job});
    }

    std::vector<Release> releases_;
    std::vector<Release>::const_iterator next_;
    std::forward_list<CoreCounts> parts_;
};

// If the head fits into this room with so many processes at least.
std::optional<Reservation> reserve_in(const Pass &pass, const Delay &delay, const Room &room,
                                      std::optional<Seconds> time, int least) {
    const WaitingJob &head = pass.head();
    const Usable own = usable(head, pass.nodes, room);
    const auto smallest = place(head, least, delay.mpl, pass.nodes, own);
    if (!smallest)
        return std::nullopt;
    std::optional<Reservation> reservation(Reservation{time, room, room});
    const auto take = [&](Room &from, const Placement &placement) {
        from -= placement.allotment;
        from -= memory_of(head, placement.unfolded);
    };
    take(*reservation->spare_at_smallest, *smallest);
    if (head.sizes.smallest() == head.sizes.largest()) {
        take(*reservation->spare, *smallest);
        return reservation;
    }
    const int processes = largest_size(head, most_processes(head, pass.nodes, own, delay.mpl));
    take(*reservation->spare, *place(head, processes, delay.mpl, pass.nodes, own));
    return reservation;
}

// If the head fits into this room at this time.
std::optional<Reservation> start_in(const Pass &pass, const Delay &delay, const Room &room,
                                    std::optional<Seconds> time) {
    const int least = least_processes(pass.head(), delay);
    if (cores_of(room) < least_cores(pass.head(), least, delay.mpl))
        return std::nullopt;
    return reserve_in(pass, delay, room, time, least);
}

} // namespace

Reservation reserve(const Pass &pass, const ExpiryPolicy &policy, const Delay &delay) {
    if (delay.not_before <= pass.now) {
        if (auto reservation = start_in(pass, delay, pass.free, std::nullopt))
            return *std::move(reservation);
    }
    // What comes without being waited for is the head's, though others may end just as soon: one
    // who is let in on that hope is requeued the next moment.
    if (delay.cores_coming) {
        if (auto reservation = start_in(pass, delay, pass.free_soon(), pass.now + 1))
            return *std::move(reservation);
    }
    if (delay.not_before == never)
        return {};
    Room room = pass.free;
    Releases releases(pass, policy);
    for (Seconds time = std::max(pass.now, delay.not_before);; time = releases.next_time()) {
        while (!releases.empty() && releases.next_time() <= time)
            releases.move_next_to(room);
        if (auto reservation = start_in(pass, delay, room, time))
            return *std::move(reservation);
        if (releases.empty())
            return {};
    }
}

} // namespace vmall::policy
