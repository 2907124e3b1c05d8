// SPDX-License-Identifier: GPL-2.0-or-later
//
// Windows of backfilled jobs: when they expire, and whom that makes room for.
#include "policy/window.hpp"

#include "policy/folding.hpp"

#include <algorithm>
#include <tuple>

namespace vmall::policy {

namespace {

bool older(const RunningJob *left, const RunningJob *right) {
    return std::tie(left->started, left->arrival, left->id) <
           std::tie(right->started, right->arrival, right->id);
}

std::vector<RunningJob *> expired_jobs(Pass &pass, const WaitingJob &head) {
    const ExpiryRule rule(pass, head);
    std::vector<RunningJob *> expired;
    for (auto &job : pass.running) {
        if (job.backfilled && can_resize(job) && rule.expiry(job) <= pass.now &&
            shares_nodes(job, head)) {
            expired.push_back(&job);
        }
    }
    std::sort(expired.begin(), expired.end(), older);
    return expired;
}

} // namespace

ExpiryRule::ExpiryRule(const Pass &pass, const WaitingJob &head)
    : rule(pass.settings.window_rule), by_order(pass.now) {
    for (const auto &job : pass.running) {
        if (arrived_before(job, head) && shares_nodes(job, head)) {
            by_order = std::max(by_order, expected_end(pass, job));
        }
    }
}

Seconds ExpiryRule::expiry(const RunningJob &job) const {
    const Seconds by_clock = job.window_end.value_or(never);
    switch (rule) {
    case WindowRule::clock:
        return by_clock;
    case WindowRule::order:
        return by_order;
    case WindowRule::either:
        break;
    }
    return std::min(by_clock, by_order);
}

bool make_room_for_head(Pass &pass, const ExpiryPolicy &policy, int mpl) {
    const WaitingJob &head = pass.queue.front();
    const auto fits = [&](const Room &room) {
        const Room own = usable(head, pass.nodes, room);
        return place(head, head.sizes.front(), mpl, pass.nodes, own).has_value();
    };
    const auto given_back = [&](const RunningJob *job) {
        return released(job->allotment, policy.kept(pass, *job));
    };

    if (fits(pass.free)) {
        return false;
    }
    Room room = pass.free_soon();
    std::vector<RunningJob *> chosen;
    for (auto *job : expired_jobs(pass, head)) {
        if (!fits(room)) {
            room += given_back(job);
            chosen.push_back(job);
        }
    }
    if (!fits(room)) {
        return false;
    }
    for (auto *job : chosen) {
        room -= given_back(job);
        if (!fits(room)) {
            room += given_back(job);
            policy.expire(pass, *job);
        }
    }
    return true;
}

} // namespace vmall::policy
