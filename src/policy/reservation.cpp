// SPDX-License-Identifier: GPL-2.0-or-later
//
// When the head of the queue can start, and what it leaves to others then.
#include "policy/reservation.hpp"

#include "policy/folding.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace vmall::policy {

namespace {

struct Release {
    Seconds time;
    Allotment cores;
};

// What a job gives back until it ends: by a resize under way, by the expiry of its window, by its
// end.
void add_releases(const Pass &pass, const ExpiryPolicy &policy, const ExpiryRule &rule,
                  const Running &running, std::vector<Release> &releases) {
    const RunningJob &job = *running.job;
    const Seconds soon = pass.now + 1;
    const Seconds end = expected_end(pass, running);
    Allotment held = settled_allotment(running);
    if (running.target) {
        releases.push_back({soon, released(job.allotment, held)});
    }
    if (job.backfilled && can_resize(running)) {
        const Seconds expiry = std::max(rule.expiry(job), soon);
        if (expiry < end) {
            Allotment kept = policy.kept(pass, job);
            releases.push_back({expiry, released(held, kept)});
            held = std::move(kept);
        }
    }
    if (end != never) {
        releases.push_back({end, std::move(held)});
    }
}

std::vector<Release> future_releases(const Pass &pass, const ExpiryPolicy &policy) {
    const ExpiryRule rule(pass, pass.head());
    std::vector<Release> releases;
    for (const auto &running : pass.running) {
        add_releases(pass, policy, rule, running, releases);
    }
    std::sort(releases.begin(), releases.end(),
              [](const auto &left, const auto &right) { return left.time < right.time; });
    return releases;
}

// If the head fits into this room at this time.
std::optional<Reservation> start_in(const Pass &pass, const Delay &delay, const Room &room,
                                    std::optional<Seconds> time) {
    const WaitingJob &head = pass.head();
    const Usable own = usable(head, pass.nodes, room);
    const auto smallest = place(head, least_processes(head, delay), delay.mpl, pass.nodes, own);
    if (!smallest) {
        return std::nullopt;
    }
    const int processes = largest_size(head, most_processes(head, widest(head, own) * delay.mpl));
    const auto largest = place(head, processes, delay.mpl, pass.nodes, own);
    Reservation reservation{time, room, room};
    *reservation.spare -= largest->allotment;
    *reservation.spare_at_smallest -= smallest->allotment;
    return reservation;
}

} // namespace

Reservation reserve(const Pass &pass, const ExpiryPolicy &policy, const Delay &delay) {
    if (delay.not_before <= pass.now) {
        if (auto reservation = start_in(pass, delay, pass.free, std::nullopt)) {
            return *std::move(reservation);
        }
    }
    // What comes without being waited for is the head's, though others may end just as soon: one
    // who is let in on that hope is requeued the next moment.
    if (delay.cores_coming) {
        if (auto reservation = start_in(pass, delay, pass.free_soon(), pass.now + 1)) {
            return *std::move(reservation);
        }
    }
    if (delay.not_before == never) {
        return {};
    }
    Room room = pass.free;
    const auto releases = future_releases(pass, policy);
    auto next = releases.begin();
    for (Seconds time = std::max(pass.now, delay.not_before);; time = next->time) {
        for (; next != releases.end() && next->time <= time; ++next) {
            room += next->cores;
        }
        if (auto reservation = start_in(pass, delay, room, time)) {
            return *std::move(reservation);
        }
        if (next == releases.end()) {
            return {};
        }
    }
}

} // namespace vmall::policy
