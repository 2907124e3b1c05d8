// SPDX-License-Identifier: GPL-2.0-or-later
//
// How the jobs of a workload fared under one policy beside another, job by job.
#include "sim/report/beside.hpp"

#include <algorithm>
#include <map>
#include <stdexcept>
#include <string>

namespace vmall::sim {

namespace {

// The responses of one user's jobs, under both.
struct OfUser {
    int jobs = 0;
    double response = 0;
    double other_response = 0;
};

double worst_of(const std::map<std::string, OfUser> &users) {
    constexpr int few_jobs = 20;
    double worst = 0;
    for (const auto &[name, user] : users)
        if (user.jobs >= few_jobs && user.other_response > 0 && !name.empty())
            worst = std::max(worst, user.response / user.other_response);
    return worst;
}

} // namespace

std::vector<Fare> fares(const Outcome &outcome, Milliseconds slowdown_bound) {
    std::vector<Fare> result;
    result.reserve(outcome.jobs.size());
    for (const JobOutcome &job : outcome.jobs) {
        Fare fare;
        fare.ended = job.end != End::never_started;
        if (fare.ended) {
            const Measures measures = measure(job, slowdown_bound);
            fare.response = measures.response;
            fare.bounded_slowdown = measures.bounded_slowdown;
            fare.resizes = job.folds + job.unfolds;
            fare.wait = measures.wait;
            fare.user = job.job->user;
        }
        result.push_back(fare);
    }
    return result;
}

Beside beside(const std::vector<Fare> &fares, const std::vector<Fare> &other,
              const std::vector<bool> &chosen) {
    if (fares.size() != other.size() || fares.size() != chosen.size())
        throw std::invalid_argument("these are not the same jobs");
    Beside result;
    Fare sum;
    Fare other_sum;
    double longest_wait = 0;
    double other_longest_wait = 0;
    std::map<std::string, OfUser> users;
    for (std::size_t job = 0; job < fares.size(); job++) {
        if (!chosen[job] || !fares[job].ended || !other[job].ended)
            continue;
        result.jobs++;
        sum.response += fares[job].response;
        sum.bounded_slowdown += fares[job].bounded_slowdown;
        result.resizes += fares[job].resizes;
        other_sum.response += other[job].response;
        other_sum.bounded_slowdown += other[job].bounded_slowdown;
        longest_wait = std::max(longest_wait, fares[job].wait);
        other_longest_wait = std::max(other_longest_wait, other[job].wait);
        OfUser &user = users[fares[job].user];
        user.jobs++;
        user.response += fares[job].response;
        user.other_response += other[job].response;
        result.ratios.push_back(std::max(fares[job].response, 1.0) /
                                std::max(other[job].response, 1.0));
    }
    if (result.jobs == 0)
        return result;
    // Jobs that take no time at all respond as soon under both.
    result.response = other_sum.response > 0 ? sum.response / other_sum.response : 1;
    result.bounded_slowdown = sum.bounded_slowdown / other_sum.bounded_slowdown;
    if (other_longest_wait > 0)
        result.longest_wait = longest_wait / other_longest_wait;
    result.worst_user = worst_of(users);
    result.resizes /= static_cast<double>(result.jobs);
    std::sort(result.ratios.begin(), result.ratios.end());
    return result;
}

} // namespace vmall::sim
