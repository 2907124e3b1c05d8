// SPDX-License-Identifier: GPL-2.0-or-later
//
// Windows of backfilled jobs: when they expire, and whom that makes room for.
#include "policy/window/window.hpp"

#include "policy/folding/folding.hpp"

#include <algorithm>
#include <tuple>

namespace vmall::policy {

namespace {

auto age(const Pass &pass, const RunningJob &job) {
    return std::make_tuple(job.started + credit(pass, job), job.arrival, job.id);
}

std::vector<Running *> expired_jobs(Pass &pass, const ExpiryPolicy &policy,
                                    const WaitingJob &head) {
    std::vector<Running *> expired;
    if (!policy.acts(pass))
        return expired;
    const ExpiryRule rule(pass, head);
    for (auto &running : pass.running) {
        const RunningJob &job = *running.job;
        if (job.backfilled && can_resize(running) && rule.expiry(job) <= pass.now &&
            shares_nodes(job, head))
            expired.push_back(&running);
    }
    std::sort(expired.begin(), expired.end(), [&](const Running *left, const Running *right) {
        return age(pass, *left->job) < age(pass, *right->job);
    });
    return expired;
}

} // namespace

ExpiryRule::ExpiryRule(const Pass &pass, const WaitingJob &head)
    : rule_(pass.settings.window_rule), by_order_(pass.now) {
    for (const auto &running : pass.running)
        if (arrived_before(*running.job, head) && shares_nodes(*running.job, head))
            by_order_ = std::max(by_order_, expected_end(pass, running));
}

Seconds ExpiryRule::expiry(const RunningJob &job) const {
    const Seconds by_clock = job.window_end.value_or(never);
    switch (rule_) {
    case WindowRule::clock:
        return by_clock;
    case WindowRule::order:
        return by_order_;
    case WindowRule::either:
        break;
    }
    return std::min(by_clock, by_order_);
}

bool make_room_for_head(Pass &pass, const ExpiryPolicy &policy, const Delay &delay) {
    const WaitingJob &head = pass.head();
    const int processes = least_processes(head, delay);
    const int least = least_cores(head, processes, delay.mpl);
    const auto fits = [&](const Room &room) {
        return cores_of(room) >= least &&
               place(head, processes, delay.mpl, pass.nodes, usable(head, pass.nodes, room));
    };
    const auto given_back = [&](const Running *running) {
        return released(running->job->allotment, policy.kept(pass, *running->job));
    };
    const auto memory_given_back = [&](const Running *running) {
        return policy.kept(pass, *running->job).empty() ? memory_of(*running->job) : MemoryCounts{};
    };

    if (fits(pass.free))
        return false;
    Room room = pass.free_soon();
    std::vector<Running *> chosen;
    for (auto *running : expired_jobs(pass, policy, head)) {
        if (!fits(room)) {
            room += given_back(running);
            room += memory_given_back(running);
            chosen.push_back(running);
        }
    }
    if (!fits(room))
        return false;
    for (auto *running : chosen) {
        room -= given_back(running);
        room -= memory_given_back(running);
        if (!fits(room)) {
            room += given_back(running);
            room += memory_given_back(running);
            policy.expire(pass, *running);
        }
    }
    return true;
}

} // namespace vmall::policy
